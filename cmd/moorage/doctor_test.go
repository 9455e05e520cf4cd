package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"moorage/persistence"
)

func TestLingeringIsToldFromNotKnowing(t *testing.T) {
	for _, c := range []struct {
		name                   string
		systemd, off, loginctl bool
		want                   verdict
	}{
		{"me", false, true, false, fine},
		{"me", true, false, true, fine},
		{"me", true, true, true, odd},
		{"me", true, true, false, unknown},
		{"", true, true, true, unknown},
	} {
		f := lingerFinding(c.name, c.systemd, c.off, c.loginctl)
		if f.State != c.want || (f.Next == "") != (c.want == fine) {
			t.Errorf("%+v: %+v", c, f)
		}
	}
}

func TestATerminalIsJudgedByWhatItSays(t *testing.T) {
	for _, c := range []struct {
		env  map[string]string
		want []verdict
	}{
		{map[string]string{"TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "en_US.UTF-8"}, []verdict{fine, fine}},
		{map[string]string{"TERM": "tmux", "TMUX": "/tmp/x", "LC_ALL": "C.utf8", "LANG": "C"}, []verdict{fine, fine}},
		{map[string]string{"TERM": "dumb", "LC_ALL": "C", "LANG": "C.UTF-8"}, []verdict{odd, odd}},
		{map[string]string{"LC_CTYPE": "de_DE.UTF-8"}, []verdict{unknown, fine}},
	} {
		var got []verdict
		for _, f := range terminalFindings(func(name string) string { return c.env[name] }) {
			got = append(got, f.State)
			if (f.Next == "") != (f.State == fine) {
				t.Errorf("%v: %+v", c.env, f)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%v: %v, want %v", c.env, got, c.want)
		}
	}
}

func TestTheDoctorKnowsAnOldSSHBlock(t *testing.T) {
	home, err := persistence.LookHome(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	mine, err := sshBlock(home, keyFiles(home))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "config")
	for _, c := range []struct {
		text string
		want verdict
	}{
		{"Host *\n", fine},
		{"# mine\n" + mine + "Host *\n", fine},
		{blockBegin + "\nHost moorage\n" + blockEnd + "\n", odd},
		{blockBegin + "\nHost moorage\n", broken},
	} {
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if f := checkBlock(home, path); f.State != c.want || (f.Next == "") != (c.want == fine) {
			t.Errorf("%q: %+v", c.text, f)
		}
	}
	if f := checkBlock(home, path+".missing"); f.State != fine {
		t.Errorf("no file: %+v", f)
	}
}
