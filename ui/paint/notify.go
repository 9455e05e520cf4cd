package paint

import (
	"bytes"
	"encoding/base64"
)

// NotifyForm is the sequence by which a client's terminal is told something.
type NotifyForm uint8

// The forms.
const (
	NotifyOff    NotifyForm = iota
	NotifyBell              // BEL
	NotifyOSC9              // OSC 9 ; body (iTerm2)
	NotifyOSC777            // OSC 777 ; notify ; title ; body (rxvt)
	NotifyOSC99             // OSC 99 (kitty's desktop notifications)
)

// Limits of what is sent, in bytes.
const (
	MaxTitle     = 64
	MaxNotify    = 200
	maxLink      = 2083
	maxWindow    = 255
	maxClipboard = 1 << 20
)

// AppendNotify appends one notification, cleaned. OSC 9 has no title, so that
// a title goes before its body; and a body that starts with a digit gets a
// space, since OSC 9 ; 4 is progress (ConEmu).
func AppendNotify(dst []byte, form NotifyForm, title, body string) []byte {
	title, body = Clean(title, MaxTitle), spaced(Clean(body, MaxNotify))
	switch form {
	case NotifyBell:
		return append(dst, 0x07)
	case NotifyOSC9:
		if title != "" && body != "" {
			body = title + ": " + body
		} else {
			body = title + body
		}
		return appendOSC(dst, "9;", spaced(Clean(body, MaxNotify)))
	case NotifyOSC777:
		return appendOSC(dst, "777;notify;", noSemicolon(title), ";", body)
	case NotifyOSC99:
		if title == "" {
			return appendOSC(dst, "99;;", body)
		}
		dst = appendOSC(dst, "99;i=moorage:d=0:p=title;", spaced(title))
		return appendOSC(dst, "99;i=moorage:p=body;", body)
	}
	return dst
}

// AppendForTmux appends what makes the tmux that the client sits in pass a
// sequence on to the terminal around it (tmux(1), allow-passthrough): a DCS
// with its ESCs doubled. String terminators within become BEL, which needs no
// doubling.
func AppendForTmux(dst, seq []byte) []byte {
	if len(seq) == 0 {
		return dst
	}
	dst = append(dst, "\x1bPtmux;"...)
	for _, c := range bytes.ReplaceAll(seq, []byte("\x1b\\"), []byte{'\a'}) {
		if c == 0x1b {
			dst = append(dst, c)
		}
		dst = append(dst, c)
	}
	return append(dst, "\x1b\\"...)
}

// spaced keeps a text from being read as a number.
func spaced(s string) string {
	if s != "" && s[0] >= '0' && s[0] <= '9' {
		return Clean(" "+s, MaxNotify)
	}
	return s
}

// noSemicolon is for a field that others follow.
func noSemicolon(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c == ';' {
			b[i] = ','
		}
	}
	return string(b)
}

// AppendClipboard appends a write to the client's clipboard (xterm ctlseqs,
// OSC 52). Text beyond 1 MiB gives nothing: half of it would be worse.
func AppendClipboard(dst, text []byte) []byte {
	if len(text) > maxClipboard {
		return dst
	}
	dst = append(dst, "\x1b]52;c;"...)
	dst = base64.StdEncoding.AppendEncode(dst, text)
	return append(dst, "\x1b\\"...)
}

// AppendTitle appends the window's title (OSC 2), cleaned.
func AppendTitle(dst []byte, title string) []byte {
	return appendOSC(dst, "2;", Clean(title, maxWindow))
}

func appendOSC(dst []byte, parts ...string) []byte {
	dst = append(dst, "\x1b]"...)
	for _, p := range parts {
		dst = append(dst, p...)
	}
	return append(dst, "\x1b\\"...)
}
