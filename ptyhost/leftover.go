package ptyhost

import (
	"strconv"

	"moorage/ptyhost/proc"
	"moorage/ptyhost/vt"
)

// The modes that say what a program reads when the user does something, in
// groups that programs set and reset together.
const (
	modesKeys  = iota // kitty flags and modifyOtherKeys
	modesMouse        // tracking and encoding
	modesFocus        // 1004
	modesPaste        // 2004
	modeGroups
)

// inputModes is a value for each group; zero is how a terminal begins.
type inputModes [modeGroups]uint16

func inputModesOf(m vt.Modes) inputModes {
	return inputModes{
		modesKeys:  uint16(m.Kitty) | uint16(m.ModifyOtherKeys)<<8,
		modesMouse: uint16(m.Mouse) | uint16(m.MouseEncoding)<<8,
		modesFocus: bit(m.FocusEvents),
		modesPaste: bit(m.BracketedPaste),
	}
}

func bit(b bool) uint16 {
	if b {
		return 1
	}
	return 0
}

// leftovers puts back the modes that a program set and did not live to reset,
// once the shell that started it has the terminal again: keys that arrive as
// control sequences interrupt nothing, and a moving pointer types. It looks
// when the program prints, and only while somebody else than the session's
// leader has such modes set.
//
// What a program sets and leaves on purpose, while the one that set it lives or
// the one that started it does not read, stays.
type leftovers struct {
	now  inputModes
	sets [modeGroups]setter
}

// setter is who set a group of modes.
type setter struct {
	group  int    // a process group; 0 for nobody
	home   int    // the group that started it; 0 when that is not known
	before uint16 // what stood there
}

// foreign reports whether any group of modes was set by another than leader.
func (l *leftovers) foreign(leader int) bool {
	for _, s := range l.sets {
		if s.group != 0 && s.group != leader {
			return true
		}
	}
	return false
}

// note takes in the modes after output; foreground is asked for if they have
// changed.
func (l *leftovers) note(m vt.Modes, foreground func() int) {
	now := inputModesOf(m)
	if now == l.now {
		return
	}
	group := foreground()
	for i := range now {
		s := &l.sets[i]
		switch {
		case now[i] == l.now[i]:
		case now[i] == s.before: // undone
			*s = setter{}
		case s.group != group:
			*s = setter{group: group, home: proc.ParentGroup(group), before: l.now[i]}
		}
	}
	l.now = now
}

// undo appends what puts the modes of the gone back, where the foreground group
// is the leader of the session or whoever started them.
func (l *leftovers) undo(dst []byte, leader, foreground int, runs func(group int) bool) []byte {
	for i := range l.sets {
		s := &l.sets[i]
		home := foreground == leader || foreground == s.home
		if s.group == 0 || s.group == leader || s.group == foreground || !home || runs(s.group) {
			continue
		}
		dst = appendModes(dst, i, s.before)
		*s = setter{}
	}
	return dst
}

// appendModes appends the sequences that set a group of modes to v.
func appendModes(dst []byte, group int, v uint16) []byte {
	low, high := int(v&0xff), int(v>>8)
	switch group {
	case modesKeys:
		dst = append(dst, "\x1b[<16u\x1b[="...) // kitty: all that was pushed, then the flags
		dst = strconv.AppendInt(dst, int64(low), 10)
		dst = append(dst, "u\x1b[>4;"...) // XTMODKEYS
		dst = strconv.AppendInt(dst, int64(high), 10)
		return append(dst, 'm')
	case modesMouse:
		dst = append(dst, "\x1b[?9;1000;1002;1003;1005;1006;1015;1016l"...)
		if low > 0 {
			dst = appendSet(dst, [...]int{9, 1000, 1002, 1003}[low-1], true)
		}
		if high > 0 {
			dst = appendSet(dst, [...]int{1005, 1006, 1015, 1016}[high-1], true)
		}
		return dst
	case modesFocus:
		return appendSet(dst, 1004, v != 0)
	}
	return appendSet(dst, 2004, v != 0)
}

// appendSet appends a DECSET or DECRST.
func appendSet(dst []byte, mode int, on bool) []byte {
	dst = append(dst, "\x1b[?"...)
	dst = strconv.AppendInt(dst, int64(mode), 10)
	if on {
		return append(dst, 'h')
	}
	return append(dst, 'l')
}

// clearLeftovers is called with new output, before it is read: the shell's own
// modes come with its prompt. What a dead program had half written ends here.
// s.mu is held.
func (s *session) clearLeftovers() {
	if s.proc == nil || !s.leftovers.foreign(s.proc.PID) {
		return
	}
	undo := s.leftovers.undo(s.undo[:0], s.proc.PID, s.proc.Foreground(), proc.GroupRuns)
	s.undo = undo
	if len(undo) == 0 {
		return
	}
	if !s.term.Ground() {
		undo = append([]byte{0x18}, undo...) // CAN
	}
	_, _ = s.term.Write(undo)
	s.ring.Append(undo)
	s.noteModes()
}

// noteModes is called after output. s.mu is held.
func (s *session) noteModes() {
	if s.proc == nil {
		return
	}
	m := s.term.Modes()
	s.leftovers.note(m, s.proc.Foreground)
	s.keysCoded.Store(m.Kitty != 0 || m.ModifyOtherKeys != 0)
}
