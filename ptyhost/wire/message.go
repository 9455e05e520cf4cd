package wire

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// Protocol is the version of the messages below. It changes only when an old
// peer would misread a new one; added fields and kinds do not change it.
const Protocol = 1

// MaxMessage bounds a message's length: the largest screen (1000 x 500) with
// every cell styled on its own fits with room to spare.
const MaxMessage = 16 << 20

// Kind says what a message's payload is.
type Kind uint8

// The kinds. Numbers are never reused.
const (
	KindHello    Kind = 1 // JSON Hello, first message of both ends
	KindRequest  Kind = 2 // JSON request
	KindResponse Kind = 3 // JSON response
	KindEvent    Kind = 4 // JSON event

	KindInput  Kind = 16 // handle u32 | bytes for the session's PTY
	KindScreen Kind = 17 // handle u32 | a vt update
	KindAck    Kind = 18 // handle u32 | rev u64 that the watcher has applied
	KindResize Kind = 19 // handle u32 | cols u16 | rows u16
)

const headerLen = 5

var errTooLong = errors.New("message longer than the protocol allows")

// appendMessage appends a whole message made of the payload's parts.
func appendMessage(dst []byte, k Kind, parts ...[]byte) ([]byte, error) {
	n := 1
	for _, p := range parts {
		n += len(p)
	}
	if n > MaxMessage {
		return dst, fmt.Errorf("send kind %d, %d bytes: %w", k, n, errTooLong)
	}
	dst = binary.BigEndian.AppendUint32(dst, uint32(n))
	dst = append(dst, byte(k))
	for _, p := range parts {
		dst = append(dst, p...)
	}
	return dst, nil
}

// readMessage reads one message into buf, growing it when needed only as the
// bytes arrive, so that a forged length allocates nothing.
func readMessage(r io.Reader, buf []byte) (Kind, []byte, error) {
	var head [headerLen]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return 0, buf, err
	}
	n := binary.BigEndian.Uint32(head[:4])
	if n == 0 || n > MaxMessage {
		return 0, buf, fmt.Errorf("read message of %d bytes: %w", n, errTooLong)
	}
	left := int(n) - 1
	buf = buf[:0]
	const step = 256 << 10
	for left > 0 {
		take := min(left, step)
		at := len(buf)
		if cap(buf)-at < take {
			grown := make([]byte, at, max(2*cap(buf), at+take))
			copy(grown, buf)
			buf = grown
		}
		buf = buf[:at+take]
		if _, err := io.ReadFull(r, buf[at:]); err != nil {
			return 0, buf, unexpected(err)
		}
		left -= take
	}
	return Kind(head[4]), buf, nil
}

func unexpected(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// SplitHandle takes the session handle off a binary payload.
func SplitHandle(payload []byte) (handle uint32, rest []byte, ok bool) {
	if len(payload) < 4 {
		return 0, nil, false
	}
	return binary.BigEndian.Uint32(payload), payload[4:], true
}

// Handle encodes a session handle, the start of each binary payload.
func Handle(h uint32) []byte { return binary.BigEndian.AppendUint32(nil, h) }
