package settings

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func TestWithoutAFileTheDefaultsHold(t *testing.T) {
	got, err := Load(filepath.Join(t.TempDir(), File))
	if err != nil || !reflect.DeepEqual(got, Default()) {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestTheDefaultsAreWithinTheirOwnRanges(t *testing.T) {
	s := Default()
	if errs := s.mend(); len(errs) > 0 {
		t.Error(errs)
	}
}

func TestTheFileOverridesOnlyWhatItNames(t *testing.T) {
	path := filepath.Join(t.TempDir(), File)
	if err := os.WriteFile(path, []byte("port = 7100\n[terminal]\nscrollback_rows = 500\n[keys]\nnew-tab = \"ctrl+n\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	want := Default()
	want.Port = 7100
	want.Terminal.ScrollbackRows = 500
	want.Keys = map[string]string{"new-tab": "ctrl+n"}
	if got, err := Load(path); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestABadFileIsExplainedAndTheDefaultsKept(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{"port = 7022\nport = \n", []string{"line 2"}},
		{"port = \"no\"\n", []string{"line 1", "port"}},
		{"\n\nprot = 7022\n", []string{"line 3", "prot"}},
		{"[terminal]\nscrollback = 5\n", []string{"line 2", "terminal.scrollback"}},
		{"port = 70000\n", []string{"port is 70000", "0 to 65535"}},
		{"[terminal]\nscrollback_rows = 7\n", []string{"terminal.scrollback_rows", "100 to 100000"}},
		{"[terminal]\nforeground = \"red\"\n", []string{"terminal.foreground", "#rrggbb"}},
		{"prefix = \"f12\"\n", []string{"prefix", "ctrl+"}},
		{"[host]\nring_kib = 1\n", []string{"host.ring_kib", "64 to 16384"}},
	} {
		path := filepath.Join(t.TempDir(), File)
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := Load(path)
		if err == nil {
			t.Errorf("%q was accepted", c.text)
			continue
		}
		if !reflect.DeepEqual(got, Default()) {
			t.Errorf("%q changed the defaults to %+v", c.text, got)
		}
		if strings.Contains(err.Error(), "settings.Settings") || strings.Contains(err.Error(), "struct") {
			t.Errorf("%q: error %q is for programmers", c.text, err)
		}
		for _, want := range c.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%q: error %q does not name %q", c.text, err, want)
			}
		}
	}
}

func TestAMistakeCostsOneSettingOnly(t *testing.T) {
	got, err := Parse("port = \"no\"\nprefix = \"ctrl+b\"\nprot = 1\nclock = maybe\n[terminal]\nscrollback_rows = 5\nforeground = \"#123456\"\n")
	want := Default()
	want.Prefix, want.Terminal.Foreground = "ctrl+b", "#123456"
	if err == nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v", got)
	}
	for _, part := range []string{"line 1", "a whole number", "line 3", "prot", "line 4", "scrollback_rows is 5"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%q does not say %q", err, part)
		}
	}
}

// What stands in a table that there is not is no setting of the table before.
func TestAnUnknownTableIsLeftOutWhole(t *testing.T) {
	for _, head := range []string{"", "[notify]\n", "[terminal]\n", "[keys]\n"} {
		s, err := Parse(head + "[hosts]\nclock = true\nform = \"smoke\"\nport = 99999\nscrollback_rows = 5\n\n[host]\nring_kib = 1024\n")
		want := Default()
		want.Host.RingKiB = 1024
		if !reflect.DeepEqual(s, want) {
			t.Errorf("behind %q: %+v", head, s)
		}
		if err == nil || strings.Count(err.Error(), "\n") > 0 || !strings.Contains(err.Error(), "there is no setting hosts") {
			t.Errorf("behind %q: %v", head, err)
		}
	}
}
