//go:build unix

package e2e

import (
	"fmt"
	"strings"
	"testing"
)

// hostScreen is what api read-screen says of a session.
type hostScreen struct {
	Lines  []string
	Title  string
	First  uint64 `json:"first_row"`
	Screen uint64 `json:"screen_row"`
}

func (in *instance) readScreen(key string) (s hostScreen) {
	in.t.Helper()
	in.api(&s, "read-screen", key)
	for i := range s.Lines {
		s.Lines[i] = strings.TrimRight(s.Lines[i], " ")
	}
	return s
}

// B44, B45, B47, B62: what a program prints comes out right at the host and at
// a client, character by character.
func TestWhatIsPrintedComesOutRight(t *testing.T) {
	t.Parallel()
	in := start(t)
	c := in.attach(60, 20).ready() // one panel: the pane is the whole width
	key := in.session("tab-1/pane-1").Key
	c.resize(20, 20)
	in.eventually("the new size", func() bool { return in.session("tab-1/pane-1").Cols == 20 })
	n := 0
	for name, tc := range map[string]struct {
		print string
		want  []string
		title string
	}{
		"a title with a character that holds a C1 byte": {print: `\033]0;✳ Claude Code\a.`, want: []string{"."}, title: "✳ Claude Code"},
		"a title in wide characters":                    {print: `\033]2;日本語\033\\.`, want: []string{"."}, title: "日本語"},
		"a title in quotes":                             {print: `\033]2;“x”\a.`, want: []string{"."}, title: "“x”"},
		"a notification":                                {print: `\033]9;Build ✓ ok\a.`, want: []string{"."}},
		"a directory":                                   {print: `\033]7;file://h/✳x\a.`, want: []string{"."}},
		"a link":                                        {print: `\033]8;;http://h/✳\ax\033]8;;\a.`, want: []string{"x."}},
		"a device control string":                       {print: `\033Pz✳\033\\.`, want: []string{"."}},
		"a wide character that does not fit":            {print: `1234567890123456789中`, want: []string{"1234567890123456789", "中"}},
		"a combining accent":                            {print: `e\xcc\x81x`, want: []string{"e\u0301x"}},
		"margins beyond the screen":                     {print: `\033[1;99r\033[H\033Mtop\033[r`, want: []string{"top"}},
	} {
		n++
		mark := fmt.Sprintf("=%d=", n) // tells this case's screen from the last one's
		tc.want = append(tc.want, mark)
		c.run(`clear; printf '` + tc.print + `\r\n` + mark + `'; read -rs _`)
		var got hostScreen
		eventually(t, name, func() bool {
			got = in.readScreen(key)
			return strings.Join(got.Lines[:len(tc.want)], "\n") == strings.Join(tc.want, "\n") && (tc.title == "" || got.Title == tc.title)
		}, func() string { return got.Title + "\n" + strings.Join(got.Lines, "\n") })
		eventually(t, name+", at the client", func() bool {
			lines := c.lines()
			for i, want := range tc.want {
				if strings.TrimRight(lines[i+1], " ") != want {
					return false
				}
			}
			return true
		}, c.screen)
		c.send("\r")
		c.atPrompt()
	}
}

// B50: CSI 3 J empties the history and leaves the screen.
func TestErasingTheHistoryLeavesTheScreen(t *testing.T) {
	t.Parallel()
	in := start(t)
	c := in.attach(100, 30).ready()
	c.run("seq 200; clear -x; seq 5; printf '\\033[3J'; echo k\"ept\"")
	c.sees("kept")
	key := in.session("tab-1/pane-1").Key
	var got hostScreen
	eventually(t, "no history, and the screen", func() bool {
		got = in.readScreen(key)
		return got.First == got.Screen && strings.Contains(strings.Join(got.Lines, "\n"), "1\n2\n3\n4\n5\nkept")
	}, func() string { return strings.Join(got.Lines, "\n") })
	c.seesMatch(`│5$`)
}
