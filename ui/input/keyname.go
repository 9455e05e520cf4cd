package input

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// modNames are the modifiers in the order that a canonical name has them.
var modNames = []struct {
	mod  Mods
	name string
}{
	{Ctrl, "ctrl"}, {Alt, "alt"}, {Shift, "shift"}, {Super, "super"}, {Hyper, "hyper"}, {Meta, "meta"},
}

// modAliases are further spellings that ParseKey takes.
var modAliases = map[string]Mods{
	"control": Ctrl, "c": Ctrl, "option": Alt, "opt": Alt, "a": Alt, "m": Alt, "s": Shift,
	"cmd": Super, "command": Super, "win": Super,
}

// keyNames are the canonical names of keys that are not a character.
var keyNames = map[rune]string{
	Tab: "tab", Enter: "enter", Escape: "esc", Space: "space", Backspace: "backspace",
	Insert: "insert", Delete: "delete", Left: "left", Right: "right", Up: "up", Down: "down",
	PageUp: "pgup", PageDown: "pgdown", Home: "home", End: "end",
	CapsLockKey: "capslock", ScrollLock: "scrolllock", NumLockKey: "numlock",
	PrintScreen: "printscreen", Pause: "pause", Menu: "menu",
	KPDecimal: "kpdecimal", KPDivide: "kpdivide", KPMultiply: "kpmultiply", KPSubtract: "kpsubtract",
	KPAdd: "kpadd", KPEnter: "kpenter", KPEqual: "kpequal", KPSeparator: "kpseparator",
	KPLeft: "kpleft", KPRight: "kpright", KPUp: "kpup", KPDown: "kpdown", KPPageUp: "kppgup",
	KPPageDown: "kppgdown", KPHome: "kphome", KPEnd: "kpend", KPInsert: "kpinsert",
	KPDelete: "kpdelete", KPBegin: "kpbegin",
	MediaPlay: "mediaplay", MediaPause: "mediapause", MediaPlayPause: "mediaplaypause",
	MediaReverse: "mediareverse", MediaStop: "mediastop", MediaFastForward: "mediafastforward",
	MediaRewind: "mediarewind", MediaNext: "medianext", MediaPrevious: "mediaprevious",
	MediaRecord: "mediarecord", VolumeDown: "volumedown", VolumeUp: "volumeup", VolumeMute: "volumemute",
	LeftShift: "leftshift", LeftCtrl: "leftctrl", LeftAlt: "leftalt", LeftSuper: "leftsuper",
	LeftHyper: "lefthyper", LeftMeta: "leftmeta", RightShift: "rightshift", RightCtrl: "rightctrl",
	RightAlt: "rightalt", RightSuper: "rightsuper", RightHyper: "righthyper", RightMeta: "rightmeta",
	Level3Shift: "level3shift", Level5Shift: "level5shift",
}

// keyAliases are further spellings that ParseKey takes.
var keyAliases = map[string]rune{
	"return": Enter, "escape": Escape, "spc": Space, "bs": Backspace, "ins": Insert, "del": Delete,
	"pageup": PageUp, "pagedown": PageDown, "pgdn": PageDown, "plus": '+', "minus": '-',
}

// keyCodes is keyNames and keyAliases the other way round.
var keyCodes = func() map[string]rune {
	codes := make(map[string]rune, len(keyNames)+len(keyAliases)+45)
	for code, name := range keyNames {
		codes[name] = code
	}
	for name, code := range keyAliases {
		codes[name] = code
	}
	for code := F1; code <= F35; code++ {
		codes[functionName(code)] = code
	}
	for code := KP0; code <= KP9; code++ {
		codes[keypadName(code)] = code
	}
	return codes
}()

func functionName(code rune) string { return "f" + strconv.Itoa(int(code-F1)+1) }
func keypadName(code rune) string   { return "kp" + strconv.Itoa(int(code-KP0)) }

// Name is the key as keymaps and the help page write it: modifiers in the
// order ctrl, alt, shift, super, hyper, meta, then a lower-case name, joined
// by "+". Locks and the kind of event are left out.
func (k Key) Name() string {
	var b strings.Builder
	for _, m := range modNames {
		if k.Mods&m.mod != 0 {
			b.WriteString(m.name)
			b.WriteByte('+')
		}
	}
	switch name, ok := keyNames[k.Code]; {
	case ok:
		b.WriteString(name)
	case k.Code >= F1 && k.Code <= F35:
		b.WriteString(functionName(k.Code))
	case k.Code >= KP0 && k.Code <= KP9:
		b.WriteString(keypadName(k.Code))
	default:
		b.WriteRune(k.Code)
	}
	return b.String()
}

// ParseKey reads a name as Name writes it. Case does not matter, except that
// one capital letter by itself is that letter with shift.
func ParseKey(name string) (Key, error) {
	k := Key{Event: Press}
	rest := name
	for {
		i := strings.IndexByte(rest, '+')
		if i <= 0 || i == len(rest)-1 {
			break // no modifier left, or the key is "+" itself
		}
		m, ok := parseMod(rest[:i])
		if !ok {
			return Key{}, fmt.Errorf("key %q: no modifier %q", name, rest[:i])
		}
		k.Mods |= m
		rest = rest[i+1:]
	}
	if r, n := utf8.DecodeRuneInString(rest); n > 0 && n == len(rest) && r != utf8.RuneError && unicode.IsPrint(r) {
		k.Code = unicode.ToLower(r)
		if k.Code != r && k.Mods == 0 {
			k.Mods, k.Shifted = Shift, r
		}
		return k, nil
	}
	code, ok := keyCodes[strings.ToLower(rest)]
	if !ok {
		return Key{}, fmt.Errorf("key %q: no key %q", name, rest)
	}
	k.Code = code
	return k, nil
}

func parseMod(name string) (Mods, bool) {
	name = strings.ToLower(name)
	for _, m := range modNames {
		if m.name == name {
			return m.mod, true
		}
	}
	m, ok := modAliases[name]
	return m, ok
}
