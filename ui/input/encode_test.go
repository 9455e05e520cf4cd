package input

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"moorage/ptyhost/vt"
)

// The outer terminals and the programs of the table below.
var (
	legacy    = vt.Modes{}
	appCursor = vt.Modes{AppCursor: true}
	appKeypad = vt.Modes{AppKeypad: true}
	modify1   = vt.Modes{ModifyOtherKeys: 1}
	modify2   = vt.Modes{ModifyOtherKeys: 2}
	kitty1    = vt.Modes{Kitty: 1, AppCursor: true}
	kitty3    = vt.Modes{Kitty: 3}
	kitty5    = vt.Modes{Kitty: 5}
	kitty8    = vt.Modes{Kitty: 8}
	kitty31   = vt.Modes{Kitty: 31}

	outerLegacy = OuterModes{}
	outerModify = OuterModes{ModifyOtherKeys: 2}
	outerKitty  = OuterModes{Kitty: 31}
	outerKitty1 = OuterModes{Kitty: 1}
)

// forward is what a program with modes m gets for the bytes that a terminal in
// modes outer sends.
func forward(in string, outer OuterModes, m vt.Modes) string {
	var (
		t   Tokenizer
		out []byte
	)
	emit := func(tok Token) { out = tok.AppendFor(out, outer, m) }
	t.Feed([]byte(in), emit)
	t.Flush(emit)
	return string(out)
}

func TestOuterBytesToInnerBytes(t *testing.T) {
	for _, tt := range []struct {
		name  string
		in    string
		outer OuterModes
		inner vt.Modes
		want  string
	}{
		// Legacy to legacy: verbatim, but for what depends on a mode.
		{"text", "aé中", outerLegacy, legacy, "aé中"},
		{"ctrl", "\x01\x11\x1c\x00\x1f", outerLegacy, legacy, "\x01\x11\x1c\x00\x1f"},
		{"arrow", "\x1b[A", outerLegacy, legacy, "\x1b[A"},
		{"arrow to DECCKM", "\x1b[A", outerLegacy, appCursor, "\x1bOA"},
		{"arrow from DECCKM", "\x1bOA", outerLegacy, legacy, "\x1b[A"},
		{"home to DECCKM", "\x1b[H", outerLegacy, appCursor, "\x1bOH"},
		{"modified arrow to DECCKM", "\x1b[1;5A", outerLegacy, appCursor, "\x1b[1;5A"},
		{"alt+up by ESC to DECCKM", "\x1b\x1b[A", outerLegacy, appCursor, "\x1b[1;3A"},
		{"keypad to numeric", "\x1bOp\x1bOk\x1bOM", outerLegacy, legacy, "0+\r"},
		{"keypad to application", "\x1bOp\x1bOk\x1bOM", outerLegacy, appKeypad, "\x1bOp\x1bOk\x1bOM"},
		{"F1 to F5", "\x1bOP\x1bOS\x1b[15~", outerLegacy, legacy, "\x1bOP\x1bOS\x1b[15~"},
		{"ctrl+F5", "\x1b[15;5~", outerLegacy, legacy, "\x1b[15;5~"},
		{"the console's F1 and Home", "\x1b[[A\x1b[1~", outerLegacy, legacy, "\x1bOP\x1b[H"},
		{"rxvt's ctrl+left", "\x1bOd", outerLegacy, legacy, "\x1b[1;5D"},
		{"shift+F3 is not a position", "\x1b[1;2R", outerLegacy, legacy, "\x1b[1;2R"},
		{"backspace", "\x7f", outerLegacy, legacy, "\x7f"},
		{"backspace to DECBKM", "\x7f", outerLegacy, vt.Modes{BackarrowBS: true}, "\b"},
		{"return to LNM", "\r", outerLegacy, vt.Modes{NewLine: true}, "\r\n"},
		{"alt", "\x1bx\x1b\x7f\x1bé", outerLegacy, legacy, "\x1bx\x1b\x7f\x1bé"},
		{"lone escape", "\x1b", outerLegacy, legacy, "\x1b"},
		{"unknown sequences", "\x1b[5;5x\x1b]777;a\a\xff", outerLegacy, legacy, "\x1b[5;5x\x1b]777;a\a\xff"},
		{"answers never", "\x1b[?1;2c\x1b]11;rgb:0/0/0\a\x1bP>|x\x1b\\\x1b[?2026;2$y\x1b_Gi=1;OK\x1b\\", outerLegacy, legacy, ""},

		// Legacy to the extended protocols.
		{"ctrl to modify 1", "\x01", outerLegacy, modify1, "\x01"},
		{"ctrl to modify 2", "\x01", outerLegacy, modify2, "\x1b[27;5;97~"},
		{"alt to modify 1", "\x1bx", outerLegacy, modify1, "\x1bx"},
		{"alt to modify 2", "\x1bx", outerLegacy, modify2, "\x1bx"},
		{"text to modify 2", "aA", outerLegacy, modify2, "aA"},
		{"ctrl to kitty", "\x01\x00", outerLegacy, kitty1, "\x1b[97;5u\x1b[32;5u"},
		{"escape to kitty", "\x1b", outerLegacy, kitty1, "\x1b[27u"},
		{"alt to kitty", "\x1bx\x1bX", outerLegacy, kitty1, "\x1b[120;3u\x1b[120;4u"},
		{"alt to kitty with alternates", "\x1bX", outerLegacy, kitty5, "\x1b[120:88;4u"},
		{"arrow to kitty is CSI", "\x1bOA", outerLegacy, kitty1, "\x1b[A"},
		{"F1 and F3 to kitty", "\x1bOP\x1bOR", outerLegacy, kitty1, "\x1b[P\x1b[13~"},
		{"enter, tab and backspace to kitty", "\r\t\x7f", outerLegacy, kitty1, "\r\t\x7f"},
		{"keypad enter to kitty", "\x1bOM\x1bOp", outerLegacy, kitty1, "\x1b[57414u0"},
		{"shift+tab to kitty", "\x1b[Z", outerLegacy, kitty1, "\x1b[9;2u"},
		{"text to kitty 8", "aA", outerLegacy, kitty8, "\x1b[97u\x1b[97;2u"},
		{"text to all of kitty", "aA", outerLegacy, kitty31, "\x1b[97;;97u\x1b[97:65;2;65u"},
		{"enter to kitty 8", "\r", outerLegacy, kitty8, "\x1b[13u"},

		// From modifyOtherKeys.
		{"B34 shift+enter to legacy", "\x1b[27;2;13~", outerModify, legacy, "\r"},
		{"B34 shift+enter verbatim", "\x1b[27;2;13~", outerModify, modify2, "\x1b[27;2;13~"},
		{"shift+enter to modify 1", "\x1b[27;2;13~", outerModify, modify1, "\x1b[27;2;13~"},
		{"shift+enter to kitty", "\x1b[27;2;13~", outerModify, kitty1, "\x1b[13;2u"},
		{"ctrl+= to legacy", "\x1b[27;5;61~", outerModify, legacy, "="},
		{"ctrl+a to legacy", "\x1b[27;5;97~", outerModify, legacy, "\x01"},
		{"ctrl+a to modify 1", "\x1b[27;5;97~", outerModify, modify1, "\x01"},
		{"ctrl+shift+a to kitty", "\x1b[27;6;65~", outerModify, kitty1, "\x1b[97;6u"},
		{"alt+shift+a to legacy", "\x1b[27;4;65~", outerModify, legacy, "\x1bA"},

		// From kitty.
		{"B34 kitty shift+enter verbatim", "\x1b[13;2u", outerKitty1, kitty1, "\x1b[13;2u"},
		{"B34 kitty shift+enter to legacy", "\x1b[13;2u", outerKitty, legacy, "\r"},
		{"B34 kitty shift+enter to modify", "\x1b[13;2u", outerKitty, modify2, "\x1b[27;2;13~"},
		{"kitty ctrl+=", "\x1b[61;5u", outerKitty, legacy, "="},
		{"kitty ctrl+= to modify 1", "\x1b[61;5u", outerKitty, modify1, "\x1b[27;5;61~"},
		{"kitty text to legacy", "\x1b[97;;97u\x1b[97:65;2;65u\x1b[228;;228u", outerKitty, legacy, "aAä"},
		{"kitty text without text", "\x1b[97:65;2u\x1b[49:33;2u\x1b[97;65u", outerKitty, legacy, "A!A"},
		{"kitty release to legacy", "\x1b[97;1:3u\x1b[1;1:3A", outerKitty, legacy, ""},
		{"kitty repeat to legacy", "\x1b[97;1:2;97u\x1b[1;1:2A", outerKitty, legacy, "a\x1b[A"},
		{"kitty events to flags 3", "\x1b[97;;97u\x1b[97;1:3u\x1b[1;1:2A", outerKitty, kitty3, "a\x1b[97;1:3u\x1b[1;1:2A"},
		{"kitty release of enter", "\x1b[13;1:3u", outerKitty, kitty3, ""},
		{"kitty events to flags 1", "\x1b[97;5:3u\x1b[97;5:2u", outerKitty, kitty1, "\x1b[97;5u"},
		{"kitty ctrl+c", "\x1b[99;5u", outerKitty, legacy, "\x03"},
		{"kitty ctrl+c on a Cyrillic layout", "\x1b[1089::99;5u", outerKitty, legacy, "\x03"},
		{"kitty ctrl+shift+2", "\x1b[50:64;6u", outerKitty, legacy, "\x00"},
		{"kitty alternates kept", "\x1b[1089::99;5u", outerKitty, kitty5, "\x1b[1089::99;5u"},
		{"kitty alternates dropped", "\x1b[1089::99;5u", outerKitty, kitty1, "\x1b[1089;5u"},
		{"kitty escape", "\x1b[27u\x1b[27;3u", outerKitty, legacy, "\x1b\x1b\x1b"},
		{"kitty tab", "\x1b[9u\x1b[9;2u\x1b[9;5u\x1b[9;3u", outerKitty, legacy, "\t\x1b[Z\t\x1b\t"},
		{"kitty backspace", "\x1b[127u\x1b[127;5u\x1b[127;3u", outerKitty, legacy, "\x7f\b\x1b\x7f"},
		{"kitty keypad", "\x1b[57404u\x1b[57414u\x1b[57417u\x1b[57413;;43u", outerKitty, legacy, "5\r\x1b[D+"},
		{"kitty keypad to application", "\x1b[57404;129u\x1b[57414u", outerKitty, appKeypad, "\x1bOu\x1bOM"},
		{"kitty locks to legacy", "\x1b[1;65A\x1b[97;197u", outerKitty, legacy, "\x1b[A\x01"},
		{"kitty locks on keys that type", "\x1b[97;197u", outerKitty, kitty1, "\x1b[97;5u"},
		{"kitty modifier by itself", "\x1b[57441;2u", outerKitty, kitty1, ""},
		{"kitty modifier by itself, wanted", "\x1b[57441;2u", outerKitty, kitty8, "\x1b[57441;2u"},
		{"kitty super+a has no legacy form", "\x1b[97;9u", outerKitty, legacy, ""},
		{"kitty super+left", "\x1b[1;9D", outerKitty, legacy, "\x1b[1;9D"},
		{"kitty F13 and media", "\x1b[57376u\x1b[57430u", outerKitty, legacy, "\x1b[25~"},
		{"kitty F1", "\x1b[P\x1b[1;5P\x1b[13;5~", outerKitty, legacy, "\x1bOP\x1b[1;5P\x1b[1;5R"},
		{"kitty composed text", "\x1b[0;;228:246u", outerKitty, legacy, "äö"},
		{"kitty arrow to DECCKM", "\x1b[A", outerKitty, appCursor, "\x1bOA"},

		// Pointer, focus and paste by the program's modes.
		{"pointer unasked", "\x1b[<0;3;4M", outerLegacy, legacy, ""},
		{"pointer to SGR", "\x1b[<0;3;4M\x1b[<0;3;4m", outerLegacy, vt.Modes{Mouse: vt.MouseNormal, MouseEncoding: vt.MouseEncodingSGR}, "\x1b[<0;3;4M\x1b[<0;3;4m"},
		{"pointer to X10 bytes", "\x1b[<0;3;4M\x1b[<0;3;4m", outerLegacy, vt.Modes{Mouse: vt.MouseNormal}, "\x1b[M #$\x1b[M##$"},
		{"pointer too far for a byte", "\x1b[<0;300;4M", outerLegacy, vt.Modes{Mouse: vt.MouseNormal}, ""},
		{"pointer to UTF-8", "\x1b[<0;300;4M", outerLegacy, vt.Modes{Mouse: vt.MouseNormal, MouseEncoding: vt.MouseEncodingUTF8}, "\x1b[M Ō$"},
		{"pointer to urxvt", "\x1b[<0;300;4M\x1b[<0;3;4m", outerLegacy, vt.Modes{Mouse: vt.MouseNormal, MouseEncoding: vt.MouseEncodingURXVT}, "\x1b[32;300;4M\x1b[35;3;4M"},
		{"pointer to pixels", "\x1b[<0;3;4M", outerLegacy, vt.Modes{Mouse: vt.MouseNormal, MouseEncoding: vt.MouseEncodingSGRPixel}, "\x1b[<0;26;71M"},
		{"motion by tracking", "\x1b[<35;3;4M\x1b[<32;3;4M", outerLegacy, vt.Modes{Mouse: vt.MouseButton, MouseEncoding: vt.MouseEncodingSGR}, "\x1b[<32;3;4M"},
		{"all motion", "\x1b[<35;3;4M", outerLegacy, vt.Modes{Mouse: vt.MouseAny, MouseEncoding: vt.MouseEncodingSGR}, "\x1b[<35;3;4M"},
		{"mode 9 has presses only", "\x1b[<4;3;4M\x1b[<4;3;4m\x1b[<64;3;4M", outerLegacy, vt.Modes{Mouse: vt.MouseX10}, "\x1b[M #$"},
		{"B38 wheel, asked for", "\x1b[<64;10;10M", outerLegacy, vt.Modes{Mouse: vt.MouseNormal, MouseEncoding: vt.MouseEncodingSGR, AltScreen: true, AltScroll: true}, "\x1b[<64;10;10M"},
		{"B38 wheel on the alternate screen", "\x1b[<64;10;10M", outerLegacy, vt.Modes{AltScreen: true, AltScroll: true, AppCursor: true}, "\x1bOA\x1bOA\x1bOA"},
		{"B38 wheel on the main screen", "\x1b[<64;10;10M", outerLegacy, vt.Modes{AltScroll: true}, ""},
		{"focus", "\x1b[I\x1b[O", outerLegacy, vt.Modes{FocusEvents: true}, "\x1b[I\x1b[O"},
		{"focus unasked", "\x1b[I\x1b[O", outerLegacy, legacy, ""},
		{"B32 paste unbracketed", "\x1b[200~hi\n\x1b[201~", outerLegacy, legacy, "hi\r"},
		{"B32 paste bracketed", "\x1b[200~hi\r\nyou\x1b[201~", outerLegacy, vt.Modes{BracketedPaste: true}, "\x1b[200~hi\ryou\x1b[201~"},
		{"paste cleaned", "\x1b[200~a\x1b[Ab\u009bc\x9bd✛\x1b[201~", outerLegacy, vt.Modes{BracketedPaste: true}, "\x1b[200~a[Abcd✛\x1b[201~"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := forward(tt.in, tt.outer, tt.inner); got != tt.want {
				t.Errorf("%q: %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

// B31: what a paste contains cannot leave its brackets, in one piece or in many.
func TestPasteStaysInItsBrackets(t *testing.T) {
	m := vt.Modes{BracketedPaste: true}
	got := string(AppendPaste(nil, []byte("safe\x1b[201~\rtouch /tmp/pwn\r"), m))
	if want := "\x1b[200~safe\rtouch /tmp/pwn\r\x1b[201~"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	rapid.Check(t, func(t *rapid.T) {
		in := inputs().Draw(t, "in")
		out := string(AppendPaste(nil, in, m))
		body := strings.TrimSuffix(strings.TrimPrefix(out, pasteStart), pasteEnd)
		if len(body) != len(out)-12 || strings.ContainsAny(body, "\x1b\n") || strings.ContainsRune(body, 0x9b) {
			t.Fatalf("%q became %q", in, out)
		}
	})
}

// A key of the kitty protocol with all flags comes out as it came in, and
// means the same after a second terminal's reading.
func TestKittyKeysAreKept(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := genKey().Draw(t, "key")
		m := vt.Modes{Kitty: 31}
		out := AppendKey(nil, k, m)
		var again []Key
		var tz Tokenizer
		tz.Feed(out, func(tok Token) {
			if tok.Kind != KindKey {
				t.Fatalf("%+v became %q, read as %s", k, out, say(tok))
			}
			again = append(again, tok.Key)
		})
		if len(again) != 1 {
			t.Fatalf("%+v became %q, read as %d keys", k, out, len(again))
		}
		if twice := string(AppendKey(nil, again[0], m)); twice != string(out) {
			t.Fatalf("%+v became %q, then %q", k, out, twice)
		}
		if again[0].Code != k.Code || again[0].Mods != k.Mods || again[0].Event != k.Event {
			t.Fatalf("%+v became %q, read as %+v", k, out, again[0])
		}
	})
}

func genKey() *rapid.Generator[Key] {
	return rapid.Custom(func(t *rapid.T) Key {
		k := Key{
			Code:  rapid.OneOf(rapid.RuneFrom([]rune("abcxyz019=-[]\\;'/ äс中")), rapid.Int32Range(Insert, Level5Shift), rapid.SampledFrom([]rune{Tab, Enter, Escape, Backspace})).Draw(t, "code"),
			Mods:  Mods(rapid.Byte().Draw(t, "mods")),
			Event: Event(rapid.IntRange(1, 3).Draw(t, "event")),
		}
		if rapid.Bool().Draw(t, "base") && !isFunctional(k.Code) {
			k.Base = rapid.RuneFrom([]rune("abc")).Draw(t, "base")
		}
		return k
	})
}

// Whatever a key is written as for a program, no program's protocol lets it
// become text or another key: what is read back has the same name or less.
func TestEveryProtocolReadsBackTheKey(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := genKey().Draw(t, "key")
		k.Event = Press
		m := rapid.SampledFrom([]vt.Modes{legacy, appCursor, appKeypad, modify1, modify2, kitty1, kitty3, kitty8}).Draw(t, "modes")
		out := AppendKey(nil, k, m)
		var tz Tokenizer
		tokens := 0
		emit := func(tok Token) {
			tokens++
			if tok.Kind != KindKey && tok.Kind != KindText {
				t.Fatalf("%+v became %q, read as %s", k, out, say(tok))
			}
		}
		tz.Feed(out, emit)
		tz.Flush(emit)
		if tokens > 2 || tokens == 2 && out[0] != 0x1b {
			t.Fatalf("%+v became %q, %d tokens", k, out, tokens)
		}
	})
}
