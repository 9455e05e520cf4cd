package workspace

import "time"

// Project is a saved repository: tasks with worktrees of their own are made in it.
type Project struct {
	ID      string    `json:"id"` // a ULID
	Title   string    `json:"title"`
	Dir     string    `json:"dir"`     // where git is asked about it: its checkout, or the bare repository
	Common  string    `json:"common"`  // the directory of its refs and objects: what makes two checkouts one repository
	Default string    `json:"default"` // the branch that work begins at
	Added   time.Time `json:"added"`
}

// Clone is a repository that is being cloned, or that could not be.
type Clone struct {
	ID     string    `json:"id"`  // a ULID
	URL    string    `json:"url"` // without its credentials, fit to be drawn
	Parent string    `json:"parent"`
	Line   string    `json:"line,omitempty"`   // git's newest line of progress
	Failed string    `json:"failed,omitempty"` // why it failed; then it may be tried again or dismissed
	Since  time.Time `json:"since"`
}

// Work is something that is being done to a task, or that failed.
type Work struct {
	What   string    `json:"what"`             // in words: "making the worktree"
	Line   string    `json:"line,omitempty"`   // the newest line of progress
	Failed string    `json:"failed,omitempty"` // why it failed; then nothing goes on, and the same may be asked for again
	Since  time.Time `json:"since"`
}

// Counts are what a task's worktree has beside its base.
type Counts struct {
	Known   bool `json:"known"`
	Added   int  `json:"added"` // lines, against where the branch left its base
	Removed int  `json:"removed"`
	Ahead   int  `json:"ahead"` // commits, against the base
	Behind  int  `json:"behind"`
	Dirty   bool `json:"dirty,omitempty"`
}

// Loss is what would be lost or kept if a task, or a worktree, were deleted: what a confirmation has to say.
type Loss struct {
	Worktree  string   `json:"worktree,omitempty"` // the directory that goes, shown safely; "" when none does
	Branch    string   `json:"branch,omitempty"`   // that stays
	Live      int      `json:"live"`               // sessions that would be ended
	Changed   []string `json:"changed,omitempty"`  // shown safely; at most maxNamed of each
	Untracked []string `json:"untracked,omitempty"`
	Ignored   []string `json:"ignored,omitempty"`
	Unpushed  int      `json:"unpushed,omitempty"` // commits that are neither on a remote nor in the base
	// Gone says that the directory is gone already. Then Changed is what git still has staged, and Adrift counts commits on no branch.
	Gone   bool `json:"gone,omitempty"`
	Adrift int  `json:"adrift,omitempty"`
	// Refused says why it is not done without force, and Forced why not even with it; "" when it is.
	Refused string `json:"refused,omitempty"`
	Forced  string `json:"forced,omitempty"`
}

// WorktreeRow is a worktree of a saved project, as the page of worktrees shows it.
type WorktreeRow struct {
	Project string `json:"project"` // its id
	Dir     string `json:"dir"`
	Show    string `json:"show"` // Dir, fit to be drawn
	// Problem is why nobody could look at the project: the row stands for all of its worktrees then, and Dir is the project's.
	Problem   string    `json:"problem,omitempty"`
	Branch    string    `json:"branch,omitempty"`
	Task      string    `json:"task,omitempty"` // the task that has it
	Main      bool      `json:"main,omitempty"`
	Locked    string    `json:"locked,omitempty"` // why; "locked" without a reason
	Gone      bool      `json:"gone,omitempty"`   // its directory is
	Dirty     string    `json:"dirty"`            // yes, no or unknown; likewise below
	Pushed    string    `json:"pushed"`           // all of its commits are on a remote
	Merged    string    `json:"merged"`
	Committed time.Time `json:"committed,omitzero"`
}
