//go:build unix

package engine

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The answer is that of opencode 1.18.33.
func TestOpencodeIsAskedForItsConversations(t *testing.T) {
	home, bin, dir := t.TempDir(), t.TempDir(), t.TempDir()
	program := filepath.Join(bin, "opencode")
	says := func(script string) {
		t.Helper()
		if err := os.WriteFile(program, []byte("#!/bin/sh\n"+script), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	at := Place{Dir: dir, Env: []string{"HOME=" + home, "PATH=" + bin + ":/usr/bin:/bin"}}
	list := func() ([]Stored, error) {
		e, _ := New().Named("opencode")
		return e.Conversations(t.Context(), at, func(d string) bool { return strings.HasPrefix(d, dir) })
	}
	says(`touch ran; exit 1`)
	if all, err := list(); len(all) != 0 || err != nil {
		t.Errorf("one that has never run has %v, %v", all, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "ran")); !errors.Is(err, os.ErrNotExist) {
		t.Error("one that has never run was started")
	}
	if err := os.MkdirAll(filepath.Join(home, ".local", "share", "opencode"), 0o700); err != nil {
		t.Fatal(err)
	}

	says(`[ "$*" = "--pure session list --format json --max-count 200" ] && [ "$PWD" = "` + dir + `" ] || exit 2
cat <<'X'
[
  {
    "id": "ses_older", "title": "First things", "updated": 1796074057436, "created": 1796074055214, "projectId": "global",
    "directory": "` + dir + `"
  },
  {"id": "ses_elsewhere", "title": "Other things", "updated": 1796074059000, "created": 1, "projectId": "global", "directory": "/elsewhere"},
  {"id": "ses_newer", "title": "New things", "updated": 1796074058436, "created": 1, "projectId": "global", "directory": "` + dir + `/sub"},
  {"id": "../../x", "title": "No id", "updated": 1796074058436, "created": 1, "projectId": "global", "directory": "` + dir + `"}
]
X
`)
	all, err := list()
	if err != nil || len(all) != 2 || all[0].ID != "ses_newer" || all[1].First != "First things" || !all[1].Changed.Equal(time.UnixMilli(1796074057436)) {
		t.Errorf("listed %+v, %v", all, err)
	}
	says("")
	if all, err := list(); len(all) != 0 || err != nil {
		t.Errorf("without a word: %v, %v", all, err)
	}
	for what, script := range map[string]string{
		"fails": "exit 3", "says something else": "echo moved", "never stops": "exec yes",
	} {
		says(script)
		if all, err := list(); err == nil || errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("one that %s: %v, %v", what, all, err)
		}
	}
}
