package vt

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// A snapshot is the whole state of a terminal, from which Restore makes an
// equal one. It is not compressed. Fields come in the order of the append and
// restore functions below; each list is a count and its items, each number a
// uvarint, each text a uvarint and bytes, each row packed as in pack.go.
//
//	version  u8  1
//	size, parser, terminal, screens, queues, scrollback
//
// What is not in it belongs to the owner: Options but for the size, quiet, and
// what waits to be taken by TakeEvents.
const snapshotVersion = 1

// ErrSnapshotVersion means that a snapshot is from a version that this one
// cannot read.
var ErrSnapshotVersion = errors.New("unknown snapshot version")

// AppendSnapshot appends the state to dst, with or without the scrollback.
func (t *Terminal) AppendSnapshot(dst []byte, withScrollback bool) []byte {
	if withScrollback {
		return t.AppendSnapshotRows(dst, MaxScrollback)
	}
	return t.AppendSnapshotRows(dst, 0)
}

// AppendSnapshotRows is AppendSnapshot with the newest rows of the scrollback,
// at most n.
func (t *Terminal) AppendSnapshotRows(dst []byte, n int) []byte {
	dst = append(dst, snapshotVersion)
	dst = appendInt(dst, t.cols)
	dst = appendInt(dst, t.rows)
	dst = t.parser.appendTo(dst)
	dst = t.appendState(dst)
	dst = t.appendStacks(dst)
	dst = t.appendScreen(dst, &t.main)
	dst = appendBool(dst, t.alt.rows != nil)
	if t.alt.rows != nil {
		dst = t.appendScreen(dst, &t.alt)
	}
	dst = appendBool(dst, t.altShown())
	dst = appendString(dst, string(t.replies))
	return t.appendHistory(dst, n)
}

// Restore makes a terminal from a snapshot. Of o the size is ignored: it comes
// with the snapshot.
func Restore(snapshot []byte, o Options) (*Terminal, error) {
	d := &decoder{b: snapshot}
	if v := d.u8(); v != snapshotVersion {
		return nil, fmt.Errorf("restore terminal: version %d: %w", v, ErrSnapshotVersion)
	}
	o.Cols, o.Rows = d.int(MaxCols), d.int(MaxRows)
	if d.err != nil || o.Cols < 1 || o.Rows < 1 {
		return nil, fmt.Errorf("restore terminal: size: %w", errPacked)
	}
	t := New(o)
	t.parser.restore(d)
	t.restoreState(d)
	t.restoreStacks(d)
	t.restoreScreen(d, &t.main)
	if d.bool() && d.err == nil {
		t.alt.rows = grid(t.cols, t.rows)
		t.restoreScreen(d, &t.alt)
	}
	if d.bool() {
		if t.alt.rows == nil {
			d.fail()
		} else {
			t.on = &t.alt
		}
	}
	t.replies = append(t.replies, d.bytes(d.int(maxReplies))...)
	t.restoreHistory(d)
	if d.err == nil && len(d.b) > 0 {
		d.fail()
	}
	if d.err != nil {
		return nil, fmt.Errorf("restore terminal: %w", d.err)
	}
	t.touchAll()
	if t.flags&flagSync != 0 { // the screen before the update is gone
		t.flags &^= flagSync
		t.setSync(true)
	}
	return t, nil
}

func (p *parser) appendTo(dst []byte) []byte {
	dst = append(dst, byte(p.state), byte(p.inner), p.prefix, p.inter[0], p.inter[1], byte(p.ninter))
	n := min(p.nparams, maxParams)
	dst = appendInt(dst, p.nparams)
	for _, v := range p.params[:n] {
		dst = appendInt(dst, int(v))
	}
	dst = binary.LittleEndian.AppendUint32(dst, p.colons)
	dst = appendString(dst, string(p.str))
	dst = appendBool(dst, p.overflow)
	dst = append(dst, p.lastByte, p.final)
	dst = append(dst, byte(p.npart))
	return append(dst, p.part[:p.npart]...)
}

func (p *parser) restore(d *decoder) {
	p.state, p.inner, p.prefix = state(d.u8()), state(d.u8()), d.u8()
	p.inter[0], p.inter[1] = d.u8(), d.u8()
	p.ninter = d.int(len(p.inter) + 1)
	p.nparams = d.int(maxParams + 1)
	for i := range min(p.nparams, maxParams) {
		p.params[i] = int32(d.int(maxParam))
	}
	p.colons = d.u32()
	p.str = append(p.str, d.bytes(d.int(maxClipboard))...)
	p.overflow = d.bool()
	p.lastByte, p.final = d.u8(), d.u8()
	p.npart = d.int(len(p.part) - 1)
	copy(p.part[:], d.bytes(p.npart))
	if !p.sound() {
		d.fail()
	}
}

// sound reports whether the parser can be in this state at all.
func (p *parser) sound() bool {
	inString := p.inner == stOSC || p.inner == stDCS || p.inner == stSkip
	intersOK := true
	if p.ninter <= len(p.inter) { // more are void, whatever they are
		for _, b := range p.inter[:p.ninter] {
			intersOK = intersOK && b >= 0x20 && b < 0x30
		}
	}
	return p.state <= stStringEsc && intersOK &&
		(p.state != stStringEsc || inString) &&
		(p.state != stUTF8 || p.npart > 0) &&
		(p.prefix == 0 || p.prefix >= '<' && p.prefix <= '?')
}

// appendState packs what both screens share.
func (t *Terminal) appendState(dst []byte) []byte {
	dst = t.cur.appendTo(dst)
	dst = t.pen.appendTo(dst)
	dst = t.sets.appendTo(dst)
	for _, v := range [...]uint64{uint64(t.flags), t.savedSet[0], t.savedSet[1], t.savedOn[0], t.savedOn[1]} {
		dst = binary.AppendUvarint(dst, v)
	}
	dst = append(dst, byte(t.mouse), byte(t.mouseEnc), t.modKeys, byte(t.cursorSh))
	for _, b := range [...]bool{t.isoGuard, t.rectEx, t.joinable} {
		dst = appendBool(dst, b)
	}
	for _, v := range [...]int{t.top, t.bottom, t.left, t.right, int(t.lastRune), t.lastExit + 1} {
		dst = appendInt(dst, v)
	}
	for x, set := range t.tabs {
		if x%8 == 0 {
			dst = append(dst, 0)
		}
		if set {
			dst[len(dst)-1] |= 1 << (x % 8)
		}
	}
	dst = appendString(dst, t.title)
	dst = appendString(dst, t.icon)
	return appendString(dst, t.cwd)
}

func (t *Terminal) restoreState(d *decoder) {
	t.cur = d.position(t)
	t.pen = d.pen(t)
	t.sets = d.charsets()
	t.flags = flags(d.uint())
	t.savedSet[0], t.savedSet[1] = d.uint(), d.uint()
	t.savedOn[0], t.savedOn[1] = d.uint(), d.uint()
	t.mouse = MouseTracking(d.u8())
	t.mouseEnc = MouseEncoding(d.u8())
	t.modKeys = d.u8()
	t.cursorSh = CursorShape(d.u8())
	t.isoGuard, t.rectEx, t.joinable = d.bool(), d.bool(), d.bool()
	t.top, t.bottom = d.int(t.rows-1), d.int(t.rows-1)
	t.left, t.right = d.int(t.cols-1), d.int(t.cols-1)
	t.lastRune = rune(d.int(0x10ffff))
	t.lastExit = d.int(256) - 1
	for x := 0; x < t.cols; x += 8 {
		b := d.u8()
		for i := x; i < min(x+8, t.cols); i++ {
			t.tabs[i] = b>>(i-x)&1 != 0
		}
	}
	t.title = d.string(maxTitleBytes)
	t.icon = d.string(maxTitleBytes)
	t.cwd = d.string(maxURL)
	if t.top > t.bottom || t.left > t.right {
		d.fail()
	}
}

// appendStacks packs the stacks and the notifications begun.
func (t *Terminal) appendStacks(dst []byte) []byte {
	dst = t.colors.appendAll(dst)
	dst = appendInt(dst, len(t.colorStack))
	for i := range t.colorStack {
		dst = t.colorStack[i].appendAll(dst)
	}
	dst = appendInt(dst, t.colorAt)
	dst = appendInt(dst, len(t.penStack))
	for i := range t.penStack {
		dst = t.penStack[i].appendTo(dst)
	}
	dst = appendInt(dst, len(t.titles))
	for _, p := range t.titles {
		dst = appendString(dst, p.title)
		dst = appendString(dst, p.icon)
	}
	dst = appendInt(dst, len(t.notes))
	for _, n := range t.notes {
		dst = appendString(dst, n.id)
		dst = appendString(dst, n.title)
		dst = appendString(dst, n.text)
	}
	return dst
}

func (t *Terminal) restoreStacks(d *decoder) {
	t.colors = d.allColors()
	for range d.int(maxColorStack) {
		t.colorStack = append(t.colorStack, d.allColors())
	}
	t.colorAt = d.int(maxColorStack)
	for range d.int(maxPenStack) {
		t.penStack = append(t.penStack, d.pen(t))
	}
	for range d.int(maxTitles) {
		t.titles = append(t.titles, titlePair{d.string(maxTitleBytes), d.string(maxTitleBytes)})
	}
	for range d.int(maxNotes) {
		t.notes = append(t.notes, noteParts{d.string(maxLinkID), d.string(maxNoteTitle), d.string(maxNoteText)})
	}
}

func (c *colors) appendAll(dst []byte) []byte {
	dst = binary.LittleEndian.AppendUint32(dst, uint32(c.cursor))
	return c.appendTo(dst)
}

func (d *decoder) allColors() colors {
	cursor := d.storedColor()
	c := d.colors()
	c.cursor = cursor
	return c
}

func (c cursor) appendTo(dst []byte) []byte {
	dst = appendInt(dst, c.x)
	dst = appendInt(dst, c.y)
	return appendBool(dst, c.pending)
}

func (d *decoder) position(t *Terminal) cursor {
	return cursor{x: d.int(t.cols - 1), y: d.int(t.rows - 1), pending: d.bool()}
}

func (p *pen) appendTo(dst []byte) []byte {
	dst = binary.LittleEndian.AppendUint32(dst, uint32(p.cell.FG))
	dst = binary.LittleEndian.AppendUint32(dst, uint32(p.cell.BG))
	dst = appendInt(dst, int(p.cell.At&0xffff))
	return appendExt(dst, p.ext)
}

func (d *decoder) pen(t *Terminal) pen {
	var p pen
	p.cell.FG, p.cell.BG = d.storedColor(), d.storedColor()
	p.cell.At = uint32(d.int(0xffff))
	p.ext = d.ext()
	if d.err == nil {
		p.cell.SetExt(t.internExt(p.ext))
	}
	return p
}

func (s *charsets) appendTo(dst []byte) []byte {
	for _, g := range s.g {
		dst = append(dst, byte(g))
	}
	return append(dst, s.gl, s.single)
}

func (d *decoder) charsets() charsets {
	var s charsets
	for i := range s.g {
		s.g[i] = charset(d.int(int(maxCharset)))
	}
	s.gl, s.single = uint8(d.int(3)), uint8(d.int(3))
	return s
}

// appendScreen packs one screen: keyboard stack, saved cursor, rows.
func (t *Terminal) appendScreen(dst []byte, s *screen) []byte {
	dst = append(dst, byte(s.kitty.cur), s.kitty.depth)
	for _, f := range s.kitty.stack[:s.kitty.depth] {
		dst = append(dst, byte(f))
	}
	c := &s.saved
	dst = appendBool(dst, c.ok)
	dst = c.cur.appendTo(dst)
	dst = c.pen.appendTo(dst)
	dst = c.sets.appendTo(dst)
	dst = appendBool(dst, c.origin)
	for _, r := range s.rows {
		dst = appendRow(dst, r, &t.table)
	}
	return dst
}

func (t *Terminal) restoreScreen(d *decoder, s *screen) {
	s.kitty.cur = KittyFlags(d.u8())
	s.kitty.depth = uint8(d.int(maxKitty))
	for i := range s.kitty.depth {
		s.kitty.stack[i] = KittyFlags(d.u8())
	}
	c := &s.saved
	c.ok = d.bool()
	c.cur = d.position(t)
	c.pen = d.pen(t)
	c.sets = d.charsets()
	c.origin = d.bool()
	for _, r := range s.rows {
		h, cells := d.row(r.cells[:0:t.cols], &t.table)
		if d.err != nil || h.cells > t.cols {
			d.fail()
			return
		}
		r.used, r.wrap, r.wide, r.mark, r.exit = len(cells), h.wrap, h.wide, h.mark, h.exit
	}
}

// appendHistory packs the numbers of the scrollback and its newest n rows.
func (t *Terminal) appendHistory(dst []byte, n int) []byte {
	h := &t.history
	first := h.end - uint64(min(n, h.len()))
	for _, v := range [...]uint64{first, h.end, t.epoch} {
		dst = binary.AppendUvarint(dst, v)
	}
	dst = appendBool(dst, h.stale && first < h.end)
	for abs := first; abs < h.end; abs++ {
		dst = append(dst, h.row(abs)...)
	}
	return dst
}

func (t *Terminal) restoreHistory(d *decoder) {
	h := &t.history
	first, end := d.uint(), d.uint()
	t.epoch = d.uint()
	stale := d.bool()
	if first > end || end-first > MaxScrollback {
		d.fail()
	}
	if d.err != nil {
		return
	}
	h.first, h.end = first, first
	var room []Cell
	for h.end < end && d.err == nil {
		before := d.b
		_, room = d.row(room[:0], &t.table) // only to know that it can be read
		if d.err != nil {
			return
		}
		h.pushPacked(before[:len(before)-len(d.b)], t.cols)
		if n, _ := t.table.Len(); n >= 2*sweepMin {
			t.sweep()
		}
	}
	h.stale = stale && h.len() > 0
}
