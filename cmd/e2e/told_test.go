//go:build unix

package e2e

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// osc9 are the texts that a client was told, and all of them outside frames.
func (c *client) osc9() (texts []string) {
	c.t.Helper()
	raw := c.sentBytes()
	if at := insideFrame(raw, []byte("\x1b]9;")); at >= 0 {
		c.t.Errorf("told inside a frame: %.60q", raw[at:])
	}
	for _, m := range regexp.MustCompile(`\x1b\]9;([^\x07\x1b]*)(\x07|\x1b\\)`).FindAllSubmatch(raw, -1) {
		texts = append(texts, string(m[1]))
	}
	if n := bytes.Count(raw, []byte("\x1b]9;")); n != len(texts) {
		c.t.Errorf("of %d notifications %d are whole", n, len(texts))
	}
	return texts
}

// answers waits until the client has taken all that was typed, and typing reaches no program for it.
func (c *client) answers() {
	c.t.Helper()
	c.send("\x01b")
	c.sees("How this client is told")
	c.send("\x1b")
	c.losesSight("How this client is told")
}

// told is what the inbox says of who was told of a tab's newest item.
type told struct {
	Kind    string   `json:"kind"`
	Text    string   `json:"text"`
	Told    int      `json:"told"`
	Looking int      `json:"looking"`
	Lookers []string `json:"lookers"`
}

func (in *instance) told(task, tab string) (newest told) {
	in.t.Helper()
	var r struct{ Inbox, Recent []told }
	in.api(&r, "inspect", task+"/"+tab)
	for _, list := range [][]told{r.Inbox, r.Recent} {
		if len(list) > 0 {
			return list[0]
		}
	}
	return newest
}

func TestOfThreeClientsTwoAreTold(t *testing.T) {
	in := start(t)
	in.engines()
	in.allowHooks()
	task := in.addTask(in.project("p"), "--", "claude")
	in.engineRuns(task, "tab-1")
	other := in.addTask(in.project("q"))
	looking := in.attach(100, 30, "-o", "SetEnv=MOORAGE_OPEN="+task)
	looking.sees("claude is ready")
	elsewhere := in.attach(90, 25, "-o", "SetEnv=MOORAGE_OPEN="+other)
	elsewhere.atPrompt()
	away := in.attach(120, 40, "-o", "SetEnv=MOORAGE_OPEN="+task)
	away.sees("claude is ready")
	away.send("\x1b[O")        // its window has lost the focus;
	away.send("\x1b[<2;30;1M") // a menu says that it was heard, and the pointer brings no focus back
	away.sees("relaunch policy")
	in.types(task, "tab-1", "perm")
	const want = "p / ✳ Claude Code: approve Bash: touch x"
	for _, c := range []*client{elsewhere, away} {
		eventually(t, "it is told", func() bool { return len(c.osc9()) == 1 }, func() string { return fmt.Sprintf("%q", c.osc9()) })
		if got := c.osc9()[0]; !strings.HasPrefix(got, "p / ") || !strings.HasSuffix(got, ": approve Bash: touch x") {
			t.Errorf("told %q, not %q", got, want)
		}
	}
	var r told
	in.eventually("the inbox knows", func() bool {
		r = in.told(task, "tab-1")
		return r.Told == 2 && r.Looking == 1
	})
	if len(r.Lookers) != 1 || r.Lookers[0] == "" || r.Kind != "needs_input" {
		t.Errorf("%+v", r)
	}
	looking.answers()
	if got := looking.osc9(); len(got) != 0 {
		t.Errorf("who looks is told %q", got)
	}
	out, err := in.cli("inbox", "--json")
	if err != nil || !strings.Contains(out, `"told": 2`) || !strings.Contains(out, `"looking": 1`) || !strings.Contains(out, `"lookers"`) {
		t.Errorf("inbox --json: %v\n%s", err, out)
	}
	// Nobody is attached: only the inbox hears of it.
	for _, c := range []*client{looking, elsewhere, away} {
		_ = c.cmd.Process.Kill()
		c.gone()
	}
	in.types(task, "tab-1", "")
	in.becomes(task, "tab-1", "finished")
	in.types(task, "tab-1", "fail")
	in.becomes(task, "tab-1", "error")
	if got := in.pendingOf(task, "tab-1"); got != "failed" {
		t.Errorf("pending: %q", got)
	}
	later := in.attach(90, 25, "-o", "SetEnv=MOORAGE_OPEN="+other)
	later.atPrompt()
	later.echoes(1)
	if got := later.osc9(); len(got) != 0 {
		t.Errorf("who comes later is told %q", got)
	}
	if r := in.told(task, "tab-1"); r.Told != 0 || r.Looking != 0 {
		t.Errorf("%+v", r)
	}
}

func TestWhatProgramsCallIsCleanAndFew(t *testing.T) {
	in := start(t)
	dir := in.project("p")
	task := in.addTask(dir)
	other := in.addTask(in.project("q"))
	c := in.attach(100, 30, "-o", "SetEnv=MOORAGE_OPEN="+other)
	c.atPrompt()
	// Control characters within a sequence are none of its text, as in any terminal; an ESC ends it.
	for i, tc := range []struct{ text, want string }{
		{"done ✓", "done ✓"},
		{"a\x1b[31mb", ""},
		{"a\u009b31mb\u009dx", "a31mbx"},
		{"a\nb\tc", "abc"},
		{"a\u202eb\u2066c\u200fd", "abcd"},
		{"4x is no progress", " 4x is no progress"},
		{strings.Repeat("é", 5<<10), strings.Repeat("é", 100)},
	} {
		name := fmt.Sprintf("call%d", i)
		if err := os.WriteFile(filepath.Join(dir, name), []byte("\x1b]9;"+tc.text+"\x1b\\"), 0o600); err != nil {
			t.Fatal(err)
		}
		told := c.osc9()
		in.api(nil, "send-keys", task+"/tab-1", "--literal", "clear; cat "+name+"; echo th\"ere\"\n")
		in.eventually("it is written", func() bool {
			var r struct{ Lines []string }
			in.api(&r, "read-screen", task+"/tab-1")
			return strings.Contains(strings.Join(r.Lines, "\n"), "there")
		})
		if tc.want != "" {
			told = append(told, tc.want)
		}
		eventually(t, tc.want, func() bool { return slices.Equal(c.osc9(), told) }, func() string { return fmt.Sprintf("%q", c.osc9()) })
	}
	if r := in.told(task, "tab-1"); r.Kind != "called" {
		t.Errorf("the inbox has %+v", r)
	}
	// A thousand and more of them at once.
	before := len(c.osc9())
	began := time.Now()
	in.api(nil, "send-keys", task+"/tab-1", "--literal", `i=0; while [ $i -lt 3000 ]; do printf '\033]9;flood %d\a\a' $i; i=$((i+1)); done; echo`+"\n")
	in.eventually("the last is told", func() bool { all := c.osc9(); return all[len(all)-1] == "flood 2999" })
	if n, most := len(c.osc9())-before, 2+int(time.Since(began)/time.Second); n > most {
		t.Errorf("%d notifications of a flood of %v", n, time.Since(began))
	}
	// Opening the tab takes it out of the inbox.
	c.send("\x01/p\r")
	in.eventually("nothing waits", func() bool { return in.pendingOf(task, "tab-1") == "" })
}

func TestWhatIsCalledWhileTheDaemonIsAwayIsInTheInboxOnly(t *testing.T) {
	in := start(t)
	in.engines()
	in.allowHooks()
	dir := in.project("p")
	task := in.addTask(dir, "--", "sh", "-c", `while [ ! -e go ]; do sleep 0.1; done; printf '\033]9;missed\a'; read x; printf '\033]9;heard\a'; read x`)
	asks := in.addTab(task, "--", "claude")
	in.engineRuns(task, asks)
	other := in.addTask(in.project("q"))
	c := in.attach(100, 30, "-o", "SetEnv=MOORAGE_OPEN="+other)
	c.atPrompt()
	in.types(task, asks, "slow 5")
	in.becomes(task, asks, "working")
	// The front would have another daemon started at once.
	if err := in.server.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	fallen := in.signal("daemon", syscall.SIGKILL)
	in.eventually("it is gone", func() bool { return !runs(fallen) })
	if err := os.WriteFile(filepath.Join(dir, "go"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	in.eventually("both have come to it", func() bool {
		out, err := in.cli("api", "pty-list")
		return err == nil && strings.Contains(out, `"text": "missed"`) && strings.Contains(out, `"state": "done"`)
	})
	if err := in.server.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	in.eventually("the inbox has both", func() bool { return in.pendingOf(task, "tab-1") == "called" && in.pendingOf(task, asks) == "finished" })
	in.becomes(task, asks, "finished")
	in.types(task, "tab-1", "")
	eventually(t, "the next is told", func() bool { return slices.Contains(c.osc9(), "heard") }, func() string { return fmt.Sprintf("%q", c.osc9()) })
	if slices.Contains(c.osc9(), "missed") {
		t.Errorf("told %q", c.osc9())
	}
}

func TestAClientIsToldAsItWants(t *testing.T) {
	in := start(t, "[notify]", `form = "osc777"`)
	task := in.addTask(in.project("p"))
	other := in.addTask(in.project("q"))
	call := func(text string) {
		in.api(nil, "send-keys", task+"/tab-1", "--literal", `printf '\033]9;`+text+`\a'`+"\n")
	}
	open := func(more string) *client {
		c := in.attach(100, 30, "-o", "SetEnv=MOORAGE_OPEN="+other+more)
		c.atPrompt()
		c.echoes(1)
		return c
	}
	a, b, off := open(""), open(" MOORAGE_NOTIFY=osc99"), open(" MOORAGE_NOTIFY=off")
	call("first")
	for c, want := range map[*client]string{a: "\x1b]777;notify;p / shell;first\x1b\\", b: "p=body;first\x1b\\"} {
		eventually(t, want, func() bool { return bytes.Contains(c.sentBytes(), []byte(want)) }, nil)
	}
	a.send("\x01b5") // the bell, from now on
	a.sees("told by bell")
	n := bytes.Count(a.sentBytes(), []byte("\a"))
	call("second")
	eventually(t, "a bell", func() bool { return bytes.Count(a.sentBytes(), []byte("\a")) == n+1 }, nil)
	eventually(t, "the other's form", func() bool { return bytes.Contains(b.sentBytes(), []byte("p=body;second\x1b\\")) }, nil)
	for _, form := range []string{"]9;", "]99;", "]777;"} {
		if bytes.Contains(off.sentBytes(), []byte("\x1b"+form)) {
			t.Errorf("who wants nothing gets %s", form)
		}
	}
	// It is remembered of the key, unless a connection says otherwise.
	c := open("")
	n = bytes.Count(c.sentBytes(), []byte("\a"))
	call("third")
	eventually(t, "a bell", func() bool { return bytes.Count(c.sentBytes(), []byte("\a")) == n+1 }, nil)
	if bytes.Contains(c.sentBytes(), []byte("third")) {
		t.Error("told in two forms")
	}
	bad := in.attach(100, 30, "-o", "SetEnv=MOORAGE_OPEN="+other+" MOORAGE_NOTIFY=loud")
	bad.sees(`"loud" is no form of notification`)
}

// attachInTmux attaches a client that sits in a tmux of its own; what is followed is the terminal around that.
func (in *instance) attachInTmux(task string, settings ...string) *client {
	in.t.Helper()
	name := fmt.Sprintf("moorage-e2e-%d-%d", os.Getpid(), in.port)
	conf := filepath.Join(in.user, "tmux.conf")
	if err := os.WriteFile(conf, []byte(strings.Join(settings, "\n")+"\n"), 0o600); err != nil {
		in.t.Fatal(err)
	}
	args := append([]string{"-L", name, "-f", conf, "new-session", "ssh", "-tt"}, in.sshArgs("-o", "SetEnv=MOORAGE_OPEN="+task)...)
	cmd := exec.Command("tmux", args...)
	cmd.Env = append(append([]string(nil), in.env...), "TERM=xterm-256color")
	in.t.Cleanup(func() { _ = exec.Command("tmux", "-L", name, "kill-server").Run() })
	return newClient(in.t, cmd, 100, 30)
}

func TestInATmuxItIsPassedOnWhenAsked(t *testing.T) {
	in := start(t, "[notify]", "tmux = true")
	task := in.addTask(in.project("p"))
	other := in.addTask(in.project("q"))
	c := in.attachInTmux(other, "set -g allow-passthrough on")
	c.sees("q")
	c.atPrompt()
	in.api(nil, "send-keys", task+"/tab-1", "--literal", `printf '\033]9;through ✓\a'`+"\n")
	eventually(t, "the terminal around it is told", func() bool {
		texts := c.osc9()
		return len(texts) == 1 && texts[0] == "through ✓"
	}, func() string { return fmt.Sprintf("%q", c.osc9()) })
}

func TestMistakesInTheSettingsAreShown(t *testing.T) {
	in := start(t, "[keys]", `back = "ctrl+nonsense"`, `zoom = "alt+z"`, `nonsense = "f12"`)
	c := in.attach(100, 30)
	c.sees("keys.back")
	c.sees("keys.nonsense: no such action")
	for _, verb := range []string{"status", "doctor"} {
		out, _ := in.cli(verb)
		if !strings.Contains(out, "keys.back") || !strings.Contains(out, "keys.nonsense") {
			t.Errorf("%s says nothing of it:\n%s", verb, out)
		}
	}
	c.atPrompt()
	c.send("\x1c") // a split
	c.seesMatch(`│\$ *│\$`)
	c.send("\x1bz") // the one without a mistake holds
	c.sees("zoom")
	c.send("\x01\x1b") // the toasts go
	c.losesSight("keys.back")
}
