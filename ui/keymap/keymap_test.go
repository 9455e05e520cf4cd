package keymap

import (
	"strings"
	"testing"

	"moorage/ui/input"
)

func find(t *testing.T, m *Map, where Where, key string, exact bool) Action {
	t.Helper()
	k, err := input.ParseKey(key)
	if err != nil {
		t.Fatal(err)
	}
	k.Event = input.Press
	a, _ := m.Find(where, k, exact)
	return a
}

func TestTheDefaultsAreFound(t *testing.T) {
	m, err := New("ctrl+a", nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		where Where
		key   string
		exact bool
		want  Action
	}{
		{Anywhere, "ctrl+q", false, Back},
		{Anywhere, `ctrl+\`, false, SplitRight},
		{Anywhere, "ctrl+=", true, SplitDown},
		{Anywhere, "ctrl+=", false, ""},
		{Anywhere, "ctrl+[", false, ""}, // Escape, on a plain terminal
		{Anywhere, "ctrl+[", true, PrevTab},
		{AfterPref, "|", false, SplitRight},
		{AfterPref, "7", false, Tab(7)},
		{InSidebar, "enter", false, Open},
		{Anywhere, "enter", false, ""},
	} {
		if got := find(t, m, tc.where, tc.key, tc.exact); got != tc.want {
			t.Errorf("%s at %d does %q, not %q", tc.key, tc.where, got, tc.want)
		}
	}
}

func TestEveryBindingCanBeTyped(t *testing.T) {
	m, err := New("ctrl+a", nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, where := range []Where{Anywhere, InSidebar, AfterPref} {
		seen := map[string]Action{}
		for _, b := range m.Bindings(where, true) {
			for _, key := range b.Keys {
				if other, twice := seen[key]; twice {
					t.Errorf("%s does both %s and %s", key, other, b.Action)
				}
				seen[key] = b.Action
				if got := find(t, m, where, key, true); got != b.Action {
					t.Errorf("%s does %q, not %q", key, got, b.Action)
				}
			}
		}
	}
}

func TestSettingsGiveActionsOtherKeys(t *testing.T) {
	m, err := New("ctrl+b", map[string]string{"back": "ctrl+g f12", "zoom": "alt+z"})
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]Action{"ctrl+g": Back, "f12": Back, "ctrl+q": "", "alt+z": Zoom} {
		if got := find(t, m, Anywhere, key, false); got != want {
			t.Errorf("%s does %q, not %q", key, got, want)
		}
	}
	if m.Prefix() != "ctrl+b" {
		t.Errorf("prefix %s", m.Prefix())
	}
}

func TestAMistakeCostsTheActionThatItIsIn(t *testing.T) {
	m, err := New("nonsense", map[string]string{"nonsense": "f1", "back": "ctrl+nonsense f12", "zoom": "alt+z"})
	if err == nil {
		t.Fatal("no word of the mistakes")
	}
	for _, part := range []string{`prefix "nonsense"`, "keys.nonsense: no such action", "keys.back: "} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("no word of %s: %v", part, err)
		}
	}
	for key, want := range map[string]Action{"ctrl+q": Back, "f12": "", "alt+z": Zoom} {
		if got := find(t, m, Anywhere, key, false); got != want {
			t.Errorf("%s does %q, not %q", key, got, want)
		}
	}
	if m.Prefix() != "ctrl+a" || !m.IsPrefix(input.Key{Code: 'a', Mods: input.Ctrl, Event: input.Press}) {
		t.Errorf("prefix %s", m.Prefix())
	}
}

func TestAKeyHasOneMeaning(t *testing.T) {
	for _, tc := range []struct {
		name, prefix string
		changes      map[string]string
		mistakes     []string
		want         map[string]Action
	}{
		{
			"another action's", "ctrl+b",
			map[string]string{"zoom": "ctrl+t"},
			[]string{`keys.zoom: key "ctrl+t" is that of new-tab`},
			map[string]Action{"ctrl+t": NewTab},
		},
		{
			"given twice", "ctrl+b",
			map[string]string{"zoom": "f9", "even": "f9"},
			[]string{`key "f9" is that of`},
			nil,
		},
		{
			"swapped", "ctrl+b",
			map[string]string{"back": "ctrl+t", "new-tab": "ctrl+q"},
			nil,
			map[string]Action{"ctrl+t": Back, "ctrl+q": NewTab},
		},
		{
			"given up first", "ctrl+b",
			map[string]string{"back": "", "new-tab": "ctrl+q"},
			nil,
			map[string]Action{"ctrl+q": NewTab},
		},
		{
			"the prefix", "ctrl+b",
			map[string]string{"zoom": "ctrl+b"},
			[]string{`keys.zoom: key "ctrl+b" is the prefix`},
			map[string]Action{"ctrl+b": ""},
		},
		{
			"the prefix is another's", "ctrl+q", nil,
			[]string{`prefix "ctrl+q": it is the key of back`},
			map[string]Action{"ctrl+q": Back},
		},
		{
			"the prefix is one given up", "ctrl+q",
			map[string]string{"back": "f12"},
			nil,
			map[string]Action{"f12": Back},
		},
		{
			"typed", "ctrl+b",
			map[string]string{"zoom": "a", "even": "shift+A", "close": "enter", "help": "pgup"},
			[]string{`keys.zoom: key "a"`, `keys.even: key "shift+A"`, `keys.close: key "enter"`},
			map[string]Action{"a": "", "ctrl+w": Close, "pgup": Help},
		},
	} {
		m, err := New(tc.prefix, tc.changes)
		if (err != nil) != (tc.mistakes != nil) {
			t.Errorf("%s: %v", tc.name, err)
		}
		for _, part := range tc.mistakes {
			if err == nil || !strings.Contains(err.Error(), part) {
				t.Errorf("%s: no word of %s: %v", tc.name, part, err)
			}
		}
		for key, want := range tc.want {
			if got := find(t, m, Anywhere, key, false); got != want {
				t.Errorf("%s: %s does %q, not %q", tc.name, key, got, want)
			}
		}
	}
}
