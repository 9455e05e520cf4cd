//go:build unix

package ptyhost

import "testing"

func TestAWindowsFocusIsNoTyping(t *testing.T) {
	c, _ := serve(t, nil)
	const key = "t/tab-1/pane-1"
	open(t, c, key, "stty raw -echo; echo ready; cat -v")
	shows(t, c, key, "ready")
	handle, _, err := c.Watch(t.Context(), key, 0, func([]byte) {})
	if err != nil {
		t.Fatal(err)
	}
	typed := func(input, shown string) bool {
		t.Helper()
		if err := c.Input(handle, []byte(input)); err != nil {
			t.Fatal(err)
		}
		shows(t, c, key, shown)
		r, err := c.Peek(t.Context(), key)
		if err != nil {
			t.Fatal(err)
		}
		return !r.Typed.IsZero()
	}
	if typed("\x1b[I", "^[[I") || typed("\x1b[O", "^[[O") {
		t.Error("it counts as typing")
	}
	if !typed("x", "^[[Ox") {
		t.Error("typing does not")
	}
}

func TestWhatHasTheTerminalIsNamed(t *testing.T) {
	c, _ := serve(t, nil)
	foreground := func(key, line, shown string) string {
		t.Helper()
		open(t, c, key, line)
		shows(t, c, key, shown)
		r, err := c.Peek(t.Context(), key)
		if err != nil {
			t.Fatal(err)
		}
		return r.Foreground
	}
	if got := foreground("t/tab-1/pane-1", "sleep 1000 & while ! ps -o comm= -p $! | grep -q sleep; do :; done; echo ready; wait", "ready"); got != "sleep" {
		t.Errorf("a shell that runs a command is named %q", got)
	}
	if got := foreground("t/tab-2/pane-1", "PS1='at-the-prompt ' exec sh -i", "at-the-prompt"); got != "" {
		t.Errorf("a shell at its prompt is named %q", got)
	}
	if got := foreground("t/tab-3/pane-1", "echo ready; read x; echo", "ready"); got != "sh" {
		t.Errorf("a shell that reads for its script is named %q", got)
	}
}
