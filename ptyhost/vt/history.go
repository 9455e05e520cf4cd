package vt

import "sort"

// chunkSize is how many bytes of packed rows share one piece of memory.
const chunkSize = 64 << 10

// history is the scrollback: packed rows in chunks, the oldest going first,
// numbered from the first row that ever left the screen.
type history struct {
	limit      int // rows
	chunks     []*chunk
	spare      *chunk
	first, end uint64 // absolute numbers: of the oldest row, past the newest
	size       int    // bytes in chunks
	last       int    // bytes of the newest row
	stale      bool   // holds rows wrapped at another width
}

type chunk struct {
	base uint64 // number of the row at offs[0]
	buf  []byte
	offs []uint32
}

// budget bounds the bytes: what rows that link every cell could take is not
// bounded by their number.
func (h *history) budget() int { return h.limit<<10 + 1<<20 }

// pushHistory moves what r shows to the scrollback.
func (t *Terminal) pushHistory(r *row) { t.history.push(r, &t.table) }

func (h *history) push(r *row, table *Table) {
	if h.limit == 0 { // it is gone, and counted
		h.end++
		h.first = h.end
		return
	}
	c := h.room(2 * max(len(r.cells), h.last))
	n := len(c.buf)
	c.offs = append(c.offs, uint32(n))
	c.buf = appendRow(c.buf, r, table)
	h.last = len(c.buf) - n
	h.size += h.last
	h.end++
	h.evict()
}

// pushPacked adds a row that is packed already, cols wide.
func (h *history) pushPacked(b []byte, cols int) {
	if h.limit == 0 {
		h.end++
		h.first = h.end
		return
	}
	c := h.room(max(len(b), 2*cols+64))
	c.offs = append(c.offs, uint32(len(c.buf)))
	c.buf = append(c.buf, b...)
	h.size += len(b)
	h.end++
	h.evict()
}

// room returns the chunk to append to, which probably has n bytes left.
func (h *history) room(n int) *chunk {
	var c *chunk
	if k := len(h.chunks); k > 0 {
		c = h.chunks[k-1]
		if cap(c.buf)-len(c.buf) >= n || len(c.buf) == 0 {
			return c
		}
		if len(c.buf)+n <= chunkSize { // a young history's only chunk
			c.buf = append(make([]byte, 0, min(chunkSize, 2*cap(c.buf)+n)), c.buf...)
			return c
		}
	}
	switch {
	case h.spare != nil:
		c, h.spare = h.spare, nil
	case len(h.chunks) == 0:
		c = &chunk{buf: make([]byte, 0, 2<<10)}
	default:
		c = &chunk{buf: make([]byte, 0, chunkSize)}
	}
	c.base = h.end
	c.buf, c.offs = c.buf[:0], c.offs[:0]
	h.chunks = append(h.chunks, c)
	return c
}

func (h *history) evict() {
	if h.end-h.first > uint64(h.limit) {
		h.first = h.end - uint64(h.limit)
	}
	for len(h.chunks) > 1 {
		c := h.chunks[0]
		if h.size > h.budget() {
			h.first = max(h.first, h.chunks[1].base)
		}
		if h.chunks[1].base > h.first {
			return
		}
		h.size -= len(c.buf)
		copy(h.chunks, h.chunks[1:])
		h.chunks = h.chunks[:len(h.chunks)-1]
		if cap(c.buf) <= 2*chunkSize {
			h.spare = c
		}
	}
}

// row returns the packed row with absolute number abs, which must be within
// first and end.
func (h *history) row(abs uint64) []byte {
	i := sort.Search(len(h.chunks), func(i int) bool { return h.chunks[i].base > abs }) - 1
	c := h.chunks[i]
	k := int(abs - c.base)
	if k+1 < len(c.offs) {
		return c.buf[c.offs[k]:c.offs[k+1]]
	}
	return c.buf[c.offs[k]:]
}

func (h *history) len() int { return int(h.end - h.first) }

// pop removes the newest row and returns it; it is valid until the next push.
func (h *history) pop() []byte {
	c := h.chunks[len(h.chunks)-1]
	k := len(c.offs) - 1
	b := c.buf[c.offs[k]:]
	h.size -= len(b)
	c.buf, c.offs = c.buf[:c.offs[k]], c.offs[:k]
	h.end--
	if k == 0 {
		h.chunks = h.chunks[:len(h.chunks)-1]
	}
	return b
}

// clear forgets all rows. The numbering goes on.
func (h *history) clear() {
	h.chunks, h.spare, h.size = nil, nil, 0
	h.first = h.end
	h.stale = false
}
