package ui

import (
	"time"

	"moorage/ui/input"
	"moorage/ui/keymap"
	"moorage/ui/paint"
	"moorage/workspace"
	"moorage/workspace/split"

	tea "charm.land/bubbletea/v2"
)

// Config is what a client's model is made of.
type Config struct {
	Daemon  Daemon
	Screens Screens
	Output  Output
	Floor   Floor
	Keys    *keymap.Map
	Caps    paint.Caps
	Size    Size
	Open    string           // the task to show first; "" lets the model choose
	Client  string           // who it is, over connections; "" for nobody in particular
	View    bool             // it may look only: see viewonly.go
	Notify  workspace.Notify // how it is told what wants the user, if it chose nothing itself
	// Fixed says that the connection has asked for Notify: what is remembered
	// of the client does not count.
	Fixed bool
	// Told hears of an inbox item that was written to the client's terminal, or
	// that the client was looking at. It does not block.
	Told     func(item string, looking bool)
	Clock    bool     // show the time in the status line
	Mistakes []string // of the settings and of what the client asks for: it is told of them
	Build    string   // of this process, to tell when the others run another
	// Tick is a command that answers after a time; nil is tea.Tick.
	Tick func(time.Duration, func(time.Time) tea.Msg) tea.Cmd
}

// region says who gets the keys.
type region uint8

const (
	inSidebar region = iota
	inPanes
)

// tabRef names a tab; the zero value is none.
type tabRef struct{ task, tab string }

func (r tabRef) String() string { return r.task + "/" + r.tab }

// Model is one client's view. One goroutine at a time may use it.
type Model struct {
	cfg Config

	world    World
	known    bool // a world has come
	greeted  bool // the first task has been chosen
	placing  bool // the daemon is asked which that is
	wanted   wanted
	ahead    ahead
	size     Size
	layout   layout
	terminal terminal

	tokens   input.Tokenizer
	tokenSeq int // counts what fed the tokenizer, for its timeouts

	region        region
	side          sidebar
	search        *search  // nil: the sidebar shows all
	recent        []string // tasks that were shown, the latest first
	shown         tabRef
	lastTab       map[string]string // by task
	focus         map[tabRef]string
	zoomed        map[tabRef]bool
	preset        split.Preset     // the last that was chosen
	panes         map[string]*pane // shown now, by session key
	splits        split.Layout     // of the shown tab, in layout.panes
	seen          string           // what the daemon was last told that the client has seen
	dialog        dialog
	under         []dialog // what lies under it, to come back to
	inside        paint.Rect
	making        map[string]bool     // tasks whose worktree this client has asked for
	asked         asked               // requests without an answer
	drafts        map[tabRef]*draft   // prompts that are being written
	history       map[string]*history // those that were sent, by task
	drag          drag
	prefix        bool // the prefix key came: the next one is a command
	verbatim      bool // the next key goes to the pane whatever it is
	toasts        toasts
	notifications notifications
	asking        string // the question that this client has the floor for

	frame   *paint.Frame
	painter *paint.Painter
	buf     []byte
	extra   []byte // sequences to be sent beside the next frame
	dirty   bool   // something may look different
	chrome  bool   // what is not a pane does
	goodbye string
	title   string // of the client's window, as last set
	leaving bool   // it wants to go and waits for the terminal's answers
}

// wanted is what the client asked for and the world does not show yet.
type wanted struct {
	tabRef
	pane    string
	project string // its main checkout
}

// New returns the model of a client whose terminal has the given size.
func New(cfg Config) *Model {
	m := &Model{
		cfg: cfg, size: cfg.Size, region: inPanes,
		lastTab: make(map[string]string),
		focus:   make(map[tabRef]string),
		zoomed:  make(map[tabRef]bool),
		panes:   make(map[string]*pane),
		frame:   paint.NewFrame(cfg.Size.Cols, cfg.Size.Rows),
		painter: paint.NewPainter(cfg.Caps),
		dirty:   true, chrome: true,
	}
	m.terminal.caps = cfg.Caps
	m.notifications = newNotifications(cfg.Notify, cfg.Fixed)
	m.ahead = ahead{asked: 1, open: true, greeting: true}
	m.side.folded = make(map[string]bool)
	m.drafts = make(map[tabRef]*draft)
	m.history = make(map[string]*history)
	m.making = make(map[string]bool)
	m.layout = newLayout(m.size, m.region)
	m.tellMistakes(cfg.Mistakes)
	return m
}

// Goodbye is the line to leave on the client's terminal; "" when it left by
// its own wish.
func (m *Model) Goodbye() string { return m.goodbye }

// Leave appends what gives the client's terminal back as it was found. It is
// for when the program has ended.
func (m *Model) Leave(dst []byte) []byte { return m.painter.Leave(dst) }

// Init asks the client's terminal what it can do.
func (m *Model) Init() tea.Cmd {
	m.extra = m.painter.Enter(m.extra)
	m.extra = m.terminal.ask(m.extra)
	return tea.Batch(m.nextMinute(), m.tick(greetFor, func(time.Time) tea.Msg { return aheadMsg(1) }))
}

// minuteMsg says that the clock shows another time.
type minuteMsg struct{}

// nextMinute wakes the model for its clock, if it shows one.
func (m *Model) nextMinute() tea.Cmd {
	if !m.cfg.Clock {
		return nil
	}
	return tea.Every(time.Minute, func(time.Time) tea.Msg { return minuteMsg{} })
}

// Update takes one message. It never blocks.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	var cmd tea.Cmd
	switch msg := msg.(type) {
	case InputMsg:
		cmd = m.takeInput(msg)
	case flushMsg:
		cmd = m.flush(msg)
	case SizeMsg:
		m.resize(Size(msg))
	case WorldMsg:
		cmd = m.takeWorld(World(msg))
	case ScreenMsg:
		m.dirty = true
		m.takeEvents()
	case ReadyMsg:
	case minuteMsg:
		m.touch()
		cmd = m.nextMinute()
	case doneMsg:
		cmd = m.takeDone(msg)
	case slowMsg:
		m.asked.tell(int(msg))
		m.touch()
	case openedMsg:
		cmd = m.takeOpened(msg)
	case aheadMsg:
		if int(msg) == m.ahead.asked {
			cmd = m.release()
		}
	case busyMsg:
		cmd = m.takeBusy(msg)
	case placeMsg:
		cmd = m.takePlace(msg)
	case filesMsg:
		cmd = m.takeFiles(msg)
	case diffMsg:
		cmd = m.takeDiff(msg)
	case notesMsg:
		m.takeNotes(msg)
	case noteMsg:
		cmd = m.takeNote(msg)
	case reportMsg:
		cmd = m.takeReport(msg)
	case againMsg:
		cmd = m.restore(true)
	case dirsMsg:
		m.takeDirs(msg)
	case basesMsg:
		m.takeBases(msg)
	case adoptRowsMsg:
		m.takeAdoptRows(msg)
	case adoptedMsg:
		cmd = m.takeAdopted(msg)
	case lossMsg:
		m.takeLoss(msg)
	case landMsg:
		cmd = m.takeLanded(msg)
	case worktreesMsg:
		m.takeWorktrees(msg)
	case conversationsMsg:
		m.takeConversations(msg)
	case sentMsg:
		cmd = m.takeSent(msg)
	case filesKnownMsg:
		m.takeFilesKnown(msg)
	case consentMsg:
		cmd = m.takeConsent(msg)
	case exitsMsg:
		m.takeExits(msg)
	case rowsMsg:
		cmd = m.takeRows(msg)
	case notifyMsg:
		m.notifications.timed = false
		m.dirty = true
	case toastMsg:
		m.toasts.drop(int(msg))
		m.touch()
	case quitMsg:
		return m, tea.Quit
	case GoodbyeMsg:
		m.goodbye = string(msg)
		return m, tea.Quit
	}
	if m.search != nil && m.region != inSidebar {
		m.endSearch(true)
	}
	if arrived := m.arrived(); arrived != nil {
		cmd = tea.Batch(cmd, arrived)
	}
	if see := m.see(); see != nil {
		cmd = tea.Batch(cmd, see)
	}
	if consider := m.consider(); consider != nil {
		cmd = tea.Batch(cmd, consider)
	}
	if later := m.notesLater(); later != nil {
		cmd = tea.Batch(cmd, later)
	}
	if expire := m.expire(); expire != nil {
		cmd = tea.Batch(cmd, expire)
	}
	return m, cmd
}

// View draws if there is something new and the output can take it. It is for
// after each Update; Bubble Tea's own renderer is off.
func (m *Model) View() tea.View {
	m.draw()
	return tea.View{}
}

// tick is a command that answers after a time.
func (m *Model) tick(d time.Duration, f func(time.Time) tea.Msg) tea.Cmd {
	if m.cfg.Tick != nil {
		return m.cfg.Tick(d, f)
	}
	return tea.Tick(d, f)
}

// touch says that the chrome may look different.
func (m *Model) touch() { m.dirty, m.chrome = true, true }

// resize takes the terminal's new size: the client acted on the tab it shows.
func (m *Model) resize(s Size) {
	if s == m.size {
		return
	}
	m.size = s
	m.frame.Resize(s.Cols, s.Rows)
	m.painter.Invalidate()
	m.relayout(acted)
}

// answersFor is how long a client that leaves at once is held for its
// terminal's answers: after that they would be typed into its shell.
const answersFor = 300 * time.Millisecond

type quitMsg struct{}

// quit ends the program, once what the terminal was asked has been answered.
func (m *Model) quit() tea.Cmd {
	if m.terminal.settled {
		return tea.Quit
	}
	m.leaving = true
	return m.tick(answersFor, func(time.Time) tea.Msg { return quitMsg{} })
}
