package daemon

import (
	"strings"
	"testing"
)

func TestAnEchoIsSeenHoweverItIsShown(t *testing.T) {
	box := "╭──────╮\n│ > and│\n│  two │\n╰──────╯"
	for _, tc := range []struct {
		sentence, before, after, prompt string
		want                            bool
	}{
		{"on one line", "", "> say it", "say it", true},
		{"broken into a box", "> ", box, "one\nand two\n", true},
		{"its end is enough", "", "..." + strings.Repeat("x", 50), strings.Repeat("x", 5000), true},
		{"folded", "", "> [Pasted text #1 +90 lines]", strings.Repeat("line\n", 90), true},
		{"one that stood there before is none", "> say it", "> say it\nworking", "say it", false},
		{"a second one is", "> say it\nthe answer\n>", "> say it\nthe answer\n> say it", "say it", true},
		{"nothing", "> ", "> ", "say it", false},
	} {
		if got := echoes(tc.before, tc.after, tc.prompt); got != tc.want {
			t.Errorf("%s: %v", tc.sentence, got)
		}
	}
}
