package ptyhost

import (
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"moorage/ptyhost/proc"
	"moorage/ptyhost/vt"
	"moorage/ptyhost/wire"
)

const (
	maxRowsRead = 5000
	maxMatches  = 1000
)

// colors takes over the colours of the last active client.
func (p *peer) colors(_ *wire.Conn, req wire.Colors) (any, error) {
	p.host.mu.Lock()
	d := p.host.defaults
	p.host.mu.Unlock()
	for _, c := range []struct {
		hex string
		to  *vt.RGBColor
	}{{req.FG, &d.FG}, {req.BG, &d.BG}, {req.Cursor, &d.Cursor}} {
		if c.hex == "" {
			continue
		}
		b, err := hex.DecodeString(c.hex)
		if err != nil || len(b) != 3 {
			return nil, &wire.Error{Code: wire.CodeInvalid, Message: fmt.Sprintf("%q is not a colour", c.hex), Next: "give RRGGBB in hex"}
		}
		*c.to = vt.RGBColor{R: b[0], G: b[1], B: b[2]}
	}
	if req.BG != "" {
		d.Dark = dark(d.BG)
	}
	h := p.host
	h.mu.Lock()
	h.defaults = d
	h.mu.Unlock()
	for _, s := range h.all() {
		s.setDefaults(d)
	}
	return nil, nil
}

// dark reports whether text on c is better light, by its luma (ITU-R BT.601).
func dark(c vt.RGBColor) bool {
	return 299*int(c.R)+587*int(c.G)+114*int(c.B) < 128*1000
}

func (p *peer) peek(_ *wire.Conn, req wire.KeyRequest) (any, error) {
	s, err := p.host.find(req.Key)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	s.play()
	r := wire.PeekResult{Session: s.infoLocked(), Paste: s.term.Modes().BracketedPaste, Lost: s.lostScreen()}
	if typed := s.typed.Load(); typed > 0 {
		r.Typed = time.UnixMilli(typed)
	}
	for _, line := range s.term.ScreenText() {
		if strings.TrimSpace(line) != "" {
			r.Tail = line
		}
	}
	child, shell, live := s.proc, len(s.spec.Argv) == 0, s.state == wire.SessionLive
	s.mu.Unlock()
	if live {
		r.Group = child.Foreground()
		r.Foreground = foreground(child, r.Group, shell)
	}
	return r, nil
}

// foreground names what a session's terminal is with, by its group; "" while that is a shell
// at its prompt. A command that puts a shell in its own place, as an engine's
// wrapper does at the end, is one from then on. What a shell runs that is none
// at its prompt is named in its place.
func foreground(p *proc.Process, g int, shell bool) string {
	switch {
	case g <= 0, g == p.PID && (shell || proc.AtPrompt(g)):
		return ""
	case g == p.PID:
		if child := proc.Child(g); child > 0 {
			return proc.Name(child)
		}
	}
	return proc.Name(g)
}

func (p *peer) readScreen(_ *wire.Conn, req wire.KeyRequest) (any, error) {
	s, err := p.host.find(req.Key)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.play()
	cols, rows := s.term.Size()
	cur := s.term.Cursor()
	first, screen := s.term.History()
	return wire.ScreenResult{
		Key: s.key, Cols: cols, Rows: rows, Lines: s.term.ScreenText(),
		CursorX: cur.X, CursorY: cur.Y, CursorOn: cur.Visible,
		AltScreen: s.term.Modes().AltScreen, Title: s.term.Title(),
		First: first, Screen: screen,
	}, nil
}

func (p *peer) readRows(_ *wire.Conn, req wire.RowsRequest) (any, error) {
	s, err := p.host.find(req.Key)
	if err != nil {
		return nil, err
	}
	if req.Count < 0 || req.Count > maxRowsRead {
		return nil, &wire.Error{Code: wire.CodeInvalid, Message: fmt.Sprintf("%d rows at once", req.Count), Next: fmt.Sprintf("ask for at most %d", maxRowsRead)}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.play()
	first, screen := s.term.History()
	return wire.RowsResult{Packed: s.term.AppendRows(nil, req.First, req.Count), First: first, Screen: screen}, nil
}

func (p *peer) search(_ *wire.Conn, req wire.SearchRequest) (any, error) {
	s, err := p.host.find(req.Key)
	if err != nil {
		return nil, err
	}
	limit := min(max(req.Max, 1), maxMatches)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.play()
	r := wire.SearchResult{Matches: []wire.Match{}}
	for _, m := range s.term.Search(req.Pattern, req.From, req.Backward, limit) {
		r.Matches = append(r.Matches, wire.Match{Row: m.Abs, Col: m.Col, EndRow: m.EndAbs, EndCol: m.EndCol})
	}
	return r, nil
}

func (p *peer) readOutput(_ *wire.Conn, req wire.KeyRequest) (any, error) {
	s, err := p.host.find(req.Key)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return wire.OutputResult{Offset: s.ring.Start(), Data: s.ring.AppendTail(nil, s.ring.Len())}, nil
}
