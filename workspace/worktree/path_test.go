//go:build unix

package worktree

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// nastyNames are names that files may have.
var nastyNames = []string{
	"with space", `quo"te'd`, "new\nline", "-rf", "--force", "\xff\xfe not utf-8", "esc\x1b[31mred\x07", "back\\slash", "tab\there", "cr\r", " lead", "trail ",
	"$(touch pwned)", "`id`", "*", "?", "[x]", ":(top)x", "!bang", "#hash", "ünï", "\u202egnp.exe", "HEAD", "\"quoted\"",
}

func TestAPathIsShownSafelyAndUnlikeEveryOther(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.OneOf(rapid.String(), rapid.SampledFrom(nastyNames), rapid.Custom(func(t *rapid.T) string {
			return string(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes"))
		}))
		a, b := name.Draw(t, "a"), name.Draw(t, "b")
		shown := Display(a)
		if !utf8.ValidString(shown) || strings.ContainsFunc(shown, func(r rune) bool { return !unicode.IsPrint(r) }) {
			t.Fatalf("%q is shown as %q", a, shown)
		}
		if a != b && shown == Display(b) {
			t.Fatalf("%q and %q are both shown as %q", a, b, shown)
		}
	})
}
