package input

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"moorage/ptyhost/vt"
)

func TestReplies(t *testing.T) {
	for _, tt := range []struct {
		in   string
		want Reply
	}{
		{"\x1b[?62;4;22c", Reply{Kind: ReplyDA1, OK: true, Args: []int{62, 4, 22}}},
		{"\x1b[>41;354;0c", Reply{Kind: ReplyDA2, OK: true, Args: []int{41, 354, 0}}},
		{"\x1bP!|7E565445\x1b\\", Reply{Kind: ReplyDA3, OK: true, Text: "7E565445"}},
		{"\x1b[0n", Reply{Kind: ReplyStatus, OK: true, Args: []int{0}}},
		{"\x1b[1;2R", Reply{Kind: ReplyCursor, OK: true, Row: 1, Col: 2}},
		{"\x1b[?5;7R", Reply{Kind: ReplyCursor, OK: true, Private: true, Row: 5, Col: 7}},
		{"\x1b[?2026;2$y", Reply{Kind: ReplyMode, OK: true, Private: true, Number: 2026, Value: 2}},
		{"\x1b[?2027;0$y", Reply{Kind: ReplyMode, Private: true, Number: 2027}},
		{"\x1b[4;1$y", Reply{Kind: ReplyMode, OK: true, Number: 4, Value: 1}},
		{"\x1bP1$r0;1m\x1b\\", Reply{Kind: ReplySetting, OK: true, Text: "0;1m"}},
		{"\x1bP>|XTerm(380)\x1b\\", Reply{Kind: ReplyVersion, OK: true, Text: "XTerm(380)"}},
		{"\x1bP1+r524742=38\x1b\\", Reply{Kind: ReplyCapability, OK: true, Name: "RGB", Text: "8"}},
		{"\x1bP0+r524742\x1b\\", Reply{Kind: ReplyCapability, Name: "RGB"}},
		{"\x1b]4;7;rgb:ffff/8080/0000\x1b\\", Reply{Kind: ReplyPalette, OK: true, Number: 7, Color: vt.RGB(255, 128, 0)}},
		{"\x1b]10;rgb:f/8/0\a", Reply{Kind: ReplyForeground, OK: true, Color: vt.RGB(255, 136, 0)}},
		{"\x1b]11;#102030\a", Reply{Kind: ReplyBackground, OK: true, Color: vt.RGB(16, 32, 48)}},
		{"\x1b]12;rgba:00/01/02/ff\a", Reply{Kind: ReplyCursorColor, OK: true, Color: vt.RGB(0, 1, 2)}},
		{"\x1b]52;c;aGk=\a", Reply{Kind: ReplyClipboard, OK: true, Name: "c", Text: "aGk="}},
		{"\x1b]99;i=1:p=close;x\x1b\\", Reply{Kind: ReplyNotification, OK: true, Name: "i=1:p=close", Text: "x"}},
		{"\x1b[?5u", Reply{Kind: ReplyKitty, OK: true, Flags: 5}},
		{"\x1b[>4;2m", Reply{Kind: ReplyModifyKeys, OK: true, Number: 4, Value: 2}},
		{"\x1b_Gi=31;OK\x1b\\", Reply{Kind: ReplyGraphics, OK: true, Name: "i=31", Text: "OK"}},
		{"\x1b[?997;2n", Reply{Kind: ReplyColorScheme, OK: true, Value: 2}},
		{"\x1b[48;24;80;480;800t", Reply{Kind: ReplyResize, OK: true, Rows: 24, Cols: 80, Height: 480, Width: 800}},
		{"\x1b[8;24;80t", Reply{Kind: ReplyCells, OK: true, Rows: 24, Cols: 80}},
		{"\x1b[4;480;800t", Reply{Kind: ReplyPixels, OK: true, Height: 480, Width: 800}},
		{"\x1b[6;20;10t", Reply{Kind: ReplyCellPixels, OK: true, Height: 20, Width: 10}},
	} {
		var tz Tokenizer
		tz.Expect(ExpectCursor | ExpectResize | ExpectSize)
		var got []Token
		tz.Feed([]byte(tt.in), func(tok Token) { got = append(got, tok) })
		if len(got) != 1 || got[0].Kind != KindReply {
			t.Errorf("%q: %d tokens, %s", tt.in, len(got), say(got[0]))
			continue
		}
		if diff := cmp.Diff(tt.want, got[0].Reply); diff != "" {
			t.Errorf("%q: %s", tt.in, diff)
		}
	}
}

// One question, one answer: the next CSI 1 ; 2 R is a key again.
func TestCursorReportIsExpectedOnce(t *testing.T) {
	var tz Tokenizer
	tz.Expect(ExpectCursor)
	got := read(&tz, "\x1b[1;2R\x1b[1;2R")
	if len(got) != 2 || got[0] == got[1] || got[1] != "key shift+f3" {
		t.Errorf("%q", got)
	}
}

// A pointer event written for a program says the same when it is read.
func TestPointerEventsAreKept(t *testing.T) {
	encodings := []vt.MouseEncoding{vt.MouseEncodingX10, vt.MouseEncodingSGR, vt.MouseEncodingURXVT}
	rapid.Check(t, func(t *rapid.T) {
		ev := Mouse{
			X: rapid.IntRange(0, 200).Draw(t, "x"), Y: rapid.IntRange(0, 200).Draw(t, "y"),
			Button: Button(rapid.IntRange(int(ButtonLeft), int(Button11)).Draw(t, "button")),
			Action: Action(rapid.IntRange(int(MousePress), int(MouseMotion)).Draw(t, "action")),
			Mods:   Mods(rapid.IntRange(0, 7).Draw(t, "mods")),
		}
		if ev.Button.IsWheel() {
			ev.Action = MousePress
		}
		encoding := rapid.SampledFrom(encodings).Draw(t, "encoding")
		out := AppendMouse(nil, ev, vt.Modes{Mouse: vt.MouseAny, MouseEncoding: encoding})
		want := ev
		if ev.Action == MouseRelease && encoding != vt.MouseEncodingSGR {
			want.Button = ButtonNone
		}
		var tz Tokenizer
		tz.Feed(out, func(tok Token) {
			if tok.Kind != KindMouse || tok.Mouse != want {
				t.Fatalf("%+v became %q, read as %+v", ev, out, tok.Mouse)
			}
		})
	})
}
