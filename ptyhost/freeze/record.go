package freeze

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"time"

	"moorage/ptyhost/ring"
	"moorage/ptyhost/wire"
)

// Record is what is known of a session beside its bytes.
type Record struct {
	Key        string     `json:"key"`
	Argv       []string   `json:"argv,omitempty"`
	Dir        string     `json:"dir"`           // where it was started
	CWD        string     `json:"cwd,omitempty"` // where its program was last
	Env        []string   `json:"env,omitempty"` // what the opener asked for, not the login environment
	Cols       int        `json:"cols"`
	Rows       int        `json:"rows"`
	Scrollback int        `json:"scrollback"`
	Title      string     `json:"title,omitempty"`
	Policy     string     `json:"policy,omitempty"`
	Exit       *wire.Exit `json:"exit,omitempty"`
	Created    time.Time  `json:"created"`
	Frozen     time.Time  `json:"frozen"`
	Start      uint64     `json:"start"` // offset of the first byte kept
	End        uint64     `json:"end"`   // and behind the last
}

// Size is how many bytes of output the record holds.
func (r Record) Size() int { return int(r.End - r.Start) }

// Piece is a run of output within one chunk of the ring.
type Piece struct {
	Offset uint64
	Marks  []ring.Mark // sizes taken within it, the first possibly at its start
	Data   []byte
}

// Update is what one freeze of one session adds. State is the emulator's at
// Record.Start, nil when the store has it already.
type Update struct {
	Record Record
	Fresh  bool // whatever the store has under the key is another session's
	State  []byte
	Pieces []Piece
}

// ErrCorrupt means that a value on disk is not what was written.
var ErrCorrupt = errors.New("corrupt")

// errVersion means that another build wrote a value in a way that this one
// does not know.
var errVersion = errors.New("unknown version")

// A value on disk:
//
//	version u8  1 | crc32 u32 big endian (Castagnoli, of the rest) | payload
const (
	valueVersion = 1
	valueHead    = 5
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func seal(payload []byte) []byte {
	b := make([]byte, valueHead, valueHead+len(payload))
	b[0] = valueVersion
	binary.BigEndian.PutUint32(b[1:], crc32.Checksum(payload, castagnoli))
	return append(b, payload...)
}

// unseal returns the payload, which aliases b.
func unseal(b []byte) ([]byte, error) {
	switch {
	case len(b) < valueHead:
		return nil, fmt.Errorf("%w: %d bytes", ErrCorrupt, len(b))
	case b[0] != valueVersion:
		return nil, fmt.Errorf("%w %d", errVersion, b[0])
	case binary.BigEndian.Uint32(b[1:]) != crc32.Checksum(b[valueHead:], castagnoli):
		return nil, fmt.Errorf("%w: checksum", ErrCorrupt)
	}
	return b[valueHead:], nil
}

func sealRecord(r Record) ([]byte, error) {
	b, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	return seal(b), nil
}

func unsealRecord(b []byte) (r Record, err error) {
	payload, err := unseal(b)
	if err != nil {
		return r, err
	}
	if err := json.Unmarshal(payload, &r); err != nil {
		return r, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	if r.End < r.Start || r.Key == "" {
		return r, fmt.Errorf("%w: offsets %d to %d of %q", ErrCorrupt, r.Start, r.End, r.Key)
	}
	return r, nil
}

// A piece's payload:
//
//	marks uvarint | marks x (offset in the piece, columns, rows: uvarints) | data
func (p Piece) payload() []byte {
	b := binary.AppendUvarint(nil, uint64(len(p.Marks)))
	for _, m := range p.Marks {
		b = binary.AppendUvarint(b, m.Offset-p.Offset)
		b = binary.AppendUvarint(b, uint64(m.Cols))
		b = binary.AppendUvarint(b, uint64(m.Rows))
	}
	return append(b, p.Data...)
}

// parsePiece returns a piece whose data aliases b.
func parsePiece(offset uint64, b []byte) (Piece, error) {
	p := Piece{Offset: offset}
	next := func() uint64 {
		v, n := binary.Uvarint(b)
		if n <= 0 {
			b = nil
			return 1 << 63 // no count, offset or size is that large
		}
		b = b[n:]
		return v
	}
	n := next()
	if n > uint64(len(b)) {
		return p, fmt.Errorf("%w: %d marks", ErrCorrupt, n)
	}
	for range n {
		at, cols, rows := next(), next(), next()
		if cols > 1000 || rows > 500 || at > 1<<40 {
			return p, fmt.Errorf("%w: mark", ErrCorrupt)
		}
		p.Marks = append(p.Marks, ring.Mark{Offset: offset + at, Cols: int(cols), Rows: int(rows)})
	}
	p.Data = b
	return p, nil
}
