//go:build unix

package main

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"moorage/persistence"
	"moorage/workspace"
)

var update = flag.Bool("update", false, "write the golden files anew")

// unitsFor are units with everything fixed that a test compares.
func unitsFor(t *testing.T, dir, exe, home string) units {
	t.Helper()
	h, err := persistence.LookHome(home)
	if err != nil {
		t.Fatal(err)
	}
	return units{dir: dir, name: "moorage", exe: exe, home: h}
}

func TestUnitsAreAsTheGoldenFilesSay(t *testing.T) {
	for name, u := range map[string]units{
		"plain": unitsFor(t, "/config", "/usr/bin/moorage", "/nowhere/me/.moorage"),
		"odd":   unitsFor(t, "/config", `/opt/my "apps"/100% $HOME\n/moorage`, `/nowhere/it's %h "50%" $x\`),
	} {
		for file, text := range map[string]string{name + ".service": u.front(), name + "-ptyhost.service": u.host()} {
			path := filepath.Join("testdata", "units", file)
			if *update {
				if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil || text != string(want) {
				t.Errorf("%s, %v:\n%s\nwant:\n%s", file, err, text, want)
			}
		}
	}
}

func TestSystemdAcceptsUnitsWithOddPaths(t *testing.T) {
	if !onPath("systemd-analyze") {
		t.Skip("needs systemd-analyze")
	}
	dir := filepath.Join(t.TempDir(), `a b %h "q" it's $HOME \x`)
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	exe := filepath.Join(dir, "moorage")
	if err := os.WriteFile(exe, []byte("#!/bin/sh\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	u := unitsFor(t, t.TempDir(), exe, filepath.Join(dir, "home"))
	verify := func(text string) ([]byte, error) {
		path := filepath.Join(u.dir, "moorage-test.service")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := exec.CommandContext(t.Context(), "systemd-analyze", "--user", "verify", path)
		cmd.Env = append(os.Environ(), "XDG_RUNTIME_DIR="+u.dir)
		return cmd.CombinedOutput()
	}
	plain := units{exe: "/bin/true", home: u.home}
	if out, err := verify(plain.host()); err != nil {
		t.Skipf("systemd-analyze does not work here: %v\n%s", err, out)
	}
	if out, err := verify(strings.ReplaceAll(plain.host(), "/bin/true", "/bin/no-such-program")); err == nil {
		t.Skipf("systemd-analyze takes anything here:\n%s", out)
	}
	for _, text := range []string{u.front(), u.host()} {
		if out, err := verify(text); err != nil || len(bytes.TrimSpace(out)) > 0 {
			t.Errorf("%v\n%s\n%s", err, out, text)
		}
	}
}

func TestUnitsAreWrittenReplacedAndRemoved(t *testing.T) {
	root, dir := t.TempDir(), filepath.Join(t.TempDir(), "systemd", "user")
	u := unitsFor(t, dir, "/usr/bin/moorage", t.TempDir())
	var out bytes.Buffer
	if err := u.install(&out, root); workspace.CodeOf(err) != workspace.CodeNotFound || workspace.AsError(err).Next == "" {
		t.Fatalf("without systemd: %v", err)
	}
	if !missing(dir) {
		t.Error("something was written without systemd")
	}
	if err := os.MkdirAll(filepath.Join(root, "run/systemd/system"), 0o700); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		out.Reset()
		if err := u.install(&out, root); err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []string{"systemctl --user daemon-reload\n", "systemctl --user enable --now moorage.service\n", "lingering is off", "loginctl"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in:\n%s", want, out.String())
		}
	}
	host, err := os.ReadFile(filepath.Join(dir, "moorage-ptyhost.service"))
	if err != nil || string(host) != u.host() {
		t.Errorf("%v:\n%s", err, host)
	}
	out.Reset()
	if err := u.uninstall(&out, true); err != nil || strings.Count(out.String(), "would remove") != 2 || missing(filepath.Join(dir, "moorage.service")) {
		t.Errorf("dry: %v\n%s", err, out.String())
	}
	for range 2 {
		if err := u.uninstall(&out, false); err != nil {
			t.Error(err)
		}
	}
	if names, err := os.ReadDir(dir); err != nil || len(names) > 0 {
		t.Errorf("left: %v, %v", names, err)
	}
	mine := filepath.Join(dir, "moorage.service")
	if err := os.WriteFile(mine, []byte("[Service]\nExecStart=/my/own\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := u.install(&out, root); workspace.CodeOf(err) != workspace.CodeConflict {
		t.Errorf("over somebody else's: %v", err)
	}
	if err := u.uninstall(&out, false); workspace.CodeOf(err) != workspace.CodeConflict {
		t.Errorf("away with somebody else's: %v", err)
	}
}

func TestTheHostIsStartedByItsUnitWhereThereIsOne(t *testing.T) {
	root, bin := t.TempDir(), t.TempDir()
	u := unitsFor(t, t.TempDir(), "/usr/bin/moorage", t.TempDir())
	said := filepath.Join(bin, "said")
	script := "#!/bin/sh\necho \"$*\" >>" + shellQuote(said) + "\ntest -e " + shellQuote(filepath.Join(root, "works")) + "\n"
	if err := os.WriteFile(filepath.Join(bin, "systemctl"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	if u.start(t.Context(), root, u.hostName()) {
		t.Error("started without a unit and without systemd")
	}
	if err := os.WriteFile(filepath.Join(u.dir, u.hostName()), []byte(u.host()), 0o600); err != nil {
		t.Fatal(err)
	}
	if u.start(t.Context(), root, u.hostName()) || !missing(said) {
		t.Error("started without systemd")
	}
	if err := os.MkdirAll(filepath.Join(root, "run/systemd/system"), 0o700); err != nil {
		t.Fatal(err)
	}
	if u.start(t.Context(), root, u.hostName()) {
		t.Error("a manager that refuses counts as started")
	}
	if err := os.Mkdir(filepath.Join(root, "works"), 0o700); err != nil {
		t.Fatal(err)
	}
	if !u.start(t.Context(), root, u.hostName()) {
		t.Error("not started")
	}
	if text, err := os.ReadFile(said); err != nil || strings.Count(string(text), "--user --no-block start moorage-ptyhost.service\n") != 2 {
		t.Errorf("%v: %s", err, text)
	}
}
