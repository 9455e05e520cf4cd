//go:build unix

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestWhatIsTypedAfterAskingForAPaneGoesToThatPane(t *testing.T) {
	t.Parallel()
	in := start(t)
	c := in.attach(140, 40).ready()
	// In one piece: nothing can have been opened before the rest arrives.
	c.send("\x1ctty > right\r")
	c.send("\x14tty > tab\r")
	c.send("\x14\x14tty > last\r")
	in.eventually("five sessions and three answers", func() bool {
		return len(in.sessions()) == 5 && in.fileHas("right", "pts") && in.fileHas("tab", "pts") && in.fileHas("last", "pts")
	})
	first := in.ttyOf("tab-1/pane-1")
	right, tab, last := in.ttyOf("tab-1/pane-2"), in.ttyOf("tab-2/pane-1"), in.ttyOf("tab-4/pane-1")
	if !in.fileHas("right", right) || !in.fileHas("tab", tab) || !in.fileHas("last", last) {
		t.Errorf("typed into %q, %q, %q; want %s, %s, %s and never %s",
			in.file("right"), in.file("tab"), in.file("last"), right, tab, last, first)
	}
}

// listens runs a program that shows what it reads, byte by byte, after it has
// printed something, and waits until it does.
func (v *view) listens(print string) {
	v.t.Helper()
	v.run(`clear; stty raw -echo; printf '` + print + `listening\r\n'; cat -v`)
	v.seesMatch(`│listening`)
}

// B25, B27: a sequence or a character that arrives in pieces is one; only an
// ESC that stays alone is a key.
func TestASequenceInPiecesIsOneSequence(t *testing.T) {
	t.Parallel()
	in := start(t)
	c := in.attach(100, 30).ready()
	c.listens("")
	// Behind an ESC that was taken for a key an arrow is still an arrow, and
	// never the text "[A".
	for i, pieces := range [][]string{
		{"\x1b", "[A"}, {"\x1b[", "A"}, {"\x1b[1;", "5", "C"}, {"\x1b[<0;40", ";10M"},
	} {
		for _, p := range pieces {
			c.send(p)
			time.Sleep(100 * time.Millisecond) // the case itself: a slow link
		}
		c.send(fmt.Sprintf("=%d=", i))
	}
	c.sees("=3=")
	if got, want := c.paneLine("=3="), "^[^[[A=0=^[[A=1=^[[1;5C=2==3="; got != want {
		t.Errorf("the program read %q, want %q", got, want)
	}
	c.send("\r\xe2\x9c")
	time.Sleep(120 * time.Millisecond)
	c.send("\x93.")
	c.sees("M-bM-^\\M-^S.")
	c.send("\r\x1b")
	c.seesMatch(`\^M\^\[$`) // alone, it does not wait for company
}

// paneLine is the pane's row that contains text.
func (v *view) paneLine(text string) string {
	v.t.Helper()
	for _, l := range v.lines() {
		if strings.Contains(l, text) {
			_, right, _ := strings.Cut(l, "│")
			return strings.TrimSpace(right)
		}
	}
	return ""
}

// B29: Escape and a key, however fast, are not Meta.
func TestEscapeAndAFastKeyStayApartForVim(t *testing.T) {
	t.Parallel()
	in := start(t)
	for _, apart := range []time.Duration{5 * time.Millisecond, 80 * time.Millisecond} {
		t.Run(apart.String(), func(t *testing.T) {
			c := in.attach(100, 30).ready()
			c.run("clear; vim -u NONE -N -n")
			c.sees("~")
			c.send("ifirst\rsecond")
			c.sees("second")
			c.send("\x1b")
			time.Sleep(apart) // the case itself: a fast hand
			c.send("k0ix")
			c.sees("xfirst")
			c.send("\x1b")
			time.Sleep(apart)
			c.send(":q!\r")
			c.atPrompt()
			c.send("\x11\x11")
			c.gone()
		})
	}
}

// B30: a paste of any size never holds up output, other tabs or ctrl+c, and
// what nobody reads is refused, visibly.
func TestALargePasteHoldsNothingUp(t *testing.T) {
	t.Parallel()
	in := start(t)
	c := in.attach(100, 30).ready()
	line := strings.Repeat("x", 63) + "\n"
	c.run("clear; cat > big")
	in.eventually("cat runs", func() bool { _, err := os.Stat(filepath.Join(in.user, "big")); return err == nil })
	c.send("\x1b[200~" + strings.Repeat(line, 1<<14) + "\x1b[201~")
	in.eventually("all of it arrives", func() bool { return len(in.file("big")) == 1<<20 })
	c.send("\x04")
	c.atPrompt()
	if in.file("big") != strings.Repeat(line, 1<<14) {
		t.Error("it arrives changed")
	}

	// Nobody reads, more than the queue holds.
	c.run("clear; stty -icanon -echo; echo wait\"ing\"; sleep 1000")
	c.sees("waiting")
	b := in.attach(100, 30)
	b.sees("waiting")
	b.send("\x14")
	b.sees(" 2 shell")
	b.atPrompt()
	for range 10 {
		c.send("\x1b[200~" + strings.Repeat(line, 1<<14) + "\x1b[201~")
	}
	c.sees("not sent")
	b.echoes(2)
	c.send("\x03")
	c.atPrompt()
	c.run("stty sane; clear")
	c.echoes(1)
}

// B31: what is pasted cannot end the paste and type by itself.
func TestAPasteCannotBreakOutOfItsBrackets(t *testing.T) {
	t.Parallel()
	in := start(t)
	c := in.attach(100, 30).ready()
	c.run("bind 'set enable-bracketed-paste on'")
	c.atPrompt()
	c.listens(`\e[?2004h`)
	// All but the closing bracket itself, which a terminal must not send.
	c.send("\x1b[200~safe\x1b[20\x1b1~\u009b201~\x9b201~\x1b]0;title\a\rtouch pwn\r\x1b[201~;")
	c.sees("touch pwn")
	got := strings.Join(c.lines(), "")
	if n := strings.Count(got, "^[[201~"); n != 1 || strings.Contains(got, "M-^[") || !strings.Contains(got, "^[[200~safe") {
		t.Errorf("the program read\n%s", c.screen())
	}
}

// B32: a program that did not ask for brackets gets none, one that did gets
// one pair.
func TestPasteBracketsAreThoseThatTheProgramAskedFor(t *testing.T) {
	t.Parallel()
	in := start(t)
	c := in.attach(100, 30).ready()
	paste := "\x1b[200~" + strings.Repeat("line\n", 20000) + "\x1b[201~"
	for mode, want := range map[string]int{`\e[?2004l`: 0, `\e[?2004h`: 1} {
		os.Remove(filepath.Join(in.user, "o"))
		c.run(`clear; stty raw -echo; printf '` + mode + `listening ` + fmt.Sprint(want) + `\r\n'; head -c ` + fmt.Sprint(100000+12*want) + ` > o; stty sane; printf '\e[?2004l'`)
		c.seesMatch(`│listening ` + fmt.Sprint(want))
		c.send(paste)
		in.eventually("all of it", func() bool { return len(in.file("o")) == 100000+12*want })
		c.atPrompt()
		got := in.file("o")
		if strings.Count(got, "\x1b[200~") != want || strings.Count(got, "\x1b[201~") != want || strings.Count(got, "\x1b") != 2*want {
			t.Errorf("after %q the program got %d opening and %d closing brackets", mode, strings.Count(got, "\x1b[200~"), strings.Count(got, "\x1b[201~"))
		}
	}
}

// B34: shift+Enter reaches the program in the protocol that it asked for.
func TestShiftEnterComesInTheProgramsOwnProtocol(t *testing.T) {
	t.Parallel()
	in := start(t)
	c := in.attach(100, 30).ready()
	for ask, want := range map[string]string{
		"":         `^M`,
		`\e[>1u`:   `^[[13;2u`,
		`\e[>4;2m`: `^[[27;2;13~`,
	} {
		c.listens(ask)
		c.send("\x1b[13;2u.")
		c.sees(want + ".")
		c.send("\x14")
		c.losesSight("listening")
		c.atPrompt()
	}
}

// B38: the wheel goes to the program if it asked, else becomes arrows on the
// alternate screen, else scrolls back.
func TestTheWheelGoesWhereItIsMeant(t *testing.T) {
	t.Parallel()
	in := start(t)
	c := in.attach(100, 30).ready()
	const up, down = "\x1b[<64;40;10M", "\x1b[<65;40;10M"
	// Without t_RV it asks nothing whose answer may come when it has ended.
	c.run("clear; seq 1000 > n; vim -u NONE -N -n --cmd 'set t_RV=' n")
	c.seesMatch(`│1$`)
	c.send(down)
	c.send(down)
	c.send(":=\r") // prints the line number: the cursor has moved, the screen not scrolled
	c.send(":.=\r")
	c.sees("7") // two steps of three lines
	c.send(":q!\r")
	c.atPrompt()
	c.run("clear; less n")
	c.seesMatch(`│1$`)
	c.send(down)
	c.seesMatch(`│4$`)
	c.losesSight("│1 ")
	c.send("q")
	c.atPrompt()
	c.listens(`\e[?1000h\e[?1006h`)
	c.send(up)
	c.sees("^[[<64;17;9M") // in the pane's own coordinates
	c.send("\x14")
	c.losesSight("listening")
	c.atPrompt()
	c.run("clear; cat n")
	c.seesMatch(`│1000$`)
	c.send(up)
	c.seesMatch(`3/\d+ *$`)
	c.send(up)
	c.seesMatch(`6/\d+ *$`)
}

// B41: ctrl+q is ours even where the client's terminal has flow control on
// (ssh turns it off), and a program can be sent it all the same.
func TestCtrlQDetachesAndCanBeSentToAProgram(t *testing.T) {
	t.Parallel()
	in := start(t)
	c := in.attach(100, 30).ready()
	c.listens("")
	c.send("\x01q\x11.")
	c.sees("^Q.")
	c.send("\x11\x11")
	if status := c.gone(); status != 0 {
		t.Errorf("exit status %d", status)
	}
	other := start(t, "[keys]", `back = "ctrl+g"`)
	d := other.attach(100, 30).ready()
	d.listens("")
	d.send("\x11.")
	d.sees("^Q.")
	d.send("\x07\x07")
	if status := d.gone(); status != 0 {
		t.Errorf("exit status %d", status)
	}
}

// B42: many characters that are no paste are taken in runs, not one by one.
func TestTwoHundredThousandTypedCharactersAreQuick(t *testing.T) {
	t.Parallel()
	in := start(t)
	c := in.attach(100, 30).ready()
	c.run(`clear; stty raw -echo; echo listen"ing"; head -c 200000 > typed; stty sane`)
	c.sees("listening")
	from := time.Now()
	c.send(strings.Repeat("0123456789", 20000))
	in.eventually("all of it arrives", func() bool { return len(in.file("typed")) == 200000 })
	if took := time.Since(from); took > 20*time.Second {
		t.Errorf("it took %v", took)
	}
	if in.file("typed") != strings.Repeat("0123456789", 20000) {
		t.Error("it arrives changed")
	}
}

// A program that is killed leaves its shell a terminal that works: ctrl+c is
// ctrl+c again, and neither pointer nor paste are written its way.
func TestAKilledProgramLeavesAShellThatCanBeInterrupted(t *testing.T) {
	t.Parallel()
	in := start(t)
	c := in.attach(100, 30).ready()
	for i, modes := range []string{`\033[>1u`, `\033[>31u`, `\033[>4;2m`, `\033[?1003;1006h\033[?1004h\033[?2004h`} {
		pid := fmt.Sprint("pid", i)
		c.run(`clear; sh -c 'printf "` + modes + `"; echo $$ > ` + pid + `; echo run''ning` + fmt.Sprint(i) + `; exec sleep 1000'`)
		c.sees("running" + fmt.Sprint(i))
		n, err := strconv.Atoi(strings.TrimSpace(in.file(pid)))
		if err != nil {
			t.Fatal(err)
		}
		_ = syscall.Kill(n, syscall.SIGKILL)
		c.sees("Killed")
		c.atPrompt()
		c.send("\x1b[<35;40;10M\x1b[<35;41;10M") // the pointer moves
		c.send("never run")
		c.sees("$ never run")
		c.send("\x03")
		c.atPrompt()
		c.send("\x1b[200~echo read''ing; cat -v; echo \x1b[201~end''ed\r")
		c.sees("reading")
		c.send("line\r")
		c.sees("line")
		c.send("\x04")
		c.sees("ended")
	}
}

// While a program reads lines, the keys that the line discipline acts on reach
// it, whatever protocol was left on; all others are written by that protocol.
func TestSignalKeysWorkWhileLinesAreRead(t *testing.T) {
	t.Parallel()
	in := start(t)
	c := in.attach(100, 30).ready()
	n := 0
	for _, tc := range []struct{ set, sent, shown string }{
		{`\033[>1u`, "\x1b[13;2u", `\^\[\[13;2u`},
		{`\033[>4;2m`, "\x1b[13;2u", `\^\[\[27;2;13~`},
	} {
		for _, key := range []string{"\x03", "\x04"} {
			n++ // what was typed before the shell hands the terminal over would not be lines
			c.run(`clear; printf '` + tc.set + `'; echo read''ing` + fmt.Sprint(n) + `; cat -v`)
			c.sees("reading" + fmt.Sprint(n))
			c.send(tc.sent + "\r")
			c.seesMatch(`│` + tc.shown + ` *$`) // what cat read, below what was echoed
			c.send(key)
			c.atPrompt()
			c.run(`printf '\033[<u\033[>4m'`)
		}
	}
}
