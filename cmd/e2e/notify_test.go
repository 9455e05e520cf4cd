//go:build unix

package e2e

import (
	"bytes"
	"strings"
	"testing"
)

// B116: a program's notification reaches each client that does not look at its
// tab once, whole, clean and between frames, however it is wrapped, and never
// afterwards.
func TestANotificationReachesWhoDoesNotLook(t *testing.T) {
	t.Parallel()
	in := start(t)
	a := in.attach(100, 30).ready()
	var others []*client
	for range 2 {
		c := in.attach(90, 25).ready()
		others = append(others, c)
	}
	others[0].send("\x14")
	others[0].sees(" 2 shell")
	others[0].atPrompt()
	others[1].send("\x012")
	others[1].losesSight("no such tab")
	key := in.session("tab-1/pane-1").Key
	for _, tc := range []struct{ print, want string }{
		{`\033]9;hello ✓\a`, "hello ✓"},
		{`\033Ptmux;\033\033]9;wrapped\a\033\\`, "wrapped"},
		{`\033]777;notify;title;body\033\\`, "title: body"},
		{`\033]9;with \001\xc2\x9b31m controls\a`, "with "},
		{`\033]9;4x is no progress\a`, " 4x is no progress"},
	} {
		in.api(nil, "send-keys", key, "--literal", `printf '`+tc.print+`'`+"\n")
		for i, c := range others {
			eventually(t, tc.want, func() bool { return bytes.Contains(c.sentBytes(), []byte("\x1b]9;"+tc.want)) },
				func() string { raw := c.sentBytes(); return string(raw[max(len(raw)-400, 0):]) })
			if n := bytes.Count(c.sentBytes(), []byte("\x1b]9;"+tc.want)); n != 1 {
				t.Errorf("client %d got %q %d times", i, tc.want, n)
			}
		}
	}
	for i, c := range others {
		raw := c.sentBytes()
		if at := insideFrame(raw, []byte("\x1b]9;")); at >= 0 {
			t.Errorf("client %d got a notification inside a frame: %q", i, raw[at:min(at+40, len(raw))])
		}
		for rest := range strings.SplitSeq(string(raw), "\x1b]9;") {
			if text, _, ok := strings.Cut(rest, "\x1b\\"); !ok || strings.HasPrefix(text, "with ") && strings.ContainsAny(text, "\x01\x1b\u009b") {
				t.Errorf("client %d got a notification that is not clean: %.60q", i, rest)
			}
		}
	}
	a.sees("printf")
	if bytes.Contains(a.sentBytes(), []byte("\x1b]9;")) {
		t.Error("who looks at the tab is notified too")
	}

	// Progress is no notification, and a flood of them is few.
	in.api(nil, "send-keys", key, "--literal", `clear; printf '\033]9;4;1;50\a'; i=0; while [ $i -lt 1000 ]; do printf '\033]9;flood %d\a' $i; i=$((i+1)); done; echo fl"ooded"`+"\n")
	a.sees("flooded")
	eventually(t, "the last of the flood", func() bool { return bytes.Contains(others[0].sentBytes(), []byte("]9;flood 999\x1b\\")) }, nil)
	if n := bytes.Count(others[0].sentBytes(), []byte("]9;flood")); n > 40 {
		t.Errorf("%d notifications of a flood", n)
	}
	if bytes.Contains(others[0].sentBytes(), []byte("]9;4;1")) {
		t.Error("progress is told as a notification")
	}

	// Who comes later hears nothing of it.
	d := in.attach(80, 24)
	d.atPrompt()
	d.send("\x011")
	d.sees("flooded")
	d.echoes(1)
	if raw := d.sentBytes(); bytes.Contains(raw, []byte("\x1b]9;")) || bytes.Contains(bytes.ReplaceAll(raw, []byte("\a\x1b"), nil), []byte("\a")) {
		t.Error("a client is told what was before it came")
	}
}
