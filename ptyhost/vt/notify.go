package vt

import (
	"encoding/base64"
	"strconv"
	"strings"
)

// Bounds of a notification's texts, before its receiver cuts them further.
const (
	maxNoteTitle = 1 << 10
	maxNoteText  = 4 << 10
	maxNotes     = 8 // multi-part notifications begun at one time
)

// oscNotify is OSC 9: iTerm2's notification, or, beginning with a number as
// ConEmu has it, a progress bar (9;4) or one of its other functions.
func (t *Terminal) oscNotify(_ int, rest string) {
	head, more, sub := strings.Cut(rest, ";")
	n, err := strconv.Atoi(head)
	switch {
	case err != nil || !sub && n != 4 || n < 1 || n > 12:
		t.notify("", rest)
	case n == 4:
		t.progress(more)
	case n == 9: // ConEmu's working directory, a path
		t.oscCWD(7, "file://"+strings.Trim(more, "\""))
	}
}

// progress is OSC 9 ; 4 ; state ; percent: state 0 removes, 1 sets, 2 is an
// error, 3 indeterminate, 4 paused or a warning.
func (t *Terminal) progress(s string) {
	state, value, _ := strings.Cut(s, ";")
	n, err := strconv.Atoi(state)
	if err != nil && state != "" || n < 0 || n > 4 {
		return
	}
	v, _ := strconv.Atoi(value)
	t.emit(Event{Kind: EventProgress, Code: n, Value: min(max(v, 0), 100)})
}

// osc777 is urxvt's notification: notify ; title ; text.
func (t *Terminal) osc777(_ int, rest string) {
	if s, ok := strings.CutPrefix(rest, "notify;"); ok {
		title, text, _ := strings.Cut(s, ";")
		t.notify(title, text)
	}
}

func (t *Terminal) notify(title, text string) {
	title, text = cleanText(title, maxNoteTitle), cleanText(text, maxNoteText)
	if title != "" || text != "" {
		t.emit(Event{Kind: EventNotify, Title: title, Text: text})
	}
}

// noteParts is a kitty notification of which not all parts have come.
type noteParts struct{ id, title, text string }

// oscKittyNotify is OSC 99 (kitty, "Desktop notifications"): metadata as
// key=value split by colons, then a payload. Parts with one i= belong
// together; d=0 says that more come.
func (t *Terminal) oscKittyNotify(_ int, rest string) {
	meta, payload, _ := strings.Cut(rest, ";")
	key := map[string]string{"p": "title", "d": "1"}
	for kv := range strings.SplitSeq(meta, ":") {
		if k, v, ok := strings.Cut(kv, "="); ok && len(k) == 1 {
			key[k] = v
		}
	}
	if key["e"] == "1" {
		b, err := base64.StdEncoding.DecodeString(payload)
		if err != nil {
			b, err = base64.RawStdEncoding.DecodeString(payload)
		}
		if err != nil {
			return
		}
		payload = string(b)
	}
	id := cleanText(key["i"], maxLinkID)
	switch key["p"] {
	case "?":
		if plainID(id) { // it comes back as if typed
			t.replyOSC("99;i=" + id + ":p=?;p=title,body")
		}
	case "title", "body":
		t.addNote(id, key["p"] == "title", payload, key["d"] != "0")
	}
}

// plainID reports whether id is of the characters that kitty allows in one.
func plainID(id string) bool {
	for _, b := range []byte(id) {
		switch {
		case b >= '0' && b <= '9', b >= 'a' && b <= 'z', b >= 'A' && b <= 'Z',
			b == '_', b == '-', b == '+', b == '.':
		default:
			return false
		}
	}
	return true
}

func (t *Terminal) addNote(id string, title bool, payload string, done bool) {
	i := 0
	for i < len(t.notes) && t.notes[i].id != id {
		i++
	}
	if i == len(t.notes) {
		if i == maxNotes {
			t.notes = t.notes[1:]
			i--
		}
		t.notes = append(t.notes, noteParts{id: id})
	}
	n := &t.notes[i]
	if title {
		n.title = cleanText(n.title+payload, maxNoteTitle)
	} else {
		n.text = cleanText(n.text+payload, maxNoteText)
	}
	if done {
		e := *n
		t.notes = append(t.notes[:i:i], t.notes[i+1:]...)
		t.notify(e.title, e.text)
	}
}
