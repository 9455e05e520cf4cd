//go:build unix

package e2e

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/pem"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	gossh "golang.org/x/crypto/ssh"
)

// listening lists the addresses, in the kernel's hexadecimal, that a process
// accepts TCP connections on.
func listening(t *testing.T, pid int) []string {
	t.Helper()
	inodes := make(map[string]bool)
	fds, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
	if err != nil {
		t.Fatal(err)
	}
	for _, fd := range fds {
		target, _ := os.Readlink(fmt.Sprintf("/proc/%d/fd/%s", pid, fd.Name())) // it may be closed by now
		if inode, ok := strings.CutPrefix(target, "socket:["); ok {
			inodes[strings.TrimSuffix(inode, "]")] = true
		}
	}
	var list []string
	for _, table := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		b, err := os.ReadFile(table)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(b)) {
			// proc(5): sl, local_address, rem_address, st, ..., the tenth is the inode.
			f := strings.Fields(line)
			const listen = "0A"
			if len(f) > 9 && f[3] == listen && inodes[f[9]] {
				list = append(list, f[1])
			}
		}
	}
	return list
}

func TestOnlyLoopbackIsListenedOn(t *testing.T) {
	t.Parallel()
	in := start(t)
	in.attach(80, 24).ready()
	want := []string{
		fmt.Sprintf("0100007F:%04X", in.port),
		fmt.Sprintf("00000000000000000000000001000000:%04X", in.port),
	}
	if got := listening(t, in.server.Process.Pid); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("sshd listens on %v, want %v", got, want)
	}
	for _, name := range []string{"daemon", "ptyhost"} {
		if got := listening(t, in.pid(name)); len(got) > 0 {
			t.Errorf("%s listens on %v", name, got)
		}
	}
}

// newKey makes a key pair and returns the path of its private half.
func newKey(t *testing.T, dir string) (path string, public gossh.PublicKey) {
	t.Helper()
	pub, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	block, err := gossh.MarshalPrivateKey(private, "")
	if err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(dir, "key"+strconv.Itoa(len(dirNames(t, dir))))
	if err := os.WriteFile(path, pem.EncodeToMemory(block), 0o600); err != nil {
		t.Fatal(err)
	}
	public, err = gossh.NewPublicKey(pub)
	if err != nil {
		t.Fatal(err)
	}
	return path, public
}

func dirNames(t *testing.T, dir string) []os.DirEntry {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	return entries
}

// B19: who has none of the user's own keys is refused, whatever else is tried.
func TestOnlyTheUsersOwnKeysComeIn(t *testing.T) {
	t.Parallel()
	in := start(t)
	foreign, _ := newKey(t, t.TempDir())
	answer := func(string, string, []string, []bool) ([]string, error) { return nil, nil }
	for name, auth := range map[string][]gossh.AuthMethod{
		"none":                 nil,
		"a password":           {gossh.Password("")},
		"keyboard-interactive": {gossh.KeyboardInteractive(answer)},
		"a foreign key":        {gossh.PublicKeys(key(t, foreign))},
	} {
		conn, err := in.login(auth...)
		if err == nil {
			conn.Close()
			t.Errorf("%s is let in", name)
			continue
		}
		if !strings.Contains(err.Error(), "unable to authenticate") {
			t.Errorf("%s: %v", name, err)
		}
	}
	out, err := exec.Command("ssh", in.sshArgs("-o", "PubkeyAuthentication=no", "-T")...).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "Permission denied (publickey)") {
		t.Errorf("OpenSSH without a key: %v: %s", err, out)
	}
}

func TestAnotherLocalUserIsRefused(t *testing.T) {
	t.Parallel()
	if os.Getuid() != 0 {
		t.Skip("only root can be somebody else")
	}
	in := start(t)
	in.attach(80, 24).ready()
	const nobody = 65534
	dir, err := os.MkdirTemp("", "nobody")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	own, _ := newKey(t, dir)
	for _, path := range []string{dir, own} {
		if err := os.Chown(path, nobody, nobody); err != nil {
			t.Fatal(err)
		}
	}
	as := func(name string, args ...string) (string, error) {
		cmd := exec.Command(name, args...)
		cmd.Dir, cmd.Env = "/", []string{"HOME=" + dir, "PATH=" + os.Getenv("PATH")}
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	out, err := as("ssh", "-F", "none", "-o", "BatchMode=yes", "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null",
		"-i", own, "-p", strconv.Itoa(in.port), "localhost")
	if err == nil || !strings.Contains(out, "Permission denied (publickey)") {
		t.Errorf("with a key of their own: %v: %s", err, out)
	}
	for _, path := range []string{"keys/client_ed25519", "run/ssh.sock", "run/ptyhost.sock", "run/daemon.sock", "log/sshd.log", "settings.toml"} {
		if out, err := as("cat", filepath.Join(in.home, path)); err == nil || !strings.Contains(out, "Permission denied") {
			t.Errorf("they reach %s: %v: %s", path, err, out)
		}
	}
}

func TestOnlyUnrestrictedLinesOfAuthorizedKeysCount(t *testing.T) {
	t.Parallel()
	in := start(t)
	dir := t.TempDir()
	sshDir := filepath.Join(in.user, ".ssh")
	if err := os.Mkdir(sshDir, 0o700); err != nil {
		t.Fatal(err)
	}
	line := func(k gossh.PublicKey) string { return strings.TrimSpace(string(gossh.MarshalAuthorizedKey(k))) }
	restrictedKey, restricted := newKey(t, dir)
	forcedKey, forced := newKey(t, dir)
	goodKey, good := newKey(t, dir)
	ownKey, own := newKey(t, dir)
	lines := []string{
		"# a comment", "",
		"restrict,pty " + line(restricted),
		`command="/bin/date" ` + line(forced),
		"ssh-ed25519 AAAAnonsense bad line",
		"ssh-ed25519",
		strings.Repeat("x", 9000),
		line(good) + " me@elsewhere",
	}
	if err := os.WriteFile(filepath.Join(sshDir, "authorized_keys"), []byte(strings.Join(lines, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(sshDir, "id_mine.pub"), []byte(line(own)+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for path, allowed := range map[string]bool{restrictedKey: false, forcedKey: false, goodKey: true, ownKey: true} {
		conn, err := in.login(gossh.PublicKeys(key(t, path)))
		if conn != nil {
			conn.Close()
		}
		if (err == nil) != allowed {
			t.Errorf("%s is let in: %v, want %v (%v)", filepath.Base(path), err == nil, allowed, err)
		}
	}
	// Taken out, it is out from then on.
	if err := os.Remove(filepath.Join(sshDir, "authorized_keys")); err != nil {
		t.Fatal(err)
	}
	if conn, err := in.login(gossh.PublicKeys(key(t, goodKey))); err == nil {
		conn.Close()
		t.Error("a key that was taken out is let in")
	}
}

func TestForwardingAndSubsystemsAreRefused(t *testing.T) {
	t.Parallel()
	in := start(t)
	conn := in.dial()
	type direct struct {
		Host     string
		Port     uint32
		From     string
		FromPort uint32
	}
	for name, payload := range map[string][]byte{
		"direct-tcpip":                   gossh.Marshal(direct{"127.0.0.1", uint32(in.port), "127.0.0.1", 1}),
		"direct-streamlocal@openssh.com": gossh.Marshal(struct{ Path, R string }{filepath.Join(in.home, "run/daemon.sock"), ""}),
		"tun@openssh.com":                gossh.Marshal(struct{ Mode, Unit uint32 }{1, 0}),
		"x11":                            gossh.Marshal(struct{ R string }{}),
		"auth-agent@openssh.com":         nil,
	} {
		ch, _, err := conn.OpenChannel(name, payload)
		if err == nil {
			ch.Close()
			t.Errorf("a %s channel is opened", name)
		}
	}
	for name, payload := range map[string][]byte{
		"tcpip-forward": gossh.Marshal(struct {
			Host string
			Port uint32
		}{"127.0.0.1", 0}),
		"streamlocal-forward@openssh.com": gossh.Marshal(struct{ Path string }{filepath.Join(in.user, "s")}),
	} {
		if ok, _, err := conn.SendRequest(name, true, payload); err != nil || ok {
			t.Errorf("%s is granted: %v, %v", name, ok, err)
		}
	}
	s := session(t, conn, 80, 24)
	for name, payload := range map[string]any{
		"auth-agent-req@openssh.com": nil,
		"x11-req": struct {
			Single        bool
			Proto, Cookie string
			Screen        uint32
		}{false, "MIT-MAGIC-COOKIE-1", "00", 0},
		"subsystem": struct{ Name string }{"sftp"},
	} {
		if s.ask(name, payload) {
			t.Errorf("%s is granted", name)
		}
	}
	s.terminal("xterm-256color", 80, 24)
	s.shell().atPrompt() // and none of it has harmed the session
	s.run(`echo "agent:${SSH_AUTH_SOCK}:x11:${DISPLAY}:"`)
	s.sees("agent::x11::")

	for _, args := range [][]string{
		{"-N", "-o", "ExitOnForwardFailure=yes", "-R", "0:localhost:22"},
		{"-W", "127.0.0.1:" + strconv.Itoa(in.port)},
		{"-s", "-T"}, // then the host, and no command: needs one
	} {
		all := in.sshArgs(args...)
		if args[0] == "-s" {
			all = append(all, "sftp")
		}
		if out, err := exec.Command("ssh", all...).CombinedOutput(); err == nil {
			t.Errorf("ssh %v succeeds: %s", args, out)
		}
	}
}

func TestTheLimitsOfConnectionsAndSessionsAreToldInASentence(t *testing.T) {
	t.Parallel()
	in := start(t)
	const connections, sessions = 64, 16
	first := in.dial()
	for range sessions {
		session(t, first, 80, 24)
	}
	_, _, err := first.OpenChannel("session", nil)
	if err == nil || !strings.Contains(err.Error(), "has 16 sessions already: open another connection") {
		t.Errorf("a 17th session is told %v", err)
	}
	conns := []*gossh.Client{first}
	for range connections - 1 {
		c := in.dial()
		session(t, c, 80, 24)
		conns = append(conns, c)
	}
	out, err := exec.Command("ssh", in.sshArgs("-tt")...).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "serves 64 connections already: close one first") {
		t.Errorf("a 65th connection is told %q, %v", out, err)
	}
	conns[1].Close() // one that leaves makes room
	eventually(t, "there is room again", func() bool {
		return exec.Command("ssh", append(in.sshArgs("-T"), "api", "list")...).Run() == nil
	}, nil)
}
