package vt

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var updateDocs = flag.Bool("update", false, "write docs/terminal.md anew")

// docsPath is the list of controls, in the repository's docs folder.
var docsPath = filepath.Join("..", "..", "docs", "terminal.md")

func TestDocsListWhatTheTablesHold(t *testing.T) {
	want := terminalDocs()
	if *updateDocs {
		if err := os.WriteFile(docsPath, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(docsPath)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("%s differs from the tables: run go test ./ptyhost/vt -run Docs -update", docsPath)
	}
}

const docsHead = `# The terminal that programs see

Every control function that the emulator in ptyhost/vt knows, made from its
tables by ` + "`go test ./ptyhost/vt -run Docs -update`" + `. What is not here is swallowed
whole as well: a control sequence ends at its final byte, a string at its
terminator, and nothing of either reaches the screen.

Semantics are xterm's ("XTerm Control Sequences", ECMA-48, DEC STD 070), with
these choices:

- TERM is xterm-256color; text is UTF-8. C1 controls exist as U+0080 to U+009F
  and as ESC and a letter, never as raw bytes. What is not UTF-8 shows as U+FFFD,
  one for each maximal subpart.
- Mode 2027 is on at first: a grapheme cluster takes one place, as wide as its
  first character, or two columns if variation selector 16 follows that. With the
  mode off each character stands for itself and only marks join.
- A change of width wraps soft-wrapped lines anew, with the scrollback; more rows
  bring scrollback into view. The alternate screen is cut or padded.
- The scrollback takes the rows that leave the main screen at its first row, over
  its whole width. ED 3 empties it; ED 2 and RIS leave it.
- A wide character that does not fit in the last column leaves it blank.
- Mode 2026 is watched by the host: an update is shown after a second at the
  latest, on a resize, and when a client attaches.
- Keys, pointer, focus and paste: what a program set and did not live to reset, the
  host puts back as it was before, once the shell that started the program prints
  again. While lines are read (ICANON and ISIG), ctrl with the interrupt, quit,
  suspend or end-of-file character is written as that character, whatever protocol
  is on; all other keys keep to the protocol.
- Answers hold no text that could be typed for the user: titles are never reported, OSC 52
  reads never answered. Answers wait in a queue of 64 KiB; past it they are dropped.
- Bounds: a title 1 KiB, OSC 52 1 MiB, any other string 64 KiB; a hyperlink 2083
  bytes, a cluster 128 bytes, 32 parameters of at most 65535, 1000 columns, 500
  rows, 100 000 rows of scrollback and 1 KiB for each of them on average. On one
  screen 4 MiB of links and 65 536 different clusters; past that links are left out
  and clusters show as their first character. A row keeps 4 KiB of links, and its
  clusters whole while its text is below 4 KiB.
- Memory: whatever a program prints, its terminal takes at most 16 MiB, 256 bytes for
  each cell of the screen, and 2 KiB for each row that the scrollback may hold. A
  usual one takes a hundredth of that.

"swallowed" means: read whole and not acted on, for the reason given.
`

// terminalDocs writes the page.
func terminalDocs() string {
	var b strings.Builder
	b.WriteString(docsHead)
	section := func(title string) { fmt.Fprintf(&b, "\n## %s\n\n| control | name | |\n|---|---|---|\n", title) }
	line := func(seq, name string, done bool, why string) {
		state := "yes"
		if !done {
			state = "swallowed: " + why
		}
		seq = strings.ReplaceAll(seq, "|", "\\|")
		if strings.Contains(seq, "`") {
			seq = "`` " + seq + " ``"
		} else {
			seq = "`" + seq + "`"
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", seq, name, state)
	}
	section("C0 controls")
	for _, c := range c0Names {
		line(c[0], c[1], c[2] == "", c[2])
	}
	section("C1 controls")
	for _, c := range c1Controls {
		line("ESC "+c.seq, c.name, c.do != nil, c.why)
	}
	section("Escape sequences")
	for _, c := range escControls {
		line("ESC "+spell(c.seq), c.name, c.do != nil, c.why)
	}
	for i := range len(scsIntermediates) {
		name := "SCS of 94: B 0 A 1 2 < %5, in mode 42 the national ones"
		if i >= 4 {
			name = "SCS of 96: A, which is Latin-1"
		}
		line("ESC "+scsIntermediates[i:i+1]+" Final", name, true, "")
	}
	section("Control sequences")
	for _, c := range csiControls {
		line("CSI "+spell(c.seq), c.name, c.do != nil, c.why)
	}
	section("Modes (SM, RM)")
	for _, m := range ansiModes {
		line(fmt.Sprint(m.num), m.name, m.fixed == 0, fixedWord(m.fixed))
	}
	section("Private modes (DECSET, DECRST)")
	for _, m := range privateModes {
		line("?"+fmt.Sprint(m.num), m.name, m.fixed == 0, fixedWord(m.fixed))
	}
	section("Operating system commands")
	for _, c := range oscCommands {
		n := fmt.Sprint(c.first)
		if c.last > c.first {
			n += " to " + fmt.Sprint(c.last)
		}
		line("OSC "+n, c.name, c.do != nil, c.why)
	}
	section("Device control strings")
	for _, c := range dcsControls {
		line("DCS "+spell(c.seq), c.name, c.do != nil, c.why)
	}
	section("Settings that DECRQSS reports")
	for _, c := range [][2]string{
		{"m", "SGR"},
		{"r", "DECSTBM"},
		{"s", "DECSLRM"},
		{"t", "DECSLPP"},
		{"$|", "DECSCPP"},
		{"*|", "DECSNLS"},
		{" q", "DECSCUSR"},
		{"\"p", "DECSCL"},
		{"\"q", "DECSCA"},
		{"*x", "DECSACE"},
		{">4m", "XTMODKEYS"},
	} {
		_, ok := settings[c[0]]
		line(spell(c[0]), c[1], ok, "not answered")
	}
	return b.String()
}

var c0Names = [][3]string{
	{"NUL", "padding", "it is padding"},
	{"ENQ", "answerback", "it is empty"},
	{"BEL", "bell", ""},
	{"BS", "backspace", ""},
	{"HT", "tab", ""},
	{"LF", "line feed", ""},
	{"VT", "line feed", ""},
	{"FF", "line feed", ""},
	{"CR", "carriage return", ""},
	{"SO", "LS1", ""},
	{"SI", "LS0", ""},
	{"CAN", "cancel a sequence", ""},
	{"SUB", "cancel a sequence, shown as U+2E2E", ""},
	{"ESC", "escape", ""},
	{"DC1 DC3", "flow control", "the PTY does it"},
	{"others", "", "no function on a screen"},
}

func fixedWord(v int) string {
	switch v {
	case modePermanentReset:
		return "always reset"
	case 3:
		return "always set"
	}
	return ""
}

// spell writes a sequence with its bytes apart.
func spell(seq string) string {
	var out []string
	for i := range len(seq) {
		if seq[i] == ' ' {
			out = append(out, "SP")
			continue
		}
		out = append(out, seq[i:i+1])
	}
	return strings.Join(out, " ")
}

// TestEveryDocumentedControlIsInATable checks the tables against a list that
// was written from the manuals, not from the tables.
func TestEveryDocumentedControlIsInATable(t *testing.T) {
	b, err := os.ReadFile("testdata/documented.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(string(b), "\n") {
		f := strings.Fields(line)
		if len(f) == 0 || f[0][0] == '#' {
			continue
		}
		for _, seq := range f[1:] {
			if !documented(t, f[0], strings.ReplaceAll(seq, "SP", " ")) {
				t.Errorf("%s %s is in no table", f[0], seq)
			}
		}
	}
}

func documented(t *testing.T, kind, seq string) bool {
	n := 0
	fmt.Sscanf(seq, "%d", &n)
	switch kind {
	case "CSI":
		for _, c := range csiControls {
			if c.seq == seq {
				return true
			}
		}
		return false
	case "ESC":
		_, ok := escDispatch[seq]
		c1 := len(seq) == 1 && seq[0]-'@' < 0x20 && c1Dispatch[seq[0]-'@'] != nil
		return ok || c1 || strings.Contains(scsIntermediates, seq[:1])
	case "OSC":
		return oscAt[n] != nil
	case "DCS":
		return dcsAt[seq] != nil
	case "MODE":
		_, ok := ansiModeAt[int32(n)]
		return ok
	case "PRIVATE":
		_, ok := privateModeAt[int32(n)]
		return ok
	}
	t.Fatalf("unknown kind %q", kind)
	return false
}

func TestNoTableListsAControlTwice(t *testing.T) {
	seen := map[string]bool{}
	once := func(key string) {
		if seen[key] {
			t.Errorf("%s is listed twice", key)
		}
		seen[key] = true
	}
	for _, c := range csiControls {
		once("CSI " + c.seq)
	}
	for _, c := range escControls {
		once("ESC " + c.seq)
	}
	for _, c := range c1Controls {
		once("C1 " + c.seq)
	}
	for _, c := range dcsControls {
		once("DCS " + c.seq)
	}
	for _, m := range privateModes {
		once(fmt.Sprint("mode ?", m.num))
	}
	if len(privateModes) > 128 {
		t.Errorf("%d private modes: XTSAVE has room for 128", len(privateModes))
	}
}
