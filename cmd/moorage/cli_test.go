package main

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"

	"moorage/persistence"
	"moorage/sshd"
)

// line runs one command line as it would come over SSH, in a home of its own.
func line(t *testing.T, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	t.Setenv(persistence.HomeVariable, t.TempDir())
	var out, errs bytes.Buffer
	env := Env{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Dir: "/", Remote: true}
	status = Run(t.Context(), env, args)
	return status, out.String(), errs.String()
}

func TestACommandLineThatMakesNoSenseExits2(t *testing.T) {
	for _, args := range [][]string{
		{"status", "extra"}, {"status", "--nope"}, {"version", "extra"}, {"nonsense"}, {"serve"}, {"stop"}, {}, {"restore", ""}, {"report", ""},
	} {
		status, stdout, stderr := line(t, args...)
		if status != exitUsage || stdout != "" || !strings.HasPrefix(stderr, "moorage: ") {
			t.Errorf("%q: status %d, stdout %q, stderr %q", args, status, stdout, stderr)
		}
	}
}

func TestTheAPISaysWhatIsWrongInJSON(t *testing.T) {
	for _, c := range []struct {
		args   []string
		status int
		code   string
	}{
		{[]string{"api", "nonsense"}, exitUsage, "usage"},
		{[]string{"api", "list", "--nope"}, exitUsage, "usage"},
		{[]string{"api", "read-screen"}, exitUsage, "usage"},
		{[]string{"api", "add", ""}, exitUsage, "usage"},
		{[]string{"api", "add", "--project", ""}, exitUsage, "usage"},
		{[]string{"api", "adopt", "p", ""}, exitUsage, "usage"},
		{[]string{"api", "send-keys", "01JDABCDEFGHJKMNPQRSTVWXYZ/tab-1/pane-1", ""}, exitUsage, "usage"},
		{[]string{"api", "read-screen", "01JDABCDEFGHJKMNPQRSTVWXYZ/tab-1/pane-1"}, exitFailed, "host_away"},
	} {
		status, stdout, stderr := line(t, c.args...)
		var got struct {
			Error struct{ Code, Message, Next string }
		}
		err := json.Unmarshal([]byte(stdout), &got)
		if status != c.status || err != nil || got.Error.Code != c.code || got.Error.Message == "" || got.Error.Next == "" || stderr != "" {
			t.Errorf("%q: status %d, %v, %+v, stderr %q", c.args, status, err, got, stderr)
		}
	}
}

func TestLookingStartsNothing(t *testing.T) {
	for _, args := range [][]string{{"status", "--json"}, {"api", "pty-list"}} {
		if status, stdout, stderr := line(t, args...); status != exitDone || !json.Valid([]byte(stdout)) {
			t.Errorf("%q: status %d, stdout %q, stderr %q", args, status, stdout, stderr)
		}
		_, stdout, _ := line(t, "status", "--json")
		if strings.Contains(stdout, `"up"`) {
			t.Errorf("after %q: %s", args, stdout)
		}
	}
}

func TestAnErrorReadsAsOnePath(t *testing.T) {
	for text, want := range map[string]string{
		`tab-2 of "p" was added: start T/tab-2/pane-1: start session T/tab-2/pane-1: start: /nope: directory gone`: `tab-2 of "p" was added: start session T/tab-2/pane-1: /nope: directory gone`,
		"start T: stop T: no":        "start T: stop T: no",
		"start a: start b: no":       "start a: start b: no",
		"a: a: a":                    "a",
		"open x: is a directory: is": "open x: is a directory",
		"":                           "", "one": "one", "one: ": "one: ",
	} {
		if got := onePath(text); got != want {
			t.Errorf("%q reads %q, want %q", text, got, want)
		}
	}
}

func TestKeysAreSentAsAnXtermWould(t *testing.T) {
	for name, want := range map[string]string{
		"Enter": "\r", "C-c": "\x03", "^D": "\x04", "C-[": "\x1b", "C-Space": "\x00", "C-?": "\x7f", "M-x": "\x1bx", "M-é": "\x1bé",
		"M-Enter": "\x1b\r", "M-C-c": "\x1b\x03", "Up": "\x1b[A", "F5": "\x1b[15~", "BTab": "\x1b[Z",
	} {
		if got, ok := keyBytes(name); !ok || got != want {
			t.Errorf("%s is %q, %v; want %q", name, got, ok, want)
		}
	}
	for _, text := range []string{"enter", "hello", "C-", "C-cc", "M-", "M-xy", "^", "F13", ""} {
		if got, ok := keyBytes(text); ok {
			t.Errorf("%q is the key %q", text, got)
		}
	}
}

func TestWordsThatAreNoKeysAreText(t *testing.T) {
	env := Env{Stdin: strings.NewReader("from\nstdin")}
	for _, c := range []struct {
		literal, stdin bool
		want           string
	}{{false, false, "echo hi\r"}, {true, false, "echo hiEnter"}, {false, true, "from\nstdin"}} {
		got, err := keysToSend(env, []string{"echo hi", "Enter"}, c.literal, c.stdin)
		if err != nil || string(got) != c.want {
			t.Errorf("%+v: %q, %v", c, got, err)
		}
	}
	if _, err := keysToSend(Env{Stdin: io.LimitReader(endless{}, maxStdin+1)}, nil, false, true); err == nil {
		t.Error("more than a session takes was read")
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

func TestTheSSHBlockIsWrittenOnceAndFirst(t *testing.T) {
	const block = blockBegin + "\nHost moorage\n" + blockEnd + "\n"
	const mine = "Host *\n    User me\n"
	first, err := withBlock(mine, block)
	if err != nil || first != block+"\n"+mine {
		t.Fatalf("got %q, %v", first, err)
	}
	newer := strings.Replace(block, "Host moorage", "Host moorage new", 1)
	second, err := withBlock("# top\n"+first, newer)
	if err != nil || second != "# top\n"+newer+"\n"+mine {
		t.Errorf("got %q, %v", second, err)
	}
	if empty, err := withBlock("", block); err != nil || empty != block {
		t.Errorf("got %q, %v", empty, err)
	}
	if _, err := withBlock(blockBegin+"\nHost moorage\n"+mine, block); err == nil {
		t.Error("a block without an end was replaced")
	}
}

func TestPathsWithBlanksAndPercentsReachSSHWhole(t *testing.T) {
	home, err := persistence.OpenHome(t.TempDir() + "/it's 100% mine")
	if err != nil {
		t.Fatal(err)
	}
	args, err := sshArgs(home, sshd.Keys{KnownHosts: home.Path("known hosts"), ClientKey: home.Path("key")}, "TASK")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`it'\''s 100%% mine' '`, `UserKnownHostsFile="`, `100%% mine/known hosts"`, "SetEnv=MOORAGE_OPEN=TASK"} {
		if !slices.ContainsFunc(args, func(a string) bool { return strings.Contains(a, want) }) {
			t.Errorf("%q is not in %q", want, args)
		}
	}
	if args[0] != "ssh" || args[len(args)-1] != sshd.HostAlias {
		t.Errorf("got %q", args)
	}
}
