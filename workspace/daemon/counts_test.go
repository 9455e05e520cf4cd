package daemon

import (
	"os"
	"path/filepath"
	"testing"

	"moorage/workspace"
)

// A daemon that has just begun has seen no change: the first client has it count everything once.
func TestAFreshDaemonCountsEveryTask(t *testing.T) {
	r := newRig(t)
	c := r.client()
	dir := gitRepo(t)
	must(c.AddProject(t.Context(), dir))(t)
	c.Close()
	r.halt()
	ok(t, os.WriteFile(filepath.Join(dir, "new"), nil, 0o600))
	r.run()
	r.until("the file that nobody knows of is counted", func(s workspace.Snapshot) bool {
		return len(s.Tasks) == 1 && s.Tasks[0].Counts != nil && s.Tasks[0].Counts.Dirty
	})
}
