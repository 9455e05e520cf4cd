package worktree

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// InitScript is where a repository keeps what is to run once in each of its new worktrees.
const InitScript = ".moorage/init.sh"

const (
	// InitLimit is how long an init script may take.
	InitLimit = 120 * time.Second
	// initMarker lies in the worktree's own directory below the repository's, so that it goes when the worktree goes. Removing it lets
	// the script run again.
	initMarker   = "moorage-init.json"
	maxInitWords = 64 << 10  // bytes of its output that are kept, the last ones
	maxInitEnv   = 256 << 10 // bytes of environment that are taken over
)

// Init is what an init script did, now or earlier.
type Init struct {
	There   bool // the repository has a script
	Ran     time.Time
	Now     bool     // it was this call that ran it
	Failure string   // why it counts as failed, "" when it went well
	Output  string   // the end of what it wrote, as UTF-8
	Set     []string // NAME=value, exported by the script and different from before, sorted
	Unset   []string
}

// initRecord is an Init on disk. Variables are bytes, which need not be UTF-8.
type initRecord struct {
	Ran     time.Time `json:"ran"`
	Failure string    `json:"failure,omitempty"`
	Output  string    `json:"output,omitempty"`
	Set     [][]byte  `json:"set,omitempty"`
	Unset   [][]byte  `json:"unset,omitempty"`
}

// RunInit runs the init script of the worktree at dir, unless it was run there before: then it returns what came of that. env is the
// environment that the script starts with; what it exports is for the sessions of the worktree. progress, which may be nil, gets its lines.
//
// The script is sourced by sh in dir, in a process group of its own, which is ended after the script or after InitLimit: what it leaves in the background
// does not stay. A script that fails, even by its time, is no error but Init.Failure, and is not run again.
func RunInit(ctx context.Context, dir string, env []string, progress func(string)) (Init, error) {
	done, err := runInit(ctx, dir, env, progress, InitLimit)
	if err != nil {
		return Init{}, fmt.Errorf("init script of %s: %w", Display(dir), err)
	}
	return done, nil
}

func runInit(ctx context.Context, dir string, env []string, progress func(string), limit time.Duration) (Init, error) {
	gitDir, err := looking(dir).path(ctx, "--absolute-git-dir")
	if err != nil {
		return Init{}, err
	}
	marker := filepath.Join(gitDir, initMarker)
	data, err := os.ReadFile(marker)
	if err == nil {
		var was initRecord
		if err := json.Unmarshal(data, &was); err != nil {
			return Init{There: true, Failure: "what it did is not readable any more"}, nil
		}
		return Init{There: true, Ran: was.Ran, Failure: was.Failure, Output: was.Output, Set: texts(was.Set), Unset: texts(was.Unset)}, nil
	}
	if !errors.Is(err, os.ErrNotExist) {
		return Init{}, err
	}
	info, err := os.Stat(filepath.Join(dir, filepath.FromSlash(InitScript)))
	if errors.Is(err, os.ErrNotExist) || isNotDir(err) || err == nil && !info.Mode().IsRegular() {
		return Init{}, nil
	}
	if err != nil {
		return Init{}, err
	}
	// The marker comes first: a daemon that dies meanwhile does not run the script twice.
	done := Init{There: true, Ran: time.Now().UTC(), Failure: "it was broken off"}
	if err := writeMarker(marker, done); err != nil {
		return Init{}, err
	}
	done.Failure = ""
	if err := done.run(ctx, dir, env, progress, limit); err != nil {
		done.Failure = err.Error()
	}
	done.Now = true
	return done, writeMarker(marker, done)
}

func writeMarker(path string, done Init) error {
	data, err := json.Marshal(initRecord{Ran: done.Ran, Failure: done.Failure, Output: done.Output, Set: raw(done.Set), Unset: raw(done.Unset)})
	if err != nil {
		return err
	}
	temp := path + ".new"
	if err := os.WriteFile(temp, data, 0o600); err != nil {
		return err
	}
	return os.Rename(temp, path)
}

func texts(list [][]byte) []string {
	var out []string
	for _, b := range list {
		out = append(out, string(b))
	}
	return out
}

func raw(list []string) [][]byte {
	var out [][]byte
	for _, s := range list {
		out = append(out, []byte(s))
	}
	return out
}

// initCommand is for sh. It sources the script and, when that has come to its end or left the shell by exit 0, writes what is exported to
// descriptor 3 by the program env, whatever the script makes of PATH.
func initCommand(env string) string {
	export := `if [ "$moorage_exit" -eq 0 ]; then '` + strings.ReplaceAll(env, "'", `'\''`) + `' -0 >&3; fi`
	return `moorage_export() { ` + export + "; }\n" +
		`trap 'moorage_exit=$?; moorage_export; exit "$moorage_exit"' EXIT` + "\n. ./" + InitScript + "\n" +
		`moorage_exit=$?; trap - EXIT; moorage_export; exit "$moorage_exit"`
}

// run runs the script. An error is why it failed.
func (done *Init) run(ctx context.Context, dir string, env []string, progress func(string), limit time.Duration) error {
	tool, err := exec.LookPath("env")
	if err != nil {
		return err
	}
	exported, err := os.CreateTemp("", "moorage-init-")
	if err != nil {
		return err
	}
	defer exported.Close()
	if err := os.Remove(exported.Name()); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-c", initCommand(tool))
	cmd.Dir, cmd.Env = dir, env
	cmd.ExtraFiles = []*os.File{exported}
	ownGroup(cmd)
	cmd.WaitDelay = endGrace
	out := &tail{limit: maxInitWords, lines: wordsOf{progress: progress}}
	if err = runOnly(cmd, out); err != nil {
		done.Output = out.String()
		switch {
		case errors.Is(ctx.Err(), context.DeadlineExceeded):
			return fmt.Errorf("it took longer than %v", limit)
		case ctx.Err() != nil:
			return errors.New("it was broken off")
		}
		return err
	}
	done.Output = out.String()
	after, err := readEnv(exported)
	if err != nil {
		return err
	}
	done.Set, done.Unset = differences(env, after)
	return nil
}

// runOnly runs a command to the end of its first process, whoever else still holds its output, and ends its group then.
func runOnly(cmd *exec.Cmd, out io.Writer) error {
	from, to, err := os.Pipe()
	if err != nil {
		return err
	}
	defer from.Close()
	cmd.Stdout, cmd.Stderr = to, to
	err = cmd.Start()
	_ = to.Close()
	if err != nil {
		return err
	}
	read := make(chan struct{})
	go func() {
		defer close(read)
		_, _ = io.Copy(out, from)
	}()
	err = cmd.Wait()
	killGroup(cmd)
	// What left the group may hold the pipe for ever.
	_ = from.SetReadDeadline(time.Now().Add(endGrace))
	<-read
	return err
}

// readEnv reads what `env -0` wrote.
func readEnv(f *os.File) ([]string, error) {
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(f, maxInitEnv+1))
	switch {
	case err != nil:
		return nil, err
	case len(data) == 0:
		return nil, errors.New("its environment could not be read: is there an env that knows -0?")
	case len(data) > maxInitEnv:
		return nil, fmt.Errorf("its environment is larger than %d KiB", maxInitEnv>>10)
	}
	return records(data), nil
}

// shellOwn are variables that a shell sets for itself.
var shellOwn = []string{"PWD", "OLDPWD", "SHLVL", "_", "moorage_exit", "BASH_FUNC_moorage_export%%"}

// differences compares two environments.
func differences(before, after []string) (set, unset []string) {
	was := map[string]string{}
	for _, line := range before {
		name, value, _ := strings.Cut(line, "=")
		was[name] = value
	}
	for _, line := range after {
		name, value, _ := strings.Cut(line, "=")
		old, had := was[name]
		delete(was, name)
		if !slices.Contains(shellOwn, name) && (!had || old != value) {
			set = append(set, line)
		}
	}
	for name := range was {
		if !slices.Contains(shellOwn, name) {
			unset = append(unset, name)
		}
	}
	slices.Sort(set)
	slices.Sort(unset)
	return set, unset
}

// tail keeps the last bytes of an output.
type tail struct {
	limit int
	kept  bytes.Buffer
	lines wordsOf
}

func (t *tail) Write(p []byte) (int, error) {
	n, err := t.lines.Write(p)
	t.kept.Write(p)
	if over := t.kept.Len() - t.limit; over > 0 {
		t.kept.Next(over)
	}
	return n, err
}

func (t *tail) String() string {
	t.lines.flush()
	return strings.ToValidUTF8(t.kept.String(), "�")
}
