package workspace

// FilesQuery asks for the files of a task's directory. The answer waits for a change since Seen, which is the Version of the answer before,
// for a while; 0 waits for nothing.
type FilesQuery struct {
	Task    string `json:"task"`
	Changes bool   `json:"changes,omitempty"` // only what differs
	Scope   string `json:"scope,omitempty"`   // of Changes: "head", "base", or "" for the head if anything differs from it, else the base
	Seen    uint64 `json:"seen,omitempty"`
}

// FilesView is what the files pane lists.
type FilesView struct {
	Version uint64      `json:"version"`
	Same    bool        `json:"same,omitempty"` // nothing has changed since Seen, and nothing else is told
	Root    string      `json:"root"`
	Scope   string      `json:"scope,omitempty"` // of changes: head or base
	Name    string      `json:"name,omitempty"`  // what was compared with
	Commit  string      `json:"commit,omitempty"`
	Entries []FileEntry `json:"entries"`
	Cut     bool        `json:"cut,omitempty"` // there are more
	// Still says that changes are not noticed by themselves: the directory has too many folders, or the system watches none.
	Still bool `json:"still,omitempty"`
}

// FileEntry is one file. Path is bytes, relative to the root, and may be anything; Show is fit to be drawn.
type FileEntry struct {
	Path    []byte `json:"path"`
	Show    string `json:"show"`
	Status  string `json:"status,omitempty"` // of a change, as git says it: A, M, D, R, C, T, U or ?
	Added   int    `json:"added,omitempty"`
	Removed int    `json:"removed,omitempty"`
}
