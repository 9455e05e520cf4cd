// Package ring keeps the last bytes of a session's output together with the
// emulator's state at the first of them, so that a replay starts at a known
// state, never inside a sequence.
//
// The bytes lie in chunks. Each chunk starts with a snapshot of the emulator
// and lists the sizes that the PTY took while it was filled. Eviction drops
// whole chunks, so the ring's first byte always has a snapshot, and nothing is
// ever rewritten: a chunk that is full never changes again, which is what
// makes freezing it cheap.
//
// Pure: no clock, no goroutine, no I/O. The owner synchronises.
package ring

// ChunkSize is how many bytes a chunk takes before the next one is begun.
const ChunkSize = 64 << 10

// forceAt is when a chunk ends even inside a sequence: the snapshot carries
// the parser's state, so the replay is exact still.
const forceAt = 4 * ChunkSize

// readsOver is room for what a read brings past a chunk's target.
const readsOver = 4 << 10

// Mark is a change of the PTY's size before the byte at Offset.
type Mark struct {
	Offset     uint64
	Cols, Rows int
}

// Chunk is a run of output. Offset counts from the session's first byte.
type Chunk struct {
	Offset uint64
	State  []byte // the emulator before the first byte
	Marks  []Mark
	Data   []byte
}

// End is the offset behind the chunk's last byte.
func (c *Chunk) End() uint64 { return c.Offset + uint64(len(c.Data)) }

// Ring is a bounded run of output. Make one with New.
type Ring struct {
	limit  int
	chunks []*Chunk
	size   int
	end    uint64
	target int    // bytes that the chunk being filled takes
	spare  []byte // of a chunk that is gone
}

// New returns a ring that keeps at least the last limit bytes and at most one
// chunk more. state is the emulator's snapshot before any output.
func New(limit int, state []byte) *Ring {
	return At(limit, 0, state)
}

// At is New for a session that has printed end bytes in earlier lives.
func At(limit int, end uint64, state []byte) *Ring {
	r := &Ring{limit: max(limit, ChunkSize), end: end}
	r.begin(state)
	return r
}

// From returns a ring that goes on from chunks which were kept elsewhere.
func From(limit int, chunks []*Chunk) *Ring {
	r := &Ring{limit: max(limit, ChunkSize), chunks: chunks, target: ChunkSize}
	for _, c := range chunks {
		r.size += len(c.Data)
		r.end = c.End()
	}
	return r
}

func (r *Ring) begin(state []byte) {
	// A huge screen's snapshot must not outweigh the bytes that it opens.
	r.target = max(ChunkSize, len(state))
	data := r.spare
	switch r.spare = nil; {
	case len(r.chunks) == 0: // many sessions never print more
		data = make([]byte, 0, 4<<10)
	case cap(data) < r.target:
		data = make([]byte, 0, r.target+readsOver)
	}
	r.chunks = append(r.chunks, &Chunk{Offset: r.end, State: state, Data: data})
}

// Append adds output that the emulator has taken in already.
func (r *Ring) Append(p []byte) {
	c := r.chunks[len(r.chunks)-1]
	c.Data = append(c.Data, p...)
	r.size += len(p)
	r.end += uint64(len(p))
}

// Full reports whether the owner should call Begin with a fresh snapshot.
// ground is whether the emulator's parser is outside of any sequence.
func (r *Ring) Full(ground bool) bool {
	n := len(r.chunks[len(r.chunks)-1].Data)
	return n >= r.target && (ground || n >= max(forceAt, 2*r.target))
}

// Begin starts a chunk at the emulator's present state and evicts what is
// beyond the limit. The bytes of what goes are written over.
func (r *Ring) Begin(state []byte) {
	for len(r.chunks) > 1 && r.size-len(r.chunks[0].Data) >= r.limit {
		r.size -= len(r.chunks[0].Data)
		r.spare = r.chunks[0].Data[:0]
		copy(r.chunks, r.chunks[1:])
		r.chunks[len(r.chunks)-1] = nil
		r.chunks = r.chunks[:len(r.chunks)-1]
	}
	r.begin(state)
}

// maxMarks bounds a chunk's size marks; past it the newest replaces the last,
// as a storm of sizes with no output between leaves only its last one visible.
const maxMarks = 1 << 10

// Resize notes that the PTY has a new size from here on.
func (r *Ring) Resize(cols, rows int) {
	c := r.chunks[len(r.chunks)-1]
	m := Mark{Offset: r.end, Cols: cols, Rows: rows}
	if n := len(c.Marks); n > 0 && (n >= maxMarks || c.Marks[n-1].Offset == r.end) {
		c.Marks[n-1] = m
		return
	}
	c.Marks = append(c.Marks, m)
}

// Start and End are the offsets of the first byte and behind the last one.
func (r *Ring) Start() uint64 { return r.chunks[0].Offset }

// End is the offset behind the last byte: all output in the session's life.
func (r *Ring) End() uint64 { return r.end }

// Len is how many bytes the ring holds.
func (r *Ring) Len() int { return r.size }

// Chunks returns the chunks, oldest first. All but the last stay as they are
// until the next Begin.
func (r *Ring) Chunks() []*Chunk { return r.chunks }

// AppendTail appends the last n bytes, or as many as there are.
func (r *Ring) AppendTail(dst []byte, n int) []byte {
	skip := max(0, r.size-n)
	for _, c := range r.chunks {
		if skip >= len(c.Data) {
			skip -= len(c.Data)
			continue
		}
		dst = append(dst, c.Data[skip:]...)
		skip = 0
	}
	return dst
}

// Emulator is what a replay feeds: the part of a terminal that it needs.
type Emulator interface {
	Write(p []byte) (int, error)
	Resize(cols, rows int)
}

// Replay feeds the chunks' bytes and sizes to an emulator that was restored
// from the first chunk's state.
func Replay(chunks []*Chunk, e Emulator) {
	for _, c := range chunks {
		at := c.Offset
		rest := c.Data
		for _, m := range c.Marks {
			n := min(int(m.Offset-at), len(rest))
			_, _ = e.Write(rest[:n]) // an emulator never fails to write
			rest, at = rest[n:], m.Offset
			e.Resize(m.Cols, m.Rows)
		}
		_, _ = e.Write(rest)
	}
}
