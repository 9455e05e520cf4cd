package vt

// Terminal is one emulated terminal. It belongs to one goroutine at a time.
//
// Its state falls in two: what both screens share, as in xterm (cursor, pen,
// margins, tab stops, modes, character sets), and what each screen has for
// itself (rows, saved cursor, keyboard stack).
type Terminal struct {
	opts       Options
	cols, rows int

	parser
	table   Table
	sweeper sweeper // of table

	main, alt screen
	on        *screen // the one that is shown
	history   history
	shadow    *frame // what watchers see while an update is synchronised
	spare     *frame // a shadow to use again

	cur      cursor
	pen      pen
	sets     charsets
	flags    flags
	savedSet [2]uint64 // XTSAVE: which modes, by their place in privateModes
	savedOn  [2]uint64 // and whether they were set
	mouse    MouseTracking
	mouseEnc MouseEncoding
	modKeys  uint8 // XTMODKEYS resource 4
	cursorSh CursorShape
	isoGuard bool // protection is by SPA and EPA: plain erasing respects it
	rectEx   bool // DECSACE 2: attribute changes take the rectangle

	top, bottom int // margins, inclusive
	left, right int
	tabs        []bool

	lastRune rune // for REP; 0 after anything but a character
	joinable bool // the last thing was a character: the next may continue it

	colors     colors
	colorStack []colors
	colorAt    int
	penStack   []pen
	title      string
	icon       string
	titles     []titlePair
	cwd        string
	lastExit   int // OSC 133;D; -1 before the first, or when it gave none
	notes      []noteParts

	rev     uint64 // of the last visible change
	next    uint64 // what a change made now gets
	metaRev uint64 // of the last change to title or colours
	epoch   uint64 // grows when a reflow renumbers the scrollback
	remap   []remapPoint
	scrolls scrollLog

	quiet   bool
	replies []byte
	events  []Event
	scratch []byte

	// unknown, if set, hears of each sequence that no table lists. Tests use
	// it to prove that the tables are complete.
	unknown func(kind, seq string)
}

// cursor is the active position. A pending wrap (DEC STD 070's last column
// flag) is a cursor in the last column whose next character goes on the next
// line.
type cursor struct {
	x, y    int
	pending bool
}

// pen is what a character is written with. At of cell carries the index of ext
// in the terminal's table.
type pen struct {
	cell Cell
	ext  Ext
}

// screen is what main and alternate screen have each for itself.
type screen struct {
	rows  []*row
	saved savedCursor
	kitty kittyStack
}

// savedCursor is what DECSC keeps (DEC STD 070; xterm ctlseqs, "ESC 7").
type savedCursor struct {
	ok     bool // DECSC was seen; without one DECRC restores the defaults
	cur    cursor
	pen    pen
	sets   charsets
	origin bool
}

type titlePair struct{ title, icon string }

// New returns a terminal with a blank screen.
func New(o Options) *Terminal {
	o = o.clamped()
	t := &Terminal{opts: o, cols: o.Cols, rows: o.Rows, next: 1, lastExit: -1}
	t.main.rows = grid(t.cols, t.rows)
	t.on = &t.main
	t.history.limit = o.Scrollback
	t.powerOn()
	t.touchAll()
	return t
}

// powerOn sets everything but text, size and scrollback to its first state.
func (t *Terminal) powerOn() {
	t.cur = cursor{}
	t.pen = pen{}
	t.sets = charsets{}
	t.flags = defaultFlags
	t.savedSet, t.savedOn = [2]uint64{}, [2]uint64{}
	t.mouse, t.mouseEnc, t.modKeys, t.cursorSh = 0, 0, 0, 0
	t.isoGuard, t.rectEx = false, false
	t.main.saved, t.alt.saved = savedCursor{}, savedCursor{}
	t.main.kitty, t.alt.kitty = kittyStack{}, kittyStack{}
	t.resetMargins()
	t.resetTabs()
	t.lastRune, t.joinable = 0, false
	t.colors = colors{}
	t.colorStack, t.colorAt, t.penStack = nil, 0, nil
	t.title, t.icon, t.titles = "", "", nil
	t.notes = nil
	t.shadow = nil
	t.metaRev, t.rev = t.next, t.next
}

// Write parses p. It takes everything, never blocks and never fails; the error
// is there for io.Writer.
func (t *Terminal) Write(p []byte) (int, error) {
	t.next = t.rev + 1
	t.parse(p)
	return len(p), nil
}

// Size returns the size of the screen in cells.
func (t *Terminal) Size() (cols, rows int) { return t.cols, t.rows }

// Rev grows with each visible change. While an update is synchronised it
// stands still.
func (t *Terminal) Rev() uint64 {
	if t.shadow != nil {
		return t.shadow.rev
	}
	return t.rev
}

// touch notes that r changes.
func (t *Terminal) touch(r *row) {
	r.rev = t.next
	t.rev = t.next
}

// moved notes that something outside the rows changed: cursor, modes.
func (t *Terminal) moved() { t.rev = t.next }

// touchMeta notes that title or colours changed.
func (t *Terminal) touchMeta() {
	t.metaRev = t.next
	t.rev = t.next
}

func (t *Terminal) touchAll() {
	for _, r := range t.on.rows {
		r.rev = t.next
	}
	t.rev = t.next
	t.scrolls.barrier(t.next)
}

// row returns the row the cursor is on, about to be changed.
func (t *Terminal) row() *row {
	r := t.on.rows[t.cur.y]
	t.touch(r)
	return r
}

// blank is what erasing leaves: the pen's background and nothing else
// (xterm's bce).
func (t *Terminal) blank() Cell { return Cell{BG: t.pen.cell.BG} }

// Title returns the window title, cleaned of control characters, at most 1 KiB.
func (t *Terminal) Title() string { return t.title }

// CWD returns the URL of the last OSC 7 as the program gave it.
func (t *Terminal) CWD() string { return t.cwd }

// Cursor returns where the cursor is and how it is shown.
func (t *Terminal) Cursor() Cursor {
	return Cursor{
		X: t.cur.x, Y: t.cur.y,
		Visible: t.flags&flagCursor != 0,
		Shape:   t.cursorSh,
		Color:   t.colors.cursor,
	}
}

// Modes returns the modes that a client must know.
func (t *Terminal) Modes() Modes {
	f := t.flags
	return Modes{
		AppCursor:       f&flagAppCursor != 0,
		AppKeypad:       f&flagAppKeypad != 0,
		BackarrowBS:     f&flagBackarrow != 0,
		NewLine:         f&flagNewLine != 0,
		BracketedPaste:  f&flagPaste != 0,
		FocusEvents:     f&flagFocus != 0,
		AltScreen:       t.on == &t.alt,
		AltScroll:       f&flagAltScroll != 0,
		ReverseVideo:    f&flagReverse != 0,
		SyncOutput:      f&flagSync != 0,
		ColorReports:    f&flagColorReports != 0,
		ResizeReports:   f&flagResizeReports != 0,
		Mouse:           t.mouse,
		MouseEncoding:   t.mouseEnc,
		ModifyOtherKeys: t.modKeys,
		Kitty:           t.on.kitty.flags(),
	}
}

// SyncPending reports that mode 2026 is on: watchers see the screen as it was
// before. The owner has the clock and calls EndSync after at most a second, on
// a resize and when somebody attaches.
func (t *Terminal) SyncPending() bool { return t.flags&flagSync != 0 }

// EndSync ends a synchronised update on the program's behalf.
func (t *Terminal) EndSync() {
	if t.flags&flagSync == 0 {
		return
	}
	t.next = t.rev + 1
	t.setSync(false)
}

// SetQuiet suppresses replies and events while a record is replayed.
func (t *Terminal) SetQuiet(on bool) { t.quiet = on }

// SetDefaults gives the colours of the client that is looking. When dark turns
// to light or back and the program asked (mode 2031), it is told.
func (t *Terminal) SetDefaults(d Defaults) {
	flip := d.Dark != t.opts.Defaults.Dark
	t.opts.Defaults = d
	if flip && t.flags&flagColorReports != 0 {
		t.reportScheme()
	}
}
