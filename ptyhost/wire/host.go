package wire

import (
	"fmt"
	"strings"
	"time"
)

// Methods of the PTY host.
const (
	MethodList       = "list"        // -> ListResult
	MethodOpen       = "open"        // OpenRequest -> Session
	MethodKill       = "kill"        // KeyRequest: end it and forget it
	MethodReset      = "reset"       // OpenRequest: end, forget, open anew -> Session
	MethodWatch      = "watch"       // WatchRequest -> WatchResult; screens follow
	MethodUnwatch    = "unwatch"     // WatchRequest: its handle
	MethodColors     = "colors"      // Colors: of the last active client
	MethodPeek       = "peek"        // KeyRequest -> PeekResult
	MethodReadScreen = "read-screen" // KeyRequest -> ScreenResult
	MethodReadRows   = "read-rows"   // RowsRequest -> RowsResult
	MethodSearch     = "search"      // SearchRequest -> SearchResult
	MethodReadOutput = "read-output" // KeyRequest -> OutputResult: the ring's raw bytes
	MethodSubscribe  = "subscribe"   // -> ListResult; session events follow
	MethodSendInput  = "send-input"  // InputRequest: as KindInput, with an answer
	MethodStatus     = "status"      // -> HostStatus
	MethodStop       = "stop"        // end the host if it holds no live session
	MethodPolicy     = "policy"      // PolicyRequest: from now on, on disk too
	MethodRename     = "rename"      // RenameRequest -> Session: another key for it
)

// Events of the PTY host.
const (
	EventSession      = "session"       // SessionEvent
	EventInputRefused = "input_refused" // InputRefused
	EventWarning      = "warning"       // Warning: what is wrong now, "" when nothing is
)

// SessionState is where a session stands in its life.
type SessionState string

// The states of a session.
const (
	SessionLive   SessionState = "live"
	SessionExited SessionState = "exited"
	SessionThawed SessionState = "thawed" // restored from disk, its process long gone
)

// Exit says how a session's process ended.
type Exit struct {
	Code   int       `json:"code"`
	Signal string    `json:"signal,omitempty"`
	Time   time.Time `json:"time"`
	// Tail is the end of the output as plain text: at most 40 lines.
	Tail []string `json:"tail,omitempty"`
}

// How says it in words: the signal, or the code.
func (e Exit) How() string {
	if e.Signal != "" {
		return e.Signal
	}
	return fmt.Sprintf("code %d", e.Code)
}

// Session is what the host tells of one hosted PTY.
type Session struct {
	Key     string       `json:"key"` // <task>/<tab>/<pane>
	ID      uint64       `json:"id"`  // which one of all sessions that ever had the key, in any host
	PID     int          `json:"pid"`
	State   SessionState `json:"state"`
	Exit    *Exit        `json:"exit,omitempty"`
	Title   string       `json:"title,omitempty"`
	CWD     string       `json:"cwd,omitempty"` // where the foreground program is, best known
	Cols    int          `json:"cols"`
	Rows    int          `json:"rows"`
	Argv    []string     `json:"argv"`
	Dir     string       `json:"dir"`
	Policy  string       `json:"policy,omitempty"`
	Created time.Time    `json:"created"`
	Output  uint64       `json:"output"`          // bytes of output in all its life
	Frozen  time.Time    `json:"frozen,omitzero"` // of a thawed one: when it was last seen alive or ending
	// Lost is when a life of it was lost with a host, as far as is known: its
	// own if it is thawed, else that of the one whose place it took.
	Lost time.Time `json:"lost,omitzero"`
	// Deferred says that a thawed one is on disk only; to open it thaws it.
	Deferred bool `json:"deferred,omitempty"`
	// Called is its program's last notification, nil before the first, and Rang
	// when it last rang: for who was not there to be told.
	Called *Call     `json:"called,omitempty"`
	Rang   time.Time `json:"rang,omitzero"`
	// Status is what the program says of itself, nil when it says nothing. It must not be changed.
	Status *Status `json:"status,omitempty"`
}

// Status is the root record of the program status protocol, OSC 7501. Any output can forge it.
type Status struct {
	State    string    `json:"state"`          // idle, working, blocked, done, error
	Kind     string    `json:"kind,omitempty"` // of blocked: permission, question, auth
	App      string    `json:"app,omitempty"`
	Title    string    `json:"title,omitempty"`
	Message  string    `json:"message,omitempty"`
	Progress int       `json:"progress"`        // percent, -1 when it is not told
	Since    time.Time `json:"since"`           // when it came to this state
	Below    int       `json:"below,omitempty"` // how many records it has besides
}

// Call is a notification of a program's: OSC 9, 777 or 99. It must not be changed.
type Call struct {
	Title string    `json:"title,omitempty"` // at most 256 bytes
	Text  string    `json:"text,omitempty"`  // at most 800
	Time  time.Time `json:"time"`
}

// Alive reports whether the session's process runs.
func (s Session) Alive() bool { return s.State == SessionLive }

// ListResult is a snapshot of the host's sessions.
type ListResult struct {
	Sessions []Session `json:"sessions"`
}

// OpenRequest asks for a session. An existing live one wins: it is returned as
// it is, and nothing of the request is applied to it.
type OpenRequest struct {
	Key        string   `json:"key"`
	Argv       []string `json:"argv,omitempty"` // empty: the login shell
	Dir        string   `json:"dir,omitempty"`  // empty: the user's home
	Env        []string `json:"env,omitempty"`  // KEY=VALUE, laid over the login environment
	Cols       int      `json:"cols,omitempty"`
	Rows       int      `json:"rows,omitempty"`
	Policy     string   `json:"policy,omitempty"`
	Scrollback int      `json:"scrollback,omitempty"` // rows; 0 is the host's default
	Recycle    bool     `json:"recycle,omitempty"`    // replace an exited one; a live one still wins
	// Respawn starts the program of a thawed or ended session again, below its
	// old screen. Of the request Key, Cols, Rows and Policy count then; the rest
	// does where there is no session.
	Respawn bool `json:"respawn,omitempty"`
}

// PolicyRequest gives a session, thawed ones included, another policy.
type PolicyRequest struct {
	Key    string `json:"key"`
	Policy string `json:"policy"`
}

// RenameRequest gives the session of a key another one, which must be free.
type RenameRequest struct {
	Key string `json:"key"`
	To  string `json:"to"`
}

// KeyRequest names a session.
type KeyRequest struct {
	Key string `json:"key"`
}

// WatchRequest asks for a session's screens. Since is the revision that the
// watcher already holds of this very session (same ID), 0 for none. Screens,
// input and acknowledgements carry Handle, so that a screen can be told apart
// even before the request's answer is there.
type WatchRequest struct {
	Key    string `json:"key"`
	Handle uint32 `json:"handle"` // the watcher's own number for it, unique on its connection
	Since  uint64 `json:"since,omitempty"`
}

// WatchResult is the answer to a watch.
type WatchResult struct {
	Session Session `json:"session"`
}

// Colors are what the host answers colour queries with: RRGGBB in hex.
type Colors struct {
	FG     string `json:"fg,omitempty"`
	BG     string `json:"bg,omitempty"`
	Cursor string `json:"cursor,omitempty"`
}

// PeekResult is a short look at a session without a watch.
type PeekResult struct {
	Session Session `json:"session"`
	Tail    string  `json:"tail"` // last non-blank row of the screen
	// Foreground is the command that the terminal is with, "" while it is the
	// session's own leader, a shell at its prompt.
	Foreground string `json:"foreground,omitempty"`
	// Group is the process group that the terminal is with, 0 where nobody could look.
	Group int  `json:"group,omitempty"`
	Paste bool `json:"paste,omitempty"` // its program reads bracketed pastes
	// Typed is when a watcher last sent input, zero for never.
	Typed time.Time `json:"typed,omitzero"`
	// Lost is the end of the screen of the life that was lost, at most 40 lines.
	Lost []string `json:"lost,omitempty"`
}

// ScreenResult is a session's screen as text.
type ScreenResult struct {
	Key       string   `json:"key"`
	Cols      int      `json:"cols"`
	Rows      int      `json:"rows"`
	Lines     []string `json:"lines"`
	CursorX   int      `json:"cursor_x"`
	CursorY   int      `json:"cursor_y"`
	CursorOn  bool     `json:"cursor_visible"`
	AltScreen bool     `json:"alternate"`
	Title     string   `json:"title"`
	First     uint64   `json:"first_row"`  // absolute numbers: oldest row kept,
	Screen    uint64   `json:"screen_row"` // and the screen's first
}

// RowsRequest asks for Count rows from absolute row First.
type RowsRequest struct {
	Key   string `json:"key"`
	First uint64 `json:"first"`
	Count int    `json:"count"`
}

// RowsResult carries rows in vt's packed form.
type RowsResult struct {
	Packed []byte `json:"packed"`
	First  uint64 `json:"first"`
	Screen uint64 `json:"screen"`
}

// SearchRequest looks for text in scrollback and screen.
type SearchRequest struct {
	Key      string `json:"key"`
	Pattern  string `json:"pattern"`
	From     uint64 `json:"from"`
	Backward bool   `json:"backward"`
	Max      int    `json:"max"`
}

// Match is one hit, in absolute rows and columns; the end is exclusive.
type Match struct {
	Row    uint64 `json:"row"`
	Col    int    `json:"col"`
	EndRow uint64 `json:"end_row"`
	EndCol int    `json:"end_col"`
}

// SearchResult lists hits, nearest first.
type SearchResult struct {
	Matches []Match `json:"matches"`
}

// OutputResult is the ring: raw output and the offset of its first byte.
type OutputResult struct {
	Offset uint64 `json:"offset"`
	Data   []byte `json:"data"`
}

// InputRequest writes to a session and waits for the verdict.
type InputRequest struct {
	Key  string `json:"key"`
	Data []byte `json:"data"`
}

// InputRefused tells a watcher that bytes it sent were not queued.
type InputRefused struct {
	Key    string `json:"key"`
	Bytes  int    `json:"bytes"`
	Reason string `json:"reason"`
}

// Warning tells subscribers what is wrong with the host; an empty text takes
// the last one back.
type Warning struct {
	Text string `json:"text"`
}

// HostStatus is the host about itself.
type HostStatus struct {
	Build   string    `json:"build"`
	PID     int       `json:"pid"`
	Started time.Time `json:"started"`
	Live    int       `json:"live"`
	Total   int       `json:"total"`
	Warning string    `json:"warning,omitempty"` // what is wrong with the store of frozen sessions
	Thaw    Thaw      `json:"thaw"`
}

// Thaw says what became of the frozen sessions when the host began.
type Thaw struct {
	Restored   int `json:"restored"`
	Deferred   int `json:"deferred"` // left on disk until they are asked for
	Expired    int `json:"expired"`  // deleted, untouched for too long
	Unreadable int `json:"unreadable"`
	// SetAside names the files that hold what could not be read.
	SetAside []string `json:"set_aside,omitempty"`
}

// SessionEventKind says what happened to a session.
type SessionEventKind string

// The kinds of session events. Changed covers title, directory and size and
// is coalesced, latest wins; the others come one for one.
const (
	SessionCreated   SessionEventKind = "created"
	SessionChanged   SessionEventKind = "changed"
	SessionEnded     SessionEventKind = "ended"
	SessionRemoved   SessionEventKind = "removed"
	SessionBell      SessionEventKind = "bell"
	SessionNotify    SessionEventKind = "notify"
	SessionProgress  SessionEventKind = "progress"
	SessionClipboard SessionEventKind = "clipboard"
)

// SessionEvent is one fact about one session. Bells, notifications, progress
// and clipboard writes are live only: never part of a snapshot.
type SessionEvent struct {
	Kind    SessionEventKind `json:"kind"`
	Session Session          `json:"session"`
	Title   string           `json:"title,omitempty"` // of a notification
	Text    string           `json:"text,omitempty"`
	Code    int              `json:"code,omitempty"` // of a progress: state*1000+value
	Data    []byte           `json:"data,omitempty"` // of a clipboard write
}

// SplitKey takes a session key apart; ok is false when it has not three parts.
func SplitKey(key string) (task, tab, pane string, ok bool) {
	task, rest, ok1 := strings.Cut(key, "/")
	tab, pane, ok2 := strings.Cut(rest, "/")
	return task, tab, pane, ok1 && ok2 && task != "" && tab != "" && pane != "" && !strings.Contains(pane, "/")
}
