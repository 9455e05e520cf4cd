package paint

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestNotify(t *testing.T) {
	for _, tt := range []struct {
		name, title, body string
		form              NotifyForm
		want              string
	}{
		{"off", "t", "b", NotifyOff, ""},
		{"bell", "t", "b", NotifyBell, "\a"},
		{"osc 9", "", "Build ✓ ok", NotifyOSC9, "\x1b]9;Build ✓ ok\x1b\\"},
		{"osc 9 with a title", "moorage", "done", NotifyOSC9, "\x1b]9;moorage: done\x1b\\"},
		{"a digit is not progress", "", "4;1;50", NotifyOSC9, "\x1b]9; 4;1;50\x1b\\"},
		{"nothing escapes", "", "a\x1b]0;x\a\u009b\nb\tc\u202e", NotifyOSC9, "\x1b]9;a]0;x b c\x1b\\"},
		{"osc 777", "a;b", "c;d", NotifyOSC777, "\x1b]777;notify;a,b;c;d\x1b\\"},
		{"osc 99", "", "b", NotifyOSC99, "\x1b]99;;b\x1b\\"},
		{"osc 99 with a title", "t", "b", NotifyOSC99, "\x1b]99;i=moorage:d=0:p=title;t\x1b\\\x1b]99;i=moorage:p=body;b\x1b\\"},
	} {
		if got := string(AppendNotify(nil, tt.form, tt.title, tt.body)); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
	long := string(AppendNotify(nil, NotifyOSC9, "", "1"+strings.Repeat("é", 200)))
	if body := strings.TrimSuffix(strings.TrimPrefix(long, "\x1b]9;"), "\x1b\\"); len(body) > MaxNotify || !utf8.ValidString(body) {
		t.Errorf("%d bytes: %q", len(body), body)
	}
}

func TestClean(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) })).Draw(t, "s")
		n := rapid.IntRange(0, 40).Draw(t, "n")
		got := Clean(s, n)
		if len(got) > n || !utf8.ValidString(got) || !isClean(got) {
			t.Fatalf("%q to %d bytes: %q", s, n, got)
		}
		if Clean(got, n) != got {
			t.Fatalf("%q is cleaned again", got)
		}
	})
}

func TestClipboardAndTitle(t *testing.T) {
	if got := string(AppendClipboard(nil, []byte("hi\x1b"))); got != "\x1b]52;c;aGkb\x1b\\" {
		t.Errorf("clipboard: %q", got)
	}
	if got := AppendClipboard(nil, make([]byte, maxClipboard+1)); len(got) != 0 {
		t.Errorf("a clipboard too large gave %d bytes", len(got))
	}
	if got := string(AppendTitle(nil, "a\x1b\\b\u202ec")); got != "\x1b]2;a\\bc\x1b\\" {
		t.Errorf("title: %q", got)
	}
}
