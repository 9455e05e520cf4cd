package status

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
	"time"
)

func b64(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }

func TestAReportReplacesItsRecord(t *testing.T) {
	var r Records
	t0 := time.Unix(100, 0)
	for i, tc := range []struct {
		body    string
		changed bool
		want    string // of the root
		below   int
	}{
		{"state=idle:app=claude-code", true, "idle claude-code  @0", 0},
		{"state=working:app=claude-code", true, "working claude-code  @1", 0},
		{"state=working:app=claude-code:msg=" + b64("lab command"), true, "working claude-code lab command @1", 0},
		{"state=working:app=claude-code:msg=" + b64("lab command"), false, "working claude-code lab command @1", 0},
		{"state=blocked:app=claude-code:kind=permission:msg=" + b64("approve Bash: touch x"), true, "blocked claude-code approve Bash: touch x @4", 0},
		{"state=working:id=task/1:progress=50", true, "blocked claude-code approve Bash: touch x @4", 1},
		{"state=working:id=task/2:title=" + b64("build"), true, "blocked claude-code approve Bash: touch x @4", 2},
		{"state=clear:id=task", true, "blocked claude-code approve Bash: touch x @4", 0},
		{"state=done:app=claude-code", true, "done claude-code  @8", 0},
		{"state=clear", true, "", 0},
		{"state=clear", false, "", 0},
	} {
		if got := r.Report(tc.body, t0.Add(time.Duration(i)*time.Second)); got != tc.changed {
			t.Errorf("%q: changed is %v", tc.body, got)
		}
		root, ok := r.Root()
		got := ""
		if ok {
			got = fmt.Sprintf("%s %s %s @%d", root.State, root.App, root.Message, int(root.Since.Sub(t0).Seconds()))
		}
		if got != tc.want || r.Below() != tc.below {
			t.Errorf("after %q: %q and %d below, want %q and %d", tc.body, got, r.Below(), tc.want, tc.below)
		}
	}
}

func TestWhatBreaksTheProtocolIsDroppedWhole(t *testing.T) {
	var r Records
	r.Report("state=idle:app=good", time.Unix(1, 0))
	for _, body := range []string{
		"", "?", "?x", "state=busy", "state", "working", "app=x", "state=working:kind=permission", "state=blocked:kind=nap", "state=idle:progress=5",
		"state=working:progress=101", "state=working:progress=-1", "state=working:progress=+1", "state=working:progress=x", "state=working:progress=",
		"state=idle:app=" + strings.Repeat("a", 33), "state=idle:app=sp ace", "state=idle:app=\u00e9",
		"state=idle:id=", "state=idle:id=a//b", "state=idle:id=/a", "state=idle:id=a/b/c/d/e/f/g/h/i", "state=idle:id=" + strings.Repeat("a", 33),
		"state=idle:id=" + strings.Repeat("aaaaaaaaaaaaaaaa/", 8), "state=idle:msg=***", "state=idle:msg=" + b64("a\x1bb"), "state=idle:msg=" + b64("a\u009bb"),
		"state=idle:msg=" + b64("\xff"), "state=idle:msg=" + b64(strings.Repeat("x", 2049)), "state=idle:title=" + b64(strings.Repeat("x", 193)),
		"state=idle:msg=" + b64("line\nline"), "state=idle:x=" + strings.Repeat("y", 4096),
	} {
		if r.Report(body, time.Unix(2, 0)) {
			t.Errorf("%.60q changed something", body)
		}
	}
	if root, _ := r.Root(); root.State != "idle" || root.App != "good" {
		t.Errorf("the root is %+v", root)
	}
}

func TestWhatIsNotKnownIsPassedOver(t *testing.T) {
	var r Records
	if !r.Report("state=idle:colour=blue:msg="+strings.TrimRight(b64("ab"), "="), time.Unix(1, 0)) {
		t.Error("it was dropped")
	}
}

func TestTheOldestOfTooManyRecordsGoesAndNeverTheRoot(t *testing.T) {
	var r Records
	r.Report("state=working", time.Unix(1, 0))
	for i := range 1000 {
		r.Report(fmt.Sprintf("state=working:id=job/%d", i), time.Unix(2, 0))
	}
	if _, ok := r.Root(); !ok || r.Below() != maxRecords-1 {
		t.Errorf("root %v, %d below", ok, r.Below())
	}
	if !r.Report("state=clear:id=job/999", time.Unix(3, 0)) {
		t.Error("the newest is not there")
	}
}

func TestAnExitEndsWhatWorksAndAResetEverything(t *testing.T) {
	var r Records
	r.Report("state=done", time.Unix(1, 0))
	r.Report("state=working:id=a", time.Unix(1, 0))
	r.Report("state=error:id=b", time.Unix(1, 0))
	if !r.Exit() || r.Below() != 1 {
		t.Errorf("%d below after the exit", r.Below())
	}
	if root, ok := r.Root(); !ok || root.State != "done" {
		t.Error("what was done is forgotten")
	}
	if !r.Clear() || r.Below() != 0 || r.Clear() {
		t.Error("a reset leaves something")
	}
	if _, ok := r.Root(); ok {
		t.Error("a reset leaves the root")
	}
}

func FuzzReport(f *testing.F) {
	f.Add("state=blocked:app=claude-code:kind=permission:msg=YQ==")
	f.Fuzz(func(t *testing.T, body string) {
		var r Records
		r.Report("state=working:id=a/b", time.Unix(1, 0))
		r.Report(body, time.Unix(2, 0))
		if root, ok := r.Root(); ok && (len(root.Message) > maxMessage || len(root.Title) > maxTitle || strings.ContainsAny(root.Message+root.Title, "\x1b\a\n")) {
			t.Errorf("%+v", root)
		}
	})
}
