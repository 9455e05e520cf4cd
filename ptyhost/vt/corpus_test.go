package vt

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// The corpus in testdata/*.vt holds one small case a line of behaviour:
//
//	== name
//	source  where the behaviour is written down
//	size    COLSxROWS, 10x5 if absent
//	in      "bytes", a Go string; one write each
//	resize  COLSxROWS        soft-reset        end-sync        light
//
// and then what holds at the end. Replies and events that a case does not name
// must not be there; nor may a sequence that no table lists.
//
//	screen  "row" "row"...   all rows; further ones are blank
//	history "row"...         the scrollback, oldest first
//	cursor  X,Y [pending]
//	cell    X,Y "text" words what it shows and its style; see styleWords
//	wrapped N...             exactly these rows go on in the next
//	reply   "bytes"
//	event   words            one line each, in order; see eventWords
//	title   "text"   cwd "text"   shape N   hidden   alt   exit N
//	modes   words            see modeWords
//	unknown                  a sequence that nobody has is the point
type corpusCase struct {
	file, name, source string
	lines              []string
}

func readCorpus(t *testing.T) []corpusCase {
	files, err := filepath.Glob("testdata/*.vt")
	if err != nil || len(files) == 0 {
		t.Fatalf("read corpus: %v, %d files", err, len(files))
	}
	var out []corpusCase
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		source := ""
		for n, line := range strings.Split(string(b), "\n") {
			line = strings.TrimSpace(line)
			switch {
			case line == "" || line[0] == '#':
			case strings.HasPrefix(line, "== "):
				out = append(out, corpusCase{file: filepath.Base(f), name: line[3:], source: source})
			case strings.HasPrefix(line, "source "):
				if n == 0 || len(out) == 0 || out[len(out)-1].file != filepath.Base(f) {
					source = line[7:] // for all cases of the file
				} else {
					out[len(out)-1].source = line[7:]
				}
			default:
				c := &out[len(out)-1]
				c.lines = append(c.lines, line)
			}
		}
	}
	return out
}

func TestCorpusNamesASourceForEachCase(t *testing.T) {
	cases := readCorpus(t)
	seen := map[string]bool{}
	for _, c := range cases {
		if c.source == "" {
			t.Errorf("%s: %s: no source", c.file, c.name)
		}
		if key := c.file + c.name; seen[key] {
			t.Errorf("%s: %s: twice", c.file, c.name)
		} else {
			seen[key] = true
		}
	}
	if len(cases) < 500 {
		t.Errorf("%d cases, want at least 500", len(cases))
	}
}

func TestCorpusWhole(t *testing.T) {
	for _, c := range readCorpus(t) {
		t.Run(c.file+"/"+c.name, func(t *testing.T) { c.run(t, 0) })
	}
}

func TestCorpusSplitAtEveryByte(t *testing.T) {
	for _, c := range readCorpus(t) {
		t.Run(c.file+"/"+c.name, func(t *testing.T) { c.run(t, 1) })
	}
}

// caseRun is a case being run: what it said so far, and what it expects.
type caseRun struct {
	*testing.T
	term    *Terminal
	mirror  Mirror
	step    int
	events  []string
	replies string
	unknown []string

	wantEvents []string
	wantReply  string
	wantOdd    bool
}

func (c corpusCase) run(t *testing.T, step int) {
	size := "10x5"
	lines := c.lines
	if f := strings.Fields(lines[0]); f[0] == "size" {
		size, lines = f[1], lines[1:]
	}
	cols, rows := parseSize(t, size)
	r := &caseRun{T: t, step: step}
	d := DarkDefaults()
	d.FG, d.BG, d.Cursor = RGBColor{0xd0, 0xd0, 0xd0}, RGBColor{0x10, 0x10, 0x10}, RGBColor{0xff, 0, 0}
	r.term = New(Options{Cols: cols, Rows: rows, Scrollback: 100, Version: "moorage(1.0)", Defaults: d})
	r.term.unknown = func(kind, seq string) { r.unknown = append(r.unknown, kind+" "+seq) }
	for _, line := range lines {
		verb, rest, _ := strings.Cut(line, " ")
		rest = strings.TrimSpace(rest)
		if f, ok := caseInputs[verb]; ok {
			f(r, rest)
		} else if f, ok := caseChecks[verb]; ok {
			f(r, rest)
		} else {
			t.Fatalf("unknown line %q", line)
		}
	}
	r.take()
	r.takeEvents()
	if got, want := strings.Join(r.events, "\n"), strings.Join(r.wantEvents, "\n"); got != want {
		t.Errorf("events:\n%s\nwant:\n%s", got, want)
	}
	if r.replies != r.wantReply {
		t.Errorf("reply %q, want %q", r.replies, r.wantReply)
	}
	if (len(r.unknown) > 0) != r.wantOdd {
		t.Errorf("sequences that nobody handles: %q", r.unknown)
	}
	checkSound(t, r.term)
}

func parseSize(t *testing.T, s string) (cols, rows int) {
	if _, err := fmt.Sscanf(s, "%dx%d", &cols, &rows); err != nil {
		t.Fatalf("size %q: %v", s, err)
	}
	return cols, rows
}

func (r *caseRun) takeEvents() {
	for _, e := range r.term.TakeEvents(nil) {
		r.events = append(r.events, eventWords(e))
	}
}

// take collects what the terminal answered and brings the mirror up to date.
func (r *caseRun) take() {
	r.replies += string(r.term.TakeReplies(nil))
	update, _ := r.term.AppendUpdate(nil, r.mirror.Rev())
	if err := r.mirror.Apply(update); err != nil {
		r.Fatalf("apply update: %v", err)
	}
}

var caseInputs = map[string]func(*caseRun, string){
	"in": func(r *caseRun, arg string) {
		b := []byte(unquoteAll(r.T, arg)[0])
		step := len(b)
		if r.step > 0 {
			step = r.step
		}
		for len(b) > 0 {
			n := min(step, len(b))
			r.term.Write(b[:n])
			b = b[n:]
			r.take()
		}
		r.takeEvents()
	},
	"resize": func(r *caseRun, arg string) {
		cols, rows := parseSize(r.T, arg)
		r.term.Resize(cols, rows)
		r.take()
	},
	"soft-reset": func(r *caseRun, _ string) { r.term.SoftReset() },
	"end-sync":   func(r *caseRun, _ string) { r.term.EndSync() },
	"light": func(r *caseRun, _ string) {
		d := r.term.opts.Defaults
		d.Dark = false
		r.term.SetDefaults(d)
	},
	"quiet": func(r *caseRun, arg string) { r.term.SetQuiet(arg == "on") },
}

var caseChecks = map[string]func(*caseRun, string){
	"screen": func(r *caseRun, arg string) {
		r.rows("screen", r.term.ScreenText(), unquoteAll(r.T, arg))
	},
	"history": func(r *caseRun, arg string) {
		var got []string
		first, end := r.term.History()
		for abs := first; abs < end; abs++ {
			s, _ := r.term.RowText(abs)
			got = append(got, s)
		}
		want := unquoteAll(r.T, arg)
		if len(got) != len(want) {
			r.Errorf("history %q, want %q", got, want)
			return
		}
		r.rows("history", got, want)
	},
	"cursor": func(r *caseRun, arg string) {
		f := strings.Fields(arg)
		c := r.term.cur
		if got := fmt.Sprintf("%d,%d", c.x, c.y); got != f[0] || c.pending != (len(f) > 1) {
			r.Errorf("cursor %s pending %v, want %s", got, c.pending, arg)
		}
	},
	"cell": func(r *caseRun, arg string) {
		at, rest, _ := strings.Cut(arg, " ")
		var x, y int
		fmt.Sscanf(at, "%d,%d", &x, &y)
		c := r.term.on.rows[y].cells[x]
		q, err := strconv.QuotedPrefix(rest)
		if err != nil {
			r.Fatalf("cell %s: %v", arg, err)
		}
		want, _ := strconv.Unquote(q)
		text, style := r.term.table.Text(c), styleWords(&r.term.table, c)
		if text != want || style != rest[len(q):] {
			r.Errorf("cell %s is %q%s, want %s", at, text, style, rest)
		}
	},
	"wrapped": func(r *caseRun, arg string) {
		var got []string
		for y, row := range r.term.on.rows {
			if row.wrap {
				got = append(got, strconv.Itoa(y))
			}
		}
		if strings.Join(got, " ") != arg {
			r.Errorf("wrapped rows %v, want %s", got, arg)
		}
	},
	"reply":   func(r *caseRun, arg string) { r.wantReply += unquoteAll(r.T, arg)[0] },
	"event":   func(r *caseRun, arg string) { r.wantEvents = append(r.wantEvents, arg) },
	"unknown": func(r *caseRun, _ string) { r.wantOdd = true },
	"title":   func(r *caseRun, arg string) { r.text("title", r.term.Title(), arg) },
	"cwd":     func(r *caseRun, arg string) { r.text("cwd", r.term.CWD(), arg) },
	"shape": func(r *caseRun, arg string) {
		r.text("shape", strconv.Itoa(int(r.term.Cursor().Shape)), strconv.Quote(arg))
	},
	"exit": func(r *caseRun, arg string) {
		r.text("exit", strconv.Itoa(r.term.LastExit()), strconv.Quote(arg))
	},
	"hidden": func(r *caseRun, _ string) {
		if r.term.Cursor().Visible {
			r.Error("cursor is shown")
		}
	},
	"alt": func(r *caseRun, _ string) {
		if !r.term.Modes().AltScreen {
			r.Error("the main screen is shown")
		}
	},
	"modes": func(r *caseRun, arg string) {
		if got := modeWords(r.term.Modes()); got != arg {
			r.Errorf("modes %s, want %s", got, arg)
		}
	},
	"mirror": func(r *caseRun, arg string) { // what a watcher sees
		r.take()
		var got []string
		for y := range r.mirror.rows {
			var b []byte
			for _, c := range r.mirror.Row(y) {
				b = r.mirror.Table().AppendText(b, c)
			}
			got = append(got, strings.TrimRight(string(b), " "))
		}
		r.rows("mirror", got, unquoteAll(r.T, arg))
	},
}

func (r *caseRun) rows(what string, got, want []string) {
	for y := range got {
		w := ""
		if y < len(want) {
			w = want[y]
		}
		if got[y] != w {
			r.Errorf("%s row %d %q, want %q", what, y, got[y], w)
		}
	}
	if len(want) > len(got) {
		r.Errorf("%s has %d rows, want %d", what, len(got), len(want))
	}
}

func (r *caseRun) text(what, got, quoted string) {
	if want := unquoteAll(r.T, quoted)[0]; got != want {
		r.Errorf("%s %q, want %q", what, got, want)
	}
}

func unquoteAll(t *testing.T, s string) []string {
	var out []string
	for s = strings.TrimSpace(s); s != ""; s = strings.TrimSpace(s) {
		q, err := strconv.QuotedPrefix(s)
		if err != nil {
			t.Fatalf("not a quoted string: %s", s)
		}
		u, _ := strconv.Unquote(q)
		out = append(out, u)
		s = s[len(q):]
	}
	return out
}

// styleWords names all of a cell that is set, each after a space.
func styleWords(tab *Table, c Cell) string {
	var b strings.Builder
	if w := c.Width(); w != 1 {
		fmt.Fprintf(&b, " width=%d", w)
	}
	for i, name := range []string{"bold", "faint", "italic", "blink", "inverse", "invisible", "strike", "overline"} {
		if c.At>>i&1 != 0 {
			b.WriteString(" " + name)
		}
	}
	if u := c.Underline(); u != 0 {
		b.WriteString(" " + []string{"", "underline", "double", "curly", "dotted", "dashed"}[u])
	}
	if c.At&AttrProtected != 0 {
		b.WriteString(" protected")
	}
	e := tab.Ext(c.Ext())
	for _, p := range []struct {
		name string
		c    Color
	}{{"fg", c.FG}, {"bg", c.BG}, {"ul", e.Underline}} {
		if !p.c.IsDefault() {
			b.WriteString(" " + p.name + "=" + colorWord(p.c))
		}
	}
	if e.LinkURI != "" {
		b.WriteString(" link=" + e.LinkURI)
	}
	if e.LinkID != "" {
		b.WriteString(" id=" + e.LinkID)
	}
	return b.String()
}

func colorWord(c Color) string {
	if i, ok := c.Index(); ok {
		return strconv.Itoa(int(i))
	}
	r, g, b, _ := c.RGB()
	return fmt.Sprintf("#%02x%02x%02x", r, g, b)
}

func eventWords(e Event) string {
	switch e.Kind {
	case EventBell:
		return "bell"
	case EventNotify:
		return fmt.Sprintf("notify %q %q", e.Title, e.Text)
	case EventProgress:
		return fmt.Sprintf("progress %d %d", e.Code, e.Value)
	case EventClipboard:
		return fmt.Sprintf("clipboard %q %q", e.Text, e.Data)
	case EventTitle:
		return fmt.Sprintf("title %q", e.Text)
	case EventCWD:
		return fmt.Sprintf("cwd %q", e.Text)
	case EventPrompt:
		return fmt.Sprintf("prompt %s %d", map[Mark]string{MarkPrompt: "A", MarkInput: "B", MarkOutput: "C", MarkEnd: "D"}[e.Mark], e.Code)
	case EventProgramStatus:
		return fmt.Sprintf("status %q", e.Data)
	case EventReset:
		return "reset"
	}
	return "?"
}

// modeWords names all modes that differ from a new terminal's.
func modeWords(m Modes) string {
	var w []string
	names := []string{"app-cursor", "app-keypad", "backarrow", "newline", "paste", "focus", "alt", "alt-scroll", "reverse", "sync", "color-reports", "resize-reports"}
	for i, b := range m.bits() {
		switch {
		case names[i] == "alt-scroll" && !*b:
			w = append(w, "no-alt-scroll")
		case names[i] != "alt-scroll" && *b:
			w = append(w, names[i])
		}
	}
	if m.Mouse != 0 {
		w = append(w, "mouse="+[]string{"", "x10", "normal", "button", "any"}[m.Mouse])
	}
	if m.MouseEncoding != 0 {
		w = append(w, "encoding="+[]string{"", "utf8", "sgr", "urxvt", "pixel"}[m.MouseEncoding])
	}
	if m.ModifyOtherKeys != 0 {
		w = append(w, fmt.Sprintf("keys=%d", m.ModifyOtherKeys))
	}
	if m.Kitty != 0 {
		w = append(w, fmt.Sprintf("kitty=%d", m.Kitty))
	}
	return strings.Join(w, " ")
}
