// Package status keeps what a hosted program says of itself by the program status protocol, OSC 7501 (revision 0.4): a root record and
// records below it, by id.
//
// It is pure: no goroutine, no clock, no I/O; a Records belongs to one goroutine at a time. It imports the standard library. Nothing that
// arrives makes it grow without bound: what breaks the protocol's limits is dropped whole, and of more than maxRecords the one goes
// that was told of longest ago.
package status

import (
	"encoding/base64"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// The limits of the protocol, and how many records are kept.
const (
	maxReport  = 4096
	maxApp     = 32
	maxID      = 128
	maxLevels  = 8
	maxSegment = 32
	maxTitle   = 192
	maxMessage = 2048
	maxRecords = 64
)

// Record is one report. The root's ID is empty.
type Record struct {
	ID       string
	State    string // idle, working, blocked, done, error
	Kind     string // of blocked: permission, question, auth
	App      string
	Title    string
	Message  string
	Progress int       // percent, -1 when it is not told
	Since    time.Time // when it came to its state
	told     int
}

// Records are those of one terminal. The zero value has none.
type Records struct {
	all   map[string]Record
	count int
}

// Root is the record without an id; ok is false when there is none.
func (r *Records) Root() (Record, bool) {
	rec, ok := r.all[""]
	return rec, ok
}

// Below is how many records there are besides the root.
func (r *Records) Below() int {
	if _, ok := r.all[""]; ok {
		return len(r.all) - 1
	}
	return len(r.all)
}

// Report takes what came between "7501;" and the terminator. It is false when it changed nothing: no report, or one that breaks the
// protocol.
func (r *Records) Report(body string, now time.Time) bool {
	rec, ok := parse(body)
	if !ok {
		return false
	}
	had, known := r.all[rec.ID]
	if rec.State == "clear" {
		return r.clear(rec.ID)
	}
	rec.Since = now
	if known && had.State == rec.State {
		rec.Since = had.Since
	}
	r.count++
	rec.told = r.count
	if r.all == nil {
		r.all = make(map[string]Record)
	}
	r.all[rec.ID] = rec
	if len(r.all) > maxRecords {
		r.forgetOldest()
	}
	had.told = rec.told
	return !known || had != rec
}

// clear removes a record and those below it.
func (r *Records) clear(id string) bool {
	n := len(r.all)
	for have := range r.all {
		if id == "" || have == id || strings.HasPrefix(have, id+"/") {
			delete(r.all, have)
		}
	}
	return len(r.all) != n
}

// Clear removes everything: the terminal was reset. It reports whether there was anything.
func (r *Records) Clear() bool { return r.clear("") }

// Exit is the end of the terminal's program: nothing of it works or waits any more. What is done or failed stays.
func (r *Records) Exit() bool {
	n := len(r.all)
	for id, rec := range r.all {
		if rec.State == "working" || rec.State == "blocked" {
			delete(r.all, id)
		}
	}
	return len(r.all) != n
}

// forgetOldest drops the record below the root that was told of longest ago.
func (r *Records) forgetOldest() {
	oldest, at := "", r.count+1
	for id, rec := range r.all {
		if id != "" && rec.told < at {
			oldest, at = id, rec.told
		}
	}
	delete(r.all, oldest)
}

// parse reads k=v pairs parted by colons. Keys that are not known are passed over, as the protocol asks.
func parse(body string) (rec Record, ok bool) {
	rec.Progress = -1
	if len(body)+len("7501;") > maxReport || body == "?" || strings.HasPrefix(body, "?") {
		return rec, false
	}
	for pair := range strings.SplitSeq(body, ":") {
		key, value, found := strings.Cut(pair, "=")
		if !found {
			return rec, false
		}
		good := true
		switch key {
		case "state":
			rec.State = value
		case "kind":
			rec.Kind = value
		case "app":
			rec.App, good = value, len(value) <= maxApp && only(value, "_.+-")
		case "id":
			rec.ID, good = value, isID(value)
		case "progress":
			var n int
			n, good = percent(value)
			rec.Progress = n
		case "title":
			rec.Title, good = text(value, maxTitle)
		case "msg":
			rec.Message, good = text(value, maxMessage)
		}
		if !good {
			return rec, false
		}
	}
	switch rec.State {
	case "idle", "done", "error", "clear":
		return rec, rec.Kind == "" && rec.Progress < 0
	case "working":
		return rec, rec.Kind == ""
	case "blocked":
		switch rec.Kind {
		case "", "permission", "question", "auth":
			return rec, true
		}
	}
	return rec, false
}

func percent(value string) (int, bool) {
	n, err := strconv.Atoi(value)
	return n, err == nil && n >= 0 && n <= 100 && value[0] != '+'
}

// text decodes base64 of UTF-8 without control characters.
func text(value string, limit int) (string, bool) {
	b, err := base64.StdEncoding.DecodeString(value)
	if err != nil {
		if b, err = base64.RawStdEncoding.DecodeString(value); err != nil {
			return "", false
		}
	}
	if len(b) > limit || !utf8.Valid(b) {
		return "", false
	}
	s := string(b)
	return s, !strings.ContainsFunc(s, func(r rune) bool { return r < 0x20 || r >= 0x7f && r < 0xa0 })
}

func isID(id string) bool {
	if id == "" || len(id) > maxID || strings.Count(id, "/") >= maxLevels {
		return false
	}
	for segment := range strings.SplitSeq(id, "/") {
		if segment == "" || len(segment) > maxSegment || !only(segment, "_.+-") {
			return false
		}
	}
	return true
}

// only reports whether s consists of letters, digits and the characters of more.
func only(s, more string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool {
		letter := r|0x20 >= 'a' && r|0x20 <= 'z' && r < 0x80
		return !letter && (r < '0' || r > '9') && !strings.ContainsRune(more, r)
	})
}
