package vt

import "encoding/binary"

// An update brings a watcher's copy of the screen from one revision to
// another.
//
//	version  u8       1
//	rev      uvarint  what the copy is at afterwards
//	base     uvarint  what it must be at before; 0 is anything
//	epoch    uvarint  grows when the scrollback is renumbered by a reflow
//	cols     uvarint
//	rows     uvarint
//	first    uvarint  number of the oldest row of scrollback
//	end      uvarint  number of the screen's first row
//	cursor            x, y uvarint; visible, shape u8; colour u32
//	modes             bits u16; mouse, encoding, modifyOtherKeys, kitty u8
//	meta     u8       1: title and colours follow
//	  title           uvarint and bytes
//	  fg, bg u32      colours the program set; 0 where it did not
//	  palette         uvarint, then for each: index u8, colour u32
//	scrolls  uvarint  then for each: top, bottom uvarint, n varint
//	changed  uvarint  then for each: y uvarint, packed row
//
// Scrolls come first, rows after them, so that a row is sent only if its
// content changed.
const updateVersion = 1

// frame is what an update is made of: the screen as it is, or as it was when a
// synchronised update began.
type frame struct {
	rows       []*row
	cols       int
	rev        uint64
	metaRev    uint64
	epoch      uint64
	first, end uint64
	cursor     Cursor
	modes      Modes
	title      string
	colors     colors
}

func (t *Terminal) liveFrame() frame {
	return frame{
		rows: t.on.rows, cols: t.cols, rev: t.rev, metaRev: t.metaRev,
		epoch: t.epoch, first: t.history.first, end: t.history.end,
		cursor: t.Cursor(), modes: t.Modes(), title: t.title, colors: t.colors,
	}
}

// setSync is mode 2026: while it is on, watchers get the screen as it was when
// it was set. The copy costs one screen of memory for as long as the session
// lives, and only in sessions that use the mode.
func (t *Terminal) setSync(on bool) {
	if on == (t.flags&flagSync != 0) {
		return
	}
	t.flags.set(flagSync, on)
	if !on {
		t.shadow, t.spare = nil, t.shadow
		t.moved()
		return
	}
	s := t.spare
	if s == nil || s.cols != t.cols || len(s.rows) != t.rows {
		s = &frame{rows: grid(t.cols, t.rows)}
	}
	rows := s.rows
	for y, r := range t.on.rows {
		rows[y].copyFrom(r)
	}
	*s = t.liveFrame()
	s.rows = rows
	t.shadow, t.spare = s, nil
	t.next = t.rev + 1 // what changes from here on is newer than the copy
}

func (r *row) copyFrom(o *row) {
	cells := r.cells
	copy(cells, o.cells[:o.used])
	if o.used < r.used {
		clear(cells[o.used:r.used])
	}
	*r = *o
	r.cells = cells
}

// AppendUpdate appends an update from revision since to the present one, or
// from nothing if since is 0, and returns the revision it leads to. It costs
// the rows that changed, and nothing is marked as sent: any number of watchers
// can ask, each at its own pace.
//
// While a synchronised update is pending the present is the screen before it.
func (t *Terminal) AppendUpdate(dst []byte, since uint64) (update []byte, rev uint64) {
	f := t.shadow
	if f == nil {
		live := t.liveFrame()
		f = &live
	}
	if since > f.rev {
		since = 0 // another life's revision
	}
	return t.appendFrame(dst, f, since), f.rev
}

func (t *Terminal) appendFrame(dst []byte, f *frame, since uint64) []byte {
	dst = append(dst, updateVersion)
	for _, v := range [...]uint64{f.rev, since, f.epoch, uint64(f.cols), uint64(len(f.rows)), f.first, f.end} {
		dst = binary.AppendUvarint(dst, v)
	}
	dst = appendCursor(dst, f.cursor)
	dst = appendModes(dst, f.modes)
	if f.metaRev > since || since == 0 {
		dst = append(dst, 1)
		dst = appendString(dst, f.title)
		dst = f.colors.appendTo(dst)
	} else {
		dst = append(dst, 0)
	}

	var room [maxScrolls]Scroll
	scrolls, ok := t.scrolls.since(room[:0], since, f.rev)
	if !ok || since == 0 {
		scrolls, since = nil, 0
	}
	dst = appendInt(dst, len(scrolls))
	for _, s := range scrolls {
		dst = appendInt(dst, s.Top)
		dst = appendInt(dst, s.Bottom)
		dst = binary.AppendVarint(dst, int64(s.N))
	}

	n := 0
	for _, r := range f.rows {
		if r.rev > since {
			n++
		}
	}
	dst = appendInt(dst, n)
	for y, r := range f.rows {
		if r.rev > since {
			dst = appendInt(dst, y)
			dst = appendRow(dst, r, &t.table)
		}
	}
	return dst
}

func appendCursor(dst []byte, c Cursor) []byte {
	dst = appendInt(dst, c.X)
	dst = appendInt(dst, c.Y)
	dst = appendBool(dst, c.Visible)
	dst = append(dst, byte(c.Shape))
	return binary.LittleEndian.AppendUint32(dst, uint32(c.Color))
}

func (d *decoder) cursor(cols, rows int) Cursor {
	return Cursor{
		X: d.int(cols - 1), Y: d.int(rows - 1), Visible: d.bool(),
		Shape: CursorShape(d.u8()), Color: d.storedColor(),
	}
}

// modeBits are the yes-or-no fields of Modes in the order of their bits.
func (m *Modes) bits() [12]*bool {
	return [...]*bool{
		&m.AppCursor, &m.AppKeypad, &m.BackarrowBS, &m.NewLine,
		&m.BracketedPaste, &m.FocusEvents, &m.AltScreen, &m.AltScroll,
		&m.ReverseVideo, &m.SyncOutput, &m.ColorReports, &m.ResizeReports,
	}
}

func appendModes(dst []byte, m Modes) []byte {
	var v uint16
	for i, b := range m.bits() {
		if *b {
			v |= 1 << i
		}
	}
	dst = binary.LittleEndian.AppendUint16(dst, v)
	return append(dst, byte(m.Mouse), byte(m.MouseEncoding), m.ModifyOtherKeys, byte(m.Kitty))
}

func (d *decoder) modes() Modes {
	var m Modes
	v := uint16(d.u8())
	v |= uint16(d.u8()) << 8
	for i, b := range m.bits() {
		*b = v>>i&1 != 0
	}
	m.Mouse = MouseTracking(d.u8())
	m.MouseEncoding = MouseEncoding(d.u8())
	m.ModifyOtherKeys = d.u8()
	m.Kitty = KittyFlags(d.u8())
	return m
}
