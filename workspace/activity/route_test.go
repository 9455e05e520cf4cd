package activity

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"moorage/workspace"
)

func TestACallIsOfTheSessionWhoseProcessesMadeIt(t *testing.T) {
	places := []Place{
		{Key: "t/tab-1/pane-1", Task: "t", Tab: "tab-1", PID: 100},
		{Key: "t/tab-1/pane-2", Task: "t", Tab: "tab-1", PID: 150},
		{Key: "t/tab-2/pane-1", Task: "t", Tab: "tab-2", PID: 200},
		{Key: "t/tab-4/pane-1", Task: "t", Tab: "tab-4", PID: 400, Former: []workspace.TabRef{{Task: "t", Tab: "tab-3"}}},
	}
	roots := []Root{{"t", "/src/app"}, {"u", "/src/app/deep"}, {"w", `C:\Users\me\app`}}
	for _, tc := range []struct {
		sentence  string
		c         Caller
		key, task string
	}{
		{"its processes agree", Caller{"t", "tab-1", "/src/app", []int{900, 800, 100, 1}}, "t/tab-1/pane-1", "t"},
		{"of two panes the one whose processes agree", Caller{"t", "tab-1", "/src/app", []int{900, 150}}, "t/tab-1/pane-2", "t"},
		{"another tab is named than it came from", Caller{"t", "tab-1", "/src/app", []int{900, 200}}, "", "t"},
		{"it was in another tab before", Caller{"t", "tab-3", "/src/app", []int{900, 400}}, "t/tab-4/pane-1", "t"},
		{"another one that was there before is named", Caller{"t", "tab-3", "/src/app", []int{900, 200}}, "", "t"},
		{"nobody could look where it came from", Caller{"t", "tab-1", "/src/app", nil}, "", "t"},
		{"it names none", Caller{"", "", "/src/app/x", []int{900, 200}}, "", "t"},
		{"the longest directory counts", Caller{"", "", "/src/app/deep/er", nil}, "", "u"},
		{"a name that only begins alike is another", Caller{"", "", "/src/apple", nil}, "", ""},
		{"it lies nowhere", Caller{"t", "tab-1", "/tmp", []int{900}}, "", ""},
		{"it tells no directory", Caller{"t", "tab-1", "", nil}, "", ""},
		{"a drive's letter and separators", Caller{"", "", `c:/Users/me/app/src/`, nil}, "", "w"},
		{"and the other way round", Caller{"", "", `C:\Users\me\app\`, nil}, "", "w"},
		{"another drive", Caller{"", "", `D:\Users\me\app`, nil}, "", ""},
	} {
		key, task := Route(tc.c, places, roots)
		if key != tc.key || task != tc.task {
			t.Errorf("%s: %q of %q, want %q of %q", tc.sentence, key, task, tc.key, tc.task)
		}
	}
}

// No sequence of what other tabs tell changes a tab, though they share its directory and know its conversation's name.
func TestNoSequenceOfOtherTabsEventsChangesATab(t *testing.T) {
	places := []Place{
		{Key: "t/tab-1/pane-1", Task: "t", Tab: "tab-1", PID: 100},
		{Key: "t/tab-2/pane-1", Task: "t", Tab: "tab-2", PID: 200},
		{Key: "t/tab-3/pane-1", Task: "t", Tab: "tab-3", PID: 300},
	}
	roots := []Root{{"t", "/src/app"}}
	words := strings.Fields("start:a start:b end:a end:b prompt:a prompt:b tool:a ask:a answer:a stop:a bg:a limit:a fail:a esc:a")
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		board := map[string]*story{}
		for _, p := range places {
			board[p.Key] = begin()
			board[p.Key].play(t, "run start:a")
		}
		mine := board["t/tab-1/pane-1"]
		mine.play(t, []string{"prompt:a", "prompt:a stop:a", "prompt:a ask:a", "prompt:a limit:a", "exit:1", "prompt:a +10m"}[r.IntN(6)])
		before, asked := fmt.Sprintf("%+v", mine.state), len(mine.asked)
		var told []string
		for range 1 + r.IntN(30) {
			// Of tab 2 or 3, or of nobody's processes, or of nobody could look: whatever tab it names.
			c := Caller{Task: "t", Tab: fmt.Sprintf("tab-%d", 1+r.IntN(3)), Dir: "/src/app"}
			if from := r.IntN(4); from > 0 {
				c.Line = []int{900 + from, []int{0, 200, 300, 999}[from], 1}
			}
			word := words[r.IntN(len(words))]
			told = append(told, word)
			if key, _ := Route(c, places, roots); key != "" {
				board[key].play(t, word)
			}
		}
		if after := fmt.Sprintf("%+v", mine.state); after != before || len(mine.asked) != asked {
			t.Fatalf("seed %d: %v changed the tab from\n%s to\n%s", seed, told, before, after)
		}
	}
}

func TestAStateThatWasRestoredShowsTheSameBadge(t *testing.T) {
	b := workspace.Badge{Activity: workspace.ActivityNeedsInput, Since: time.Unix(5, 0), Source: workspace.SourceHook, Reason: "approve Bash"}
	if got := Restore(&b, "a", "/x", true).Badge(); got != b {
		t.Errorf("%+v", got)
	}
}
