//go:build unix

package e2e

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// What a client costs is the processor time of the server's processes, all of
// them, beside that of a server with wish's middleware, in turns in one run.

// cpu is the processor time of a process so far (proc(5), stat, fields 14 and
// 15).
func cpu(b *testing.B, pid int) time.Duration {
	b.Helper()
	const tick = time.Second / 100 // sysconf(_SC_CLK_TCK) on Linux
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		b.Skip(err)
	}
	f := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	user, _ := strconv.Atoi(f[11])
	system, _ := strconv.Atoi(f[12])
	return time.Duration(user+system) * tick
}

// spent is how many milliseconds of each second the processes worked, over d.
func spent(b *testing.B, d time.Duration, pids ...int) []float64 {
	b.Helper()
	before, start := make([]time.Duration, len(pids)), time.Now()
	for i, pid := range pids {
		before[i] = cpu(b, pid)
	}
	time.Sleep(d)
	each := make([]float64, len(pids))
	for i, pid := range pids {
		each[i] = float64(cpu(b, pid)-before[i]) / float64(time.Since(start)) * 1000
	}
	return each
}

func (in *instance) pids() []int {
	return []int{in.server.Process.Pid, in.pid("daemon"), in.pid("ptyhost")}
}

// wishServer is a server with wish's middleware in a process of its own.
type wishServer struct {
	dir string
	cmd *exec.Cmd
	at  int
}

func startWish(b *testing.B) *wishServer {
	b.Helper()
	w := &wishServer{dir: b.TempDir(), at: freePort(b)}
	if out, err := exec.Command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", filepath.Join(w.dir, "id")).CombinedOutput(); err != nil {
		b.Fatalf("ssh-keygen: %v\n%s", err, out)
	}
	w.cmd = exec.Command(os.Args[0])
	w.cmd.Env = append(os.Environ(), fmt.Sprintf("%s=127.0.0.1:%d", wishEnv, w.at), wishEnv+"_KEY="+filepath.Join(w.dir, "host"))
	if err := w.cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		_ = w.cmd.Process.Kill()
		_ = w.cmd.Wait()
	})
	return w
}

func (w *wishServer) client(b *testing.B, user string, cols, rows int) *typist {
	cmd := exec.Command("ssh", "-tt", "-F", "none", "-o", "BatchMode=yes", "-o", "IdentitiesOnly=yes", "-o", "LogLevel=ERROR",
		"-i", filepath.Join(w.dir, "id"), "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile="+filepath.Join(w.dir, "known"),
		"-o", "ConnectionAttempts=20", "-p", strconv.Itoa(w.at), user+"@127.0.0.1")
	cmd.Env = append(os.Environ(), "TERM=xterm-256color")
	return newTypist(b, cmd, cols, rows)
}

// attached is an OpenSSH client of the instance.
func (in *instance) attached(b *testing.B, cols, rows int) *typist {
	cmd := exec.Command("ssh", in.sshArgs("-tt")...)
	cmd.Env = in.env
	return newTypist(b, cmd, cols, rows)
}

// BenchmarkClientAtFullRepaints is one client that sees a picture of 200x50
// change in every cell 60 times a second: in a pane, and as wish's View.
func BenchmarkClientAtFullRepaints(b *testing.B) {
	const cols, rows = 200, 50
	const sidebar, lines = 35, 2 // around the pane
	const block = 3 * time.Second
	in := start(b)
	own := in.attached(b, cols+sidebar, rows+lines)
	own.sees("", "$")
	size := in.sessions()[0]
	if size.Cols != cols || size.Rows != rows {
		b.Fatalf("the pane is %dx%d", size.Cols, size.Rows)
	}
	file := filepath.Join(in.user, "repaint")
	own.send(fmt.Sprintf("%s='%d %d' sh -c 'echo $$ > %s; exec %s'\r", repaintEnv, size.Cols, size.Rows, file, os.Args[0]))
	painter := pidIn(b, file)
	w := startWish(b)
	var ours, theirs, oursBytes, theirsBytes []float64
	var parts [3][]float64
	for b.Loop() {
		peer := w.client(b, "full", cols, rows)
		peer.sees("", "abc")
		time.Sleep(time.Second)
		from := peer.took()
		theirs = append(theirs, spent(b, block, w.cmd.Process.Pid)[0])
		theirsBytes = append(theirsBytes, float64(peer.took()-from)/block.Seconds())
		peer.end()

		_ = syscall.Kill(painter, syscall.SIGCONT)
		time.Sleep(time.Second)
		from = own.took()
		each := spent(b, block, in.pids()...)
		ours = append(ours, each[0]+each[1]+each[2])
		for i := range parts {
			parts[i] = append(parts[i], each[i])
		}
		oursBytes = append(oursBytes, float64(own.took()-from)/block.Seconds())
		_ = syscall.Kill(painter, syscall.SIGSTOP)
	}
	own.end()
	_ = syscall.Kill(painter, syscall.SIGCONT)
	time.Sleep(time.Second)
	alone := spent(b, block, in.pids()...) // what the pane costs with nobody looking
	b.ReportMetric(alone[0]+alone[1]+alone[2], "unwatched-ms/s")
	b.ReportMetric((median(ours)-alone[0]-alone[1]-alone[2])/median(theirs), "client-x-wish")
	b.ReportMetric(0, "ns/op")
	for i, name := range []string{"sshd", "daemon", "ptyhost"} {
		b.ReportMetric(median(parts[i]), name+"-ms/s")
	}
	b.ReportMetric(median(ours), "ms/s")
	b.ReportMetric(median(theirs), "wish-ms/s")
	b.ReportMetric(median(ours)/median(theirs), "x-wish")
	b.ReportMetric(median(oursBytes)/1e3, "kB/s")
	b.ReportMetric(median(theirsBytes)/1e3, "wish-kB/s")
}

// BenchmarkIdleClients is ten clients that nothing happens in.
func BenchmarkIdleClients(b *testing.B) {
	const n, block = 10, 5 * time.Second
	in := start(b)
	w := startWish(b)
	for range n {
		in.attached(b, 120, 40).sees("", "$")
		w.client(b, "idle", 120, 40).sees("", "abc")
	}
	time.Sleep(2 * time.Second)
	var ours, theirs []float64
	for b.Loop() {
		each := spent(b, block, in.pids()...)
		ours = append(ours, each[0]+each[1]+each[2])
		theirs = append(theirs, spent(b, block, w.cmd.Process.Pid)[0])
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(median(ours), "ms/s")
	b.ReportMetric(median(theirs), "wish-ms/s")
}
