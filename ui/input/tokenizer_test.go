package input

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// say is a token in one line, for tables.
func say(t Token) string {
	switch t.Kind {
	case KindText:
		return fmt.Sprintf("text %q", t.Raw)
	case KindKey:
		s := "key " + t.Key.Name()
		if t.Key.Event == Repeat {
			s += " repeat"
		}
		if t.Key.Event == Release {
			s += " release"
		}
		return s
	case KindMouse:
		return fmt.Sprintf("mouse %d,%d button %d action %d mods %d", t.Mouse.X, t.Mouse.Y, t.Mouse.Button, t.Mouse.Action, t.Mouse.Mods)
	case KindFocusIn:
		return "focus in"
	case KindFocusOut:
		return "focus out"
	case KindPasteStart:
		return "paste start"
	case KindPasteData:
		return fmt.Sprintf("paste %q", t.Raw)
	case KindPasteEnd:
		return "paste end"
	case KindReply:
		return fmt.Sprintf("reply %d", t.Reply.Kind)
	case KindDropped:
		return fmt.Sprintf("dropped %q", t.Raw)
	}
	return fmt.Sprintf("unknown %q", t.Raw)
}

// read feeds the pieces and flushes at each "<flush>".
func read(t *Tokenizer, pieces ...string) []string {
	var got []string
	emit := func(tok Token) { got = append(got, say(tok)) }
	for _, p := range pieces {
		if p == "<flush>" {
			t.Flush(emit)
			continue
		}
		t.Feed([]byte(p), emit)
	}
	return got
}

func TestTokens(t *testing.T) {
	for _, tt := range []struct {
		name string
		in   string // pieces, separated by "|"
		want string // tokens, separated by "; "
	}{
		{"a run of text is one token", "hello wörld ✓", `text "hello wörld ✓"`},
		{"controls end a run", "ab\rcd", `text "ab"; key enter; text "cd"`},
		{"C0 controls are ctrl with a key", "\x00\x01\x11\x1c\x1d\x1e\x1f\n\b", "key ctrl+space; key ctrl+a; key ctrl+q; key ctrl+\\; key ctrl+]; key ctrl+^; key ctrl+_; key ctrl+j; key ctrl+h"},
		{"keys with a control of their own", "\t\r\x7f", "key tab; key enter; key backspace"},

		{"B25 lone ESC times out", "\x1b|<flush>", "key esc"},
		{"B25 a sequence split at ESC, later", "\x1b|<flush>|[A", "key esc; key up"},
		{"B25 text typed after ESC stays text", "\x1b|<flush>|[|A", `key esc; text "["; text "A"`},
		{"B25 what vi's user types stays text", "\x1b|<flush>|OA", `key esc; text "OA"`},
		{"B25 an answer split at ESC is not typed", "\x1b|<flush>|]11;rgb:00/00/00\x07", "key esc; reply 12"},
		{"a sequence split anywhere is one", "\x1b[|1|;5|A", "key ctrl+up"},
		{"B25 a partial sequence is dropped", "\x1b[1;5|<flush>|x", `dropped "\x1b[1;5"; text "x"`},
		{"B27 a split character is one", "\xe2\x9c|\x93", `text "✓"`},
		{"a partial character is dropped", "a\xe2\x9c|<flush>", `text "a"; dropped "\xe2\x9c"`},
		{"a byte that starts no character is passed on", "\xff", `unknown "\xff"`},
		{"a C1 control in UTF-8 is not text", "a\u009bb", `text "a"; unknown "\u009b"; text "b"`},

		{"alt is ESC before", "\x1ba\x1bA\x1b\r\x1b\x7f\x1b\x01\x1bé", "key alt+a; key alt+shift+a; key alt+enter; key alt+backspace; key ctrl+alt+a; key alt+é"},
		{"alt with an introducer", "\x1b[|<flush>|\x1bO|<flush>|\x1b]|<flush>", "key alt+[; key alt+shift+o; key alt+]"},
		{"alt with an introducer, then a key", "\x1b[\r\x1b]x\x1bPx\x1b_x", `key alt+[; key enter; key alt+]; text "x"; key alt+shift+p; text "x"; key alt+_; text "x"`},
		{"two escapes", "\x1b\x1b|<flush>|\x1b\x1bx", "key esc; key esc; key esc; key alt+x"},
		{"alt as ESC before a sequence", "\x1b\x1b[D\x1b\x1bOA", "key alt+left; key alt+up"},

		{"cursor keys in both modes", "\x1b[A\x1bOA\x1b[H\x1bOF", "key up; key up; key home; key end"},
		{"cursor keys with modifiers", "\x1b[1;3D\x1b[1;6A", "key alt+left; key ctrl+shift+up"},
		{"function keys", "\x1bOP\x1b[15~\x1b[24~\x1b[34~\x1b[15;5~\x1b[1;2P", "key f1; key f5; key f12; key f20; key ctrl+f5; key shift+f1"},
		{"the Linux console's", "\x1b[[A\x1b[[E\x1b[1~\x1b[4~", "key f1; key f5; key home; key end"},
		{"rxvt's", "\x1b[7~\x1b[3$\x1b[3^\x1b[3@\x1b[a\x1bOd", "key home; key shift+delete; key ctrl+delete; key ctrl+shift+delete; key shift+up; key ctrl+left"},
		{"keypad in application mode", "\x1bOp\x1bOM\x1bOk", "key kp0; key kpenter; key kpadd"},
		{"shift+tab", "\x1b[Z", "key shift+tab"},
		{"modifyOtherKeys", "\x1b[27;5;61~\x1b[27;2;13~\x1b[27;6;65~", "key ctrl+=; key shift+enter; key ctrl+shift+a"},
		{"kitty", "\x1b[61;5u\x1b[97;1:3u\x1b[97;1:2u\x1b[57399u\x1b[57441;2:1u\x1b[27u\x1b[1;1:3A\x1b[13~", "key ctrl+=; key a release; key a repeat; key kp0; key shift+leftshift; key esc; key up release; key f3"},

		{
			"SGR mouse", "\x1b[<0;10;5M\x1b[<0;10;5m\x1b[<64;1;1M\x1b[<35;2;2M\x1b[<32;2;2M\x1b[<20;1;1M",
			"mouse 9,4 button 1 action 0 mods 0; mouse 9,4 button 1 action 1 mods 0; mouse 0,0 button 4 action 0 mods 0; mouse 1,1 button 0 action 2 mods 0; mouse 1,1 button 1 action 2 mods 0; mouse 0,0 button 1 action 0 mods 5",
		},
		{"X10 mouse", "\x1b[M !!\x1b[M#\"\"\x1b[M`\xff!", "mouse 0,0 button 1 action 0 mods 0; mouse 1,1 button 0 action 1 mods 0; mouse 222,0 button 4 action 0 mods 0"},
		{"X10 mouse split", "\x1b[M| |!|!x", `mouse 0,0 button 1 action 0 mods 0; text "x"`},
		{"urxvt mouse", "\x1b[32;300;2M\x1b[35;1;1M", "mouse 299,1 button 1 action 0 mods 0; mouse 0,0 button 0 action 1 mods 0"},
		{"extra buttons", "\x1b[<128;1;1M\x1b[<129;1;1m", "mouse 0,0 button 8 action 0 mods 0; mouse 0,0 button 9 action 1 mods 0"},
		{"focus", "\x1b[I\x1b[O", "focus in; focus out"},

		{"paste", "\x1b[200~a\rb\x1b[A\x1b[201~x", `paste start; paste "a\rb\x1b[A"; paste end; text "x"`},
		{"paste, its end split", "\x1b[200~ab\x1b[2|01~x", `paste start; paste "ab"; paste end; text "x"`},
		{"paste, a false end", "\x1b[200~ab\x1b[2|x\x1b[201~", `paste start; paste "ab"; paste "\x1b[2x"; paste end`},
		{"paste, a character split", "\x1b[200~a\xc2|\x9bb\r|\n\x1b[201~", `paste start; paste "a"; paste "\u009bb"; paste "\r\n"; paste end`},
		{"paste without an end is given up", "\x1b[200~ab\x1b[2|<flush>|\x11", `paste start; paste "ab"; paste "\x1b[2"; paste end; key ctrl+q`},
		{"the end of no paste", "\x1b[201~", `dropped "\x1b[201~"`},

		{"CSI 1 ; m R is F3 unless a position was asked for", "\x1b[1;2R\x1b[R", "key shift+f3; key f3"},
		{"a position that nobody asked for", "\x1b[5;7R", `dropped "\x1b[5;7R"`},
		{"sizes that nobody asked for", "\x1b[8;24;80t\x1b[48;24;80;0;0t", `dropped "\x1b[8;24;80t"; dropped "\x1b[48;24;80;0;0t"`},
		{"unknown sequences go through", "\x1b[5;5x\x1b]777;a\x07\x1bP1zz\x1b\\", `unknown "\x1b[5;5x"; unknown "\x1b]777;a\a"; unknown "\x1bP1zz\x1b\\"`},
		{"9C inside a character ends no string", "\x1b]777;✜\x1b\\", `unknown "\x1b]777;✜\x1b\\"`},
		{"a sequence cut short by another", "\x1b[1;\x1b[A\x1b]11;x\x1b[B", `dropped "\x1b[1;"; key up; dropped "\x1b]11;x"; key down`},
		{"CAN ends a sequence", "\x1b[1;\x18a", `dropped "\x1b[1;\x18"; text "a"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := strings.Join(read(new(Tokenizer), strings.Split(tt.in, "|")...), "; ")
			if got != tt.want {
				t.Errorf("%q:\n got %s\nwant %s", tt.in, got, tt.want)
			}
		})
	}
}

func TestPending(t *testing.T) {
	for in, want := range map[string]Pending{
		"": None, "abc": None, "\x1b": LoneEscape, "\x1b\x1b": LoneEscape, "\x1b[": Partial, "\x1b[1;": Partial,
		"\x1b]11;": Partial, "\xe2": Partial, "\x1bO": Partial, "\x1b[200~": Paste, "\x1b[200~abc\x1b": Paste,
		"\x1b[200~\x1b[201~": None, "\x1b[M": Partial, "\x1b[A": None,
	} {
		var tz Tokenizer
		tz.Feed([]byte(in), func(Token) {})
		if got := tz.Pending(); got != want {
			t.Errorf("%q: %d, want %d", in, got, want)
		}
	}
}

// input is bytes of the kinds that make trouble when they are split.
func inputs() *rapid.Generator[[]byte] {
	parts := rapid.SampledFrom([]string{
		"a", "hello", "é", "✓", "👨‍👩‍👧", "\r", "\n", "\x1b", "[", "O", "]", "P", "_", "G", "M", "<", ";", "1", "200~",
		"\x1b[A", "\x1bOA", "\x1b[1;5A", "\x1b[M !!", "\x1b[<0;1;1M", "\x1b[200~", "\x1b[201~", "\x1b]11;rgb:0/0/0\x07",
		"\x1bP>|x\x1b\\", "\x1b_Gi=1;OK\x1b\\", "\x1b[97;5u", "\x9b", "\xc2\x9b", "\xff", "\xe2\x9c", "\x18", "\x07", "\\", "$", "\x1b[3$",
	})
	return rapid.Custom(func(t *rapid.T) []byte {
		var in []byte
		for _, s := range rapid.SliceOfN(rapid.OneOf(parts, rapid.StringN(0, 4, 8)), 0, 30).Draw(t, "parts") {
			in = append(in, s...)
		}
		return in
	})
}

// tokensOf feeds in cut at the given places. Text and paste data depend on
// the cuts by nature, so that neighbours are joined.
func tokensOf(in []byte, cuts []int) (raw []byte, said []string) {
	var (
		t    Tokenizer
		last Kind
	)
	emit := func(tok Token) {
		raw = append(raw, tok.Raw...)
		if n := len(said); n > 0 && tok.Kind == last && (last == KindText || last == KindPasteData) {
			said[n-1] += string(tok.Raw)
			return
		}
		if last = tok.Kind; last == KindText || last == KindPasteData {
			said = append(said, "data "+string(tok.Raw))
			return
		}
		said = append(said, say(tok))
	}
	start := 0
	for _, c := range cuts {
		if c > start && c < len(in) {
			t.Feed(bytes.Clone(in[start:c]), emit)
			start = c
		}
	}
	t.Feed(bytes.Clone(in[start:]), emit)
	t.Flush(emit)
	return raw, said
}

// The raw bytes of all tokens are the input, and how it was split changes
// nothing.
func TestSplitsDoNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := inputs().Draw(t, "in")
		raw, whole := tokensOf(in, nil)
		if !bytes.Equal(raw, in) {
			t.Fatalf("%q came back as %q", in, raw)
		}
		every := make([]int, len(in))
		for i := range every {
			every[i] = i
		}
		for _, cuts := range [][]int{every, rapid.SliceOfN(rapid.IntRange(0, len(in)), 0, 6).Draw(t, "cuts")} {
			// What comes apart behind an ESC was typed apart, by definition.
			cuts = slices.DeleteFunc(slices.Clone(cuts), func(i int) bool {
				return i > 0 && i < len(in) && in[i-1] == esc && !introduces(in[i])
			})
			raw, split := tokensOf(in, cuts)
			if !bytes.Equal(raw, in) {
				t.Fatalf("%q came back as %q", in, raw)
			}
			if strings.Join(split, "\n") != strings.Join(whole, "\n") {
				t.Fatalf("%q at %v:\n%q\nwhole:\n%q", in, cuts, split, whole)
			}
		}
	})
}

func TestAnEscapeThatComesApartFromAKeyIsNotMeta(t *testing.T) {
	_, together := tokensOf([]byte("\x1bk"), nil)
	_, apart := tokensOf([]byte("\x1bk"), []int{1})
	if got := strings.Join(together, " "); got != "key alt+k" {
		t.Errorf("in one piece: %s", got)
	}
	if got := strings.Join(apart, " "); got != "key esc data k" && got != "key esc text k" {
		t.Errorf("in two pieces: %s", got)
	}
}

func FuzzTokenizer(f *testing.F) {
	f.Add([]byte("a\x1b[A\x1b[200~x\x1b[201~\x1b]11;rgb:0/0/0\x07"), uint16(3))
	f.Add([]byte("\x1b[M !!\xe2\x9c\x93\x1bP>|x\x1b\\"), uint16(1))
	f.Fuzz(func(t *testing.T, in []byte, step uint16) {
		var tz Tokenizer
		var raw []byte
		emit := func(tok Token) {
			raw = append(raw, tok.Raw...)
			tok.Key.Name()
		}
		n := int(step)%64 + 1
		for rest := in; len(rest) > 0; {
			k := min(n, len(rest))
			tz.Feed(rest[:k], emit)
			rest = rest[k:]
		}
		tz.Flush(emit)
		if !bytes.Equal(raw, in) {
			t.Fatalf("%q came back as %q", in, raw)
		}
	})
}

func TestLongPasteAndTextAreFewTokens(t *testing.T) {
	text := bytes.Repeat([]byte("0123456789"), 20_000)
	for _, tt := range []struct {
		name string
		in   []byte
	}{{"text", text}, {"paste", append([]byte("\x1b[200~"), text...)}} {
		t.Run(tt.name, func(t *testing.T) {
			var tz Tokenizer
			tokens := 0
			for p := tt.in; len(p) > 0; {
				n := min(32<<10, len(p))
				tz.Feed(p[:n], func(Token) { tokens++ })
				p = p[n:]
			}
			if tokens > 10 {
				t.Errorf("%d tokens for %d bytes", tokens, len(tt.in))
			}
			if len(tz.held) > 8 {
				t.Errorf("%d bytes are held", len(tz.held))
			}
		})
	}
}

// A string without an end costs bounded memory, and its end is found.
func TestEndlessStringIsDropped(t *testing.T) {
	for _, start := range []string{"\x1b]11;", "\x1bP1+r", "\x1b_G", "\x1b["} {
		var (
			tz    Tokenizer
			total int
		)
		count := func(tok Token) {
			if tok.Kind != KindDropped {
				t.Errorf("%q: %s", start, say(tok))
			}
			total += len(tok.Raw)
		}
		tz.Feed([]byte(start), count)
		piece := bytes.Repeat([]byte("1"), 10_000)
		for range 100 {
			tz.Feed(piece, count)
			if len(tz.held) > maxSequence {
				t.Fatalf("%q: %d bytes are held", start, len(tz.held))
			}
		}
		end := "\x1b\\"
		if start == "\x1b[" {
			end = "x"
		}
		tz.Feed([]byte(end), count)
		if want := len(start) + 100*len(piece) + len(end); total != want {
			t.Errorf("%q: %d bytes came back of %d", start, total, want)
		}
		if got := read(&tz, "ok"); len(got) != 1 || got[0] != `text "ok"` {
			t.Errorf("%q: then %q", start, got)
		}
	}
}
