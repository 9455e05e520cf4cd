package worktree

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"

	"moorage/workspace"
)

// Answer is what a probe found out.
type Answer int8

// The answers. The zero value is Unknown: it could not be looked at.
const (
	Unknown Answer = iota
	No
	Yes
)

func (a Answer) String() string { return [...]string{"unknown", "no", "yes"}[a] }

// answer is a fact that was looked at.
func answer(yes bool) Answer {
	if yes {
		return Yes
	}
	return No
}

const (
	maxOutput = 64 << 20        // bytes of git's output that are read; more is an error
	endGrace  = 3 * time.Second // from asking git to end until it is killed
	// cleanLimit bounds what is done after a failure or a cancelled context.
	cleanLimit = 30 * time.Second
)

// git is one way to call git: where, and with what beside the clean environment.
type git struct {
	dir      string
	env      []string
	still    bool // git believes nobody's word on what has changed, and starts nothing that stays
	stdin    io.Reader
	progress func(string)      // each line that git writes for people, cleaned
	shown    *strings.Replacer // what is shown instead of names in these lines; nil for what git writes
}

// with returns g with more environment.
func (g git) with(env ...string) git {
	g.env = append(append([]string(nil), g.env...), env...)
	return g
}

// reading returns the input that git is fed.
func (g git) reading(input string) git {
	g.stdin = strings.NewReader(input)
	return g
}

// quiet are the options of calls that run none of the user's hooks and write through to the disk.
var quiet = []string{"-c", "core.hooksPath=/dev/null", "-c", "core.fsync=all", "-c", "core.fsyncMethod=fsync"}

// failure is a git that did not do what it was called for.
type failure struct {
	coded error // with a workspace.Code
	cause error
	exit  int // -1 when it never ran or was killed
	words string
}

func (f *failure) Error() string   { return f.coded.Error() }
func (f *failure) Unwrap() []error { return []error{f.coded, f.cause} }

// exitOf is the exit code of the git behind err, -1 when there was none.
func exitOf(err error) int {
	if f, ok := errors.AsType[*failure](err); ok {
		return f.exit
	}
	return -1
}

// said reports whether the git behind err complained in these words.
func said(err error, words string) bool {
	f, ok := errors.AsType[*failure](err)
	return ok && strings.Contains(f.words, words)
}

// oldGit reports whether err is an older git that does not know an option or a form of a command.
func oldGit(err error) bool { return exitOf(err) == 129 }

// text calls git and returns its output without the newline at the end.
func (g git) text(ctx context.Context, args ...string) (string, error) {
	out, err := g.run(ctx, args...)
	return strings.TrimSuffix(string(out), "\n"), err
}

// ask calls a git that answers by its exit code: 0 yes, 1 no.
func (g git) ask(ctx context.Context, args ...string) (Answer, error) {
	_, err := g.run(ctx, args...)
	switch {
	case err == nil:
		return Yes, nil
	case exitOf(err) == 1:
		return No, nil
	}
	return Unknown, err
}

// run calls git and returns what it wrote to its output.
func (g git) run(ctx context.Context, args ...string) ([]byte, error) {
	out := &bounded{limit: maxOutput}
	err := g.stream(ctx, out, args...)
	if err == nil && out.over {
		err = g.fail(args, -1, "", fmt.Errorf("more than %d MiB of output", maxOutput>>20))
	}
	return out.buf.Bytes(), err
}

// stream calls git with its output going to out.
func (g git) stream(ctx context.Context, out io.Writer, args ...string) error {
	path, err := exec.LookPath("git")
	if err != nil {
		return g.fail(args, -1, "", err)
	}
	options := []string{"--no-pager", "-c", "core.quotepath=off", "-c", "color.ui=false"}
	if g.still {
		options = append(options, "-c", "core.fsmonitor=false")
	}
	cmd := exec.CommandContext(ctx, path, append(options, args...)...)
	cmd.Dir = g.dir
	cmd.Env = append(cleanEnv(os.Environ()), g.env...)
	cmd.Stdin, cmd.Stdout = g.stdin, out
	words := &wordsOf{progress: g.progress, shown: g.shown}
	cmd.Stderr = words
	ownGroup(cmd)
	cmd.WaitDelay = endGrace
	err = cmd.Run()
	words.flush()
	if err == nil {
		return nil
	}
	exit := -1
	if e, ok := errors.AsType[*exec.ExitError](err); ok && ctx.Err() == nil {
		exit = e.ExitCode()
	}
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return g.fail(args, exit, strings.Join(words.kept, "\n"), err)
}

// fail makes the error of a call.
func (g git) fail(args []string, exit int, words string, cause error) error {
	verb := verbOf(args)
	f := &failure{cause: cause, exit: exit, words: words}
	_, away := os.Stat(g.dir)
	switch {
	case errors.Is(cause, exec.ErrNotFound):
		f.coded = workspace.Fail(workspace.CodeGitAbsent, "install git and put it on the PATH that moorage is started with", "git %s: no git on the PATH", verb)
	case exit < 0 && errors.Is(away, fs.ErrNotExist):
		f.coded = workspace.Fail(workspace.CodeDirGone, "make the directory again, or remove what points to it", "git %s: %s: %v", verb, Display(g.dir), errors.Unwrap(away))
	case strings.Contains(words, "not a git repository (or any"):
		f.coded = workspace.Fail(workspace.CodeNotRepository, "run `git init` there, or name another directory", "git %s: %s is in no git repository", verb, Display(g.dir))
	case strings.Contains(words, ".lock': File exists"), strings.Contains(words, "cannot lock ref"):
		f.coded = workspace.Fail(workspace.CodeBusy, "wait for the other git to end; if none runs, remove the lock file that it names", "git %s: %s", verb, reasons(words))
	case words == "":
		f.coded = workspace.Fail(workspace.CodeGitFailed, "run the same git by hand in "+Display(g.dir), "git %s: %v", verb, cause)
	default:
		f.coded = workspace.Fail(workspace.CodeGitFailed, "run the same git by hand in "+Display(g.dir), "git %s: %s", verb, reasons(words))
	}
	return f
}

// verbOf is git's own command among args.
func verbOf(args []string) string {
	for i := 0; i < len(args); i++ {
		if args[i] == "-c" {
			i++
		} else if !strings.HasPrefix(args[i], "-") {
			return args[i]
		}
	}
	return ""
}

// inherited are the variables of git that a call inherits: who the user is, how to reach remotes, and where the configuration lies.
// All others would point it at another repository, index or format than the one it is called for.
var inherited = []string{
	"GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL", "GIT_SSH", "GIT_SSH_COMMAND", "GIT_SSH_VARIANT",
	"GIT_ASKPASS", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_EXEC_PATH", "GIT_ALLOW_PROTOCOL",
	"GIT_SSL_NO_VERIFY", "GIT_SSL_CAINFO", "GIT_SSL_CAPATH", "GIT_SSL_CERT", "GIT_SSL_KEY", "GIT_PROXY_COMMAND", "GIT_PROXY_SSL_CAINFO",
}

// cleanEnv is the environment that git gets from ours.
func cleanEnv(env []string) []string {
	clean := make([]string, 0, len(env)+4)
	for _, line := range env {
		name, _, _ := strings.Cut(line, "=")
		if name == "LANGUAGE" || strings.HasPrefix(name, "LC_") || strings.HasPrefix(name, "GIT_") && !slices.Contains(inherited, name) {
			continue
		}
		clean = append(clean, line)
	}
	return append(clean, "LC_ALL=C", "GIT_TERMINAL_PROMPT=0")
}

// looking is a git that only looks: it takes no lock that could disturb the user's own.
func looking(dir string) git {
	return git{dir: dir, env: []string{"GIT_OPTIONAL_LOCKS=0"}, still: true}
}

// bounded keeps the first bytes and takes the rest without keeping it.
type bounded struct {
	buf   bytes.Buffer // not embedded: its ReadFrom would know no limit
	limit int
	over  bool
}

func (b *bounded) Write(p []byte) (int, error) {
	if room := b.limit - b.buf.Len(); len(p) > room {
		b.over = true
		b.buf.Write(p[:room])
		return len(p), nil
	}
	return b.buf.Write(p)
}

// records splits NUL-terminated output.
func records(out []byte) []string {
	s := strings.TrimSuffix(string(out), "\x00")
	if s == "" {
		return nil
	}
	return strings.Split(s, "\x00")
}

// exists looks for anything at path, without following a link.
func exists(path string) (Answer, error) {
	_, err := os.Lstat(path)
	switch {
	case err == nil:
		return Yes, nil
	case errors.Is(err, fs.ErrNotExist):
		return No, nil
	}
	return Unknown, err
}

// isNotDir reports whether a path goes through a file.
func isNotDir(err error) bool { return errors.Is(err, syscall.ENOTDIR) }
