package workspace

import (
	"time"
)

// ProjectAdd saves the repository of a directory.
type ProjectAdd struct {
	Dir string `json:"dir"`
}

// ProjectClone clones a repository into a new directory of Parent and saves it; with Again it tries once more what failed under that id.
type ProjectClone struct {
	URL    string `json:"url,omitempty"`
	Parent string `json:"parent,omitempty"`
	Again  string `json:"again,omitempty"`
}

// CloneRef names a Clone.
type CloneRef struct {
	ID string `json:"id"`
}

// ProjectRef names a project.
type ProjectRef struct {
	Project string `json:"project"`
}

// BaseRef is a ref that work can begin at.
type BaseRef struct {
	Name string    `json:"name"`
	Ref  string    `json:"ref"`
	Kind string    `json:"kind"` // local, remote or tag
	Time time.Time `json:"time"`
}

// WorktreeRef names a worktree of a project.
type WorktreeRef struct {
	Project string `json:"project"`
	Dir     string `json:"dir"`
}

// WorktreeDrop removes a worktree; Force as for TaskDelete.
type WorktreeDrop struct {
	WorktreeRef
	Force bool `json:"force,omitempty"`
}

// WorktreeAdopt asks for a task for each of a project's worktrees.
type WorktreeAdopt struct {
	Project string   `json:"project"`
	Dirs    []string `json:"dirs"`
}

// AdoptResult is what became of one of them.
type AdoptResult struct {
	Dir   string `json:"dir"`
	Task  string `json:"task,omitempty"`
	Error string `json:"error,omitempty"`
}
