//go:build unix

package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// prompts are what reached an engine, in order.
func (in *instance) prompts() (all []string) {
	in.t.Helper()
	for line := range strings.Lines(in.file("prompts")) {
		var text string
		if err := json.Unmarshal([]byte(line), &text); err != nil {
			in.t.Fatal(err)
		}
		all = append(all, text)
	}
	return all
}

// gets waits for the engine's n-th prompt, and compares it.
func (in *instance) gets(n int, want string) {
	in.t.Helper()
	in.eventually("the prompt is there", func() bool { return len(in.prompts()) >= n })
	if all := in.prompts(); len(all) != n || all[n-1] != want {
		in.t.Fatalf("%d prompts, the last of %d bytes: %.80q; want %d of %d: %.80q", len(all), len(all[len(all)-1]), all[len(all)-1], n, len(want), want)
	}
}

// typed waits until a person's typing has reached a tab.
func (in *instance) typed(tab string) {
	in.t.Helper()
	in.eventually("it is typed", func() bool {
		var r struct{ Typed string }
		in.api(&r, "peek", tab)
		return r.Typed != ""
	})
}

func TestAPromptThatIsWrittenHereIsSentWholeOnce(t *testing.T) {
	in := start(t)
	in.engines("export FAKE_BOOT=20")
	in.allowHooks()
	dir := in.project("p")
	if err := os.WriteFile(filepath.Join(dir, "notes é.txt"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	task := in.addTask(dir, "--", "claude")
	c := in.attach(100, 30, "-o", "SetEnv=MOORAGE_OPEN="+task)
	c.sees("claude")
	// While it boots: it waits for it.
	c.send("\x01e")
	c.sees("To ")
	c.send("say one\x0aand two, of @not")
	c.sees("notes é.txt")
	c.send("\t\r")
	in.gets(1, "say one\nand two, of @notes é.txt ")
	c.sees("the engine shows it")
	// A paste of 100 KiB, with what would end a paste: it is text here.
	long := strings.Repeat("ä long line 日本 \r\n", 5000) + "end"
	c.send("\x01e")
	c.sees("Enter: send")
	c.send("\x1b[200~" + long + "\x1b[201~")
	c.sees("end")
	c.send("\x1b[200~ of it \x1b[201\x1b[201~\r")
	want := strings.ReplaceAll(long, "\r\n", "\n") + " of it [201"
	in.gets(2, want)
	// The last but one again.
	c.send("\x01e")
	c.sees("Enter: send")
	c.send("\x1b[A")
	c.send(strings.Repeat("\x1b[A", 5001))
	c.sees("say one")
	c.send("!\r")
	in.gets(3, "say one\nand two, of @notes é.txt !")
	// A draft stays with its tab, and is nobody else's.
	c.send("\x01e")
	c.sees("Enter: send")
	c.send("a draft")
	c.sees("a draft")
	c.send("\x1b")
	c.losesSight("a draft")
	other := in.attach(90, 25, "-o", "SetEnv=MOORAGE_OPEN="+task)
	other.sees("claude is ready")
	other.send("\x01e")
	other.sees("Enter: send")
	if strings.Contains(other.screen(), "a draft") {
		t.Error("another client sees the draft")
	}
	other.send("\x1b")
	// Its own typing is in nobody's way; somebody else's is: it is refused then, and the draft is kept.
	c.send("x\x01e")
	c.sees("a draft")
	c.send(" of mine\r")
	in.gets(4, "xa draft of mine")
	c.send("\x01e")
	c.sees("Enter: send")
	c.send("a draft\x1b")
	c.losesSight("Enter: send")
	other.losesSight("Enter: send")
	other.send("x")
	in.typed(task + "/tab-1")
	c.send("\x01e")
	c.sees("a draft")
	c.send("\r")
	c.sees("not sent, the draft is kept: somebody types")
	// The engine is gone, and a shell is there: it runs nothing.
	c.send("\x03\x03")
	c.atPrompt()
	c.send("\x01e")
	c.sees("a draft")
	c.send("\x15touch ran\r")
	c.sees("has ended")
	c.losesSight("Enter: send")
	c.run("ls; echo l" + `"isted"`)
	c.sees("listed")
	if _, err := os.Stat(filepath.Join(dir, "ran")); err == nil {
		t.Error("a shell ran a prompt")
	}
	if n := len(in.prompts()); n != 4 {
		t.Errorf("%d prompts arrived", n)
	}
}

func TestAnEngineThatShowsNothingIsToldOf(t *testing.T) {
	in := start(t)
	in.engines("export FAKE_ECHO=never")
	in.allowHooks()
	task := in.addTask(in.project("p"), "--", "claude")
	in.engineRuns(task, "tab-1")
	var sent struct {
		Bytes int
		Echo  string
	}
	in.api(&sent, "send", "--task-id", task, "--prompt", "say it")
	if sent.Bytes != 6 || sent.Echo != "no" {
		t.Errorf("%+v", sent)
	}
	in.gets(1, "say it")
}
