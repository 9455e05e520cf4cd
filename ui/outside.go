package ui

import (
	"context"

	"moorage/ptyhost/vt"
	"moorage/workspace"
)

// Daemon is what a client can ask of the daemon. Each method blocks until it
// is answered: they are called from commands.
type Daemon interface {
	AddTask(context.Context, workspace.TaskAdd) (workspace.Added, error)
	RenameTask(context.Context, workspace.TaskRename) error
	MoveTask(ctx context.Context, task string, to int) error
	DeleteTask(context.Context, workspace.TaskDelete) error
	MakeTask(context.Context, string) error
	SetTask(context.Context, workspace.TaskSet) error
	SetRoot(context.Context, workspace.RootSet) (workspace.Rooted, error)
	OpenFile(context.Context, workspace.TaskOpen) error
	ClearWork(ctx context.Context, task string) error
	RemoveProject(context.Context, string) error
	DropWorktree(context.Context, workspace.WorktreeDrop) error
	TaskLoss(context.Context, string) (workspace.Loss, error)
	LandTask(context.Context, workspace.TaskLand) (workspace.Landed, error)
	AddProject(context.Context, string) (workspace.Project, error)
	CloneProject(context.Context, workspace.ProjectClone) (workspace.Project, error)
	DropClone(context.Context, workspace.CloneRef) error
	Bases(context.Context, string) ([]workspace.BaseRef, error)
	AdoptWorktrees(context.Context, workspace.WorktreeAdopt) ([]workspace.AdoptResult, error)
	WorktreeLoss(context.Context, workspace.WorktreeRef) (workspace.Loss, error)
	Files(context.Context, workspace.FilesQuery) (workspace.FilesView, error)
	Diff(context.Context, workspace.DiffQuery) (workspace.DiffView, error)
	Notes(ctx context.Context, task string) ([]workspace.Note, error)
	PutNote(context.Context, workspace.NotePut) (workspace.Note, error)
	DropNote(context.Context, workspace.NoteRef) error
	SendNotes(context.Context, workspace.NotesSend) (workspace.NotesSent, error)
	Send(context.Context, workspace.Send) (workspace.Sent, error)
	Worktrees(context.Context) ([]workspace.WorktreeRow, error)
	Conversations(ctx context.Context, task string) (workspace.Conversations, error)
	TakeUp(context.Context, workspace.ConversationOpen) (workspace.Added, error)
	AddTab(context.Context, workspace.TabAdd) (workspace.Added, error)
	CloseTab(context.Context, workspace.TabRef) error
	RenameTab(context.Context, workspace.TabRename) error
	MoveTab(ctx context.Context, tab workspace.TabRef, to int) error
	SelectTab(context.Context, workspace.TabSelect) error
	Seen(context.Context, workspace.TabRef) error
	Hooks(context.Context, workspace.Hooks) (workspace.Hooks, error)
	Place(ctx context.Context, client string) (workspace.Place, error)
	SetNotify(context.Context, workspace.NotifySet) error
	SplitPane(context.Context, workspace.PaneSplit) (workspace.Added, error)
	ClosePane(context.Context, workspace.PaneRef) error
	ResetPane(context.Context, workspace.PaneOpen) error
	SetRatio(context.Context, workspace.SplitRatio) error
	SwapPanes(context.Context, workspace.PaneSwap) error
	MovePane(context.Context, workspace.PaneMove) (workspace.Added, error)
	ArrangeTab(context.Context, workspace.TabArrange) error
	SetPolicy(context.Context, workspace.TabPolicy) error
	Restore(context.Context, workspace.Restore) (workspace.Report, error)
	Report(context.Context, workspace.ReportRef) (workspace.Report, error)
	Exits(context.Context) ([]workspace.ExitRecord, error)
}

// World is what the daemon says of everything, and how it stands itself.
type World struct {
	workspace.Snapshot
	Up      bool   // false: the snapshot is the last one seen
	Problem string // why it is not up, or that it does not answer
}

// Size is a session's size in columns and rows.
type Size struct{ Cols, Rows int }

// Screens are the mirrors of sessions, as one client uses them. No method but
// Busy blocks.
type Screens interface {
	// Show returns a session's screen, opening the session at that size if it
	// does not exist. It stays shown until Hide.
	Show(task workspace.Task, tab, pane string, size Size) (Screen, error)
	Hide(key string)
	// Retry starts a dead session's program again below its screen, or
	// attaches anew to one that could not be started.
	Retry(key string)
	// Look, Lay and Act settle whose size a tab's sessions have: Look when the
	// client turns to a tab, Lay when its layout changed by somebody else's
	// doing, Act when the client types.
	Look(tab string, sizes map[string]Size)
	Lay(sizes map[string]Size)
	Act()
	// Events returns and clears what happened since the last call.
	Events() []Event
	// Busy says what runs in a session beside its waiting shell; "" for
	// nothing. An error means that nobody could look. It blocks: for commands.
	Busy(ctx context.Context, key string) (string, error)
	// Warning is what is wrong with the host; "" for nothing.
	Warning() string
	// SetColors tells the host the client's own colours.
	SetColors(fg, bg vt.Color)
}

// Standing says how a screen stands to its session.
type Standing uint8

// The standings. In all but Attached the mirror shows the last that was seen.
const (
	Connecting Standing = iota
	Attached
	Ended  // the program has ended
	Away   // the PTY host cannot be reached
	Failed // the session could not be started
	Thawed // restored from disk: its program is being started again, or waits
)

// Screen is the mirror of one session.
type Screen interface {
	// Read calls f with the mirror. f must be quick and keep nothing of it.
	Read(f func(*vt.Mirror))
	// Rev is the mirror's revision. Unlike Read it does not count as having
	// seen it.
	Rev() uint64
	// Life tells one session of a key from the next.
	Life() uint64
	// Status returns how the screen stands and a sentence about what is wrong.
	Status() (Standing, string)
	// Input queues bytes for the program; false when nothing was taken.
	Input(p []byte) bool
	// Typist reports whether this client was the last to type into it.
	Typist() bool
	// Rows fetches scrollback in vt's packed form. It blocks: for commands.
	Rows(ctx context.Context, first uint64, count int) ([]byte, error)
}

// EventKind says what an Event is.
type EventKind uint8

// The kinds of events.
const (
	EventClipboard EventKind = iota // its program set the clipboard to Data
	EventRefused                    // input was not taken: Text says why
)

// Event is something that happened in a session.
type Event struct {
	Kind EventKind
	Key  string // of the session
	Text string
	Data []byte
}

// Output takes the bytes that are drawn.
type Output interface {
	// Ready reports whether a frame may be submitted; echo says that it shows
	// what became of a key. Where it may not, the program gets a ReadyMsg as
	// soon as it may.
	Ready(echo bool) bool
	// Submit takes a frame and gives a buffer to draw the next one in.
	Submit(frame []byte) (spare []byte)
	// Hurry says that the client has just typed: its echo should not wait for
	// the pace of frames.
	Hurry()
}

// Messages from outside to the program.
type (
	// InputMsg is what came from the client's terminal; it is the program's.
	InputMsg []byte
	// SizeMsg is the size of the client's terminal.
	SizeMsg Size
	// WorldMsg is the newest of what the daemon says.
	WorldMsg World
	// ScreenMsg says that a shown screen changed or an event waits.
	ScreenMsg struct{}
	// ReadyMsg says that the Output can take a frame.
	ReadyMsg struct{}
	// GoodbyeMsg asks the program to end, with a line to leave behind.
	GoodbyeMsg string
)
