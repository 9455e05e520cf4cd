package daemon

import "moorage/workspace"

// cutOff takes in what the daemon before this one has left undone: what had failed, and what it was still at when it ended. That is shown as
// failed, so that it can be tried again or dismissed.
func (s *state) cutOff(in indexed) {
	s.clones = in.clones
	for i := range s.clones {
		if c := &s.clones[i].View; c.Failed == "" {
			c.Failed = "the daemon ended while it was being cloned"
		}
	}
	for id, w := range in.failed {
		if _, ok := s.tasks[id]; ok {
			s.work[id] = &w
		}
	}
	for id, task := range s.tasks {
		if task.Begun && s.work[id] == nil {
			s.work[id] = &workspace.Work{What: makingWorktree, Failed: "the daemon ended while it was being made", Since: task.Updated}
		}
	}
}
