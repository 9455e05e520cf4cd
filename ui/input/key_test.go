package input

import (
	"testing"

	"pgregory.net/rapid"
)

func TestKeyNames(t *testing.T) {
	for name, want := range map[string]Key{
		"ctrl+q":        {Code: 'q', Mods: Ctrl},
		"ctrl+\\":       {Code: '\\', Mods: Ctrl},
		"ctrl+=":        {Code: '=', Mods: Ctrl},
		"ctrl++":        {Code: '+', Mods: Ctrl},
		"+":             {Code: '+'},
		"alt+left":      {Code: Left, Mods: Alt},
		"f5":            {Code: F5},
		"F35":           {Code: F35},
		"ctrl+pgup":     {Code: PageUp, Mods: Ctrl},
		"Ctrl+PageUp":   {Code: PageUp, Mods: Ctrl},
		"ctrl+alt+del":  {Code: Delete, Mods: Ctrl | Alt},
		"ctrl+Q":        {Code: 'q', Mods: Ctrl},
		"A":             {Code: 'a', Shifted: 'A', Mods: Shift},
		"shift+tab":     {Code: Tab, Mods: Shift},
		"space":         {Code: Space},
		"ctrl+space":    {Code: Space, Mods: Ctrl},
		"kp5":           {Code: KP5},
		"|":             {Code: '|'},
		"é":             {Code: 'é'},
		"super+kpenter": {Code: KPEnter, Mods: Super},
	} {
		want.Event = Press
		got, err := ParseKey(name)
		if err != nil || got != want {
			t.Errorf("%q: %+v %v, want %+v", name, got, err, want)
		}
	}
	for _, name := range []string{"", "ctrl+", "hyperspace", "foo+a", "ctrl+nothing", "\x01", "f36", "kp10"} {
		if k, err := ParseKey(name); err == nil {
			t.Errorf("%q is %+v", name, k)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		k := genKey().Draw(t, "key")
		again, err := ParseKey(k.Name())
		if err != nil || again.Code != k.Code || again.Mods != k.Mods&^locks {
			t.Fatalf("%q: %+v %v", k.Name(), again, err)
		}
	})
}

func TestMatches(t *testing.T) {
	for _, tt := range []struct {
		in, binding string
		want        bool
	}{
		{"\x11", "ctrl+q", true},
		{"\x1c", "ctrl+\\", true},
		{"\x1f", "ctrl+_", true},
		{"\x1b[113;5u", "ctrl+q", true},
		{"\x1b[113;69u", "ctrl+q", true},      // caps lock
		{"\x1b[113;133u", "ctrl+q", true},     // num lock
		{"\x1b[113;6u", "ctrl+q", false},      // with shift
		{"\x1b[113;5:3u", "ctrl+q", false},    // release
		{"\x1b[113;5:2u", "ctrl+q", true},     // repeat
		{"\x1b[1081::113;5u", "ctrl+q", true}, // Cyrillic, at q's place
		{"\x1b[97::113;5u", "ctrl+q", false},  // AZERTY: a Latin key is itself
		{"\x1b[97::113;5u", "ctrl+a", true},   //
		{"\x1b[45:95;6u", "ctrl+_", true},     // shifted
		{"\x1b[92:124;2;124u", "|", true},     //
		{"|", "|", true},                      //
		{"\x1b[27;6;43~", "ctrl++", true},     //
		{"\x1b[27;5;61~", "ctrl+=", true},     //
		{"A", "A", true},                      //
		{"\x1b[97:65;2;65u", "A", true},       //
		{"a", "A", false},                     //
		{"\x1b", "ctrl+[", false},             // legacy cannot tell
		{"\x1b[91;5u", "ctrl+[", true},        //
		{"\x1b\x1b[D", "alt+left", true},      //
		{"\x1b[1;3D", "alt+left", true},       //
		{"\x1b[5;5~", "ctrl+pgup", true},      //
		{"\x1b[1089;5u", "ctrl+c", false},     // no base told
		{"\x1b[57350u", "left", true},         //
		{"\x1b[57417u", "left", false},        // the keypad's is another key
	} {
		binding, err := ParseKey(tt.binding)
		if err != nil {
			t.Fatal(err)
		}
		matched := false
		var tz Tokenizer
		emit := func(tok Token) {
			for k := range tok.Keys() {
				matched = matched || k.Matches(binding)
			}
		}
		tz.Feed([]byte(tt.in), emit)
		tz.Flush(emit)
		if matched != tt.want {
			t.Errorf("%q matches %s: %v", tt.in, tt.binding, matched)
		}
	}
}
