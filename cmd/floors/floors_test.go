// Package floors holds the test that keeps imports pointing downwards.
package floors

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// floor says what a folder may import of ours besides itself. The longest
// matching prefix of a package counts.
var floor = map[string][]string{
	"moorage/persistence":     {},
	"moorage/ptyhost":         {"moorage/persistence"},
	"moorage/ptyhost/vt":      {},
	"moorage/ptyhost/ring":    {},
	"moorage/ptyhost/proc":    {},
	"moorage/ptyhost/nowait":  {},
	"moorage/ptyhost/wire":    {"moorage/ptyhost/nowait"},
	"moorage/workspace":       {"moorage/ptyhost/wire", "moorage/ptyhost/hostclient", "moorage/persistence"},
	"moorage/workspace/split": {},
	"moorage/workspace/bus":   {},
	"moorage/ui":              {"moorage/workspace", "moorage/workspace/split", "moorage/ptyhost/vt"},
	"moorage/ui/input":        {"moorage/ptyhost/vt"},
	"moorage/ui/paint":        {"moorage/ptyhost/vt", "moorage/ui/input"},
	"moorage/sshd":            {"moorage/ui", "moorage/workspace", "moorage/ptyhost", "moorage/persistence"},
	"moorage/cmd":             {"moorage"},
}

func TestImportsPointDownwards(t *testing.T) {
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", "moorage/...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	seen := 0
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p struct {
			ImportPath string
			Imports    []string
		}
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		seen++
		home, allowed, ok := rule(p.ImportPath)
		if !ok {
			t.Errorf("%s stands on no floor", p.ImportPath)
		}
		for _, imp := range p.Imports {
			if !under(imp, "moorage") || under(imp, home) {
				continue
			}
			if !slices.ContainsFunc(allowed, func(a string) bool { return permits(home, a, imp) }) {
				t.Errorf("%s imports %s", p.ImportPath, imp)
			}
		}
	}
	if seen < len(floor) {
		t.Errorf("only %d packages looked at", seen)
	}
}

// rule returns the rule that a package falls under.
func rule(pkg string) (home string, allowed []string, ok bool) {
	for prefix, list := range floor {
		if under(pkg, prefix) && len(prefix) > len(home) {
			home, allowed, ok = prefix, list, true
		}
	}
	return home, allowed, ok
}

// permits reports whether a folder that may import a may import imp. Package
// ui gets workspace's nouns alone; the floors above get whole folders.
func permits(home, a, imp string) bool {
	if home == "moorage/ui" {
		return imp == a
	}
	return under(imp, a)
}

func under(pkg, prefix string) bool { return pkg == prefix || strings.HasPrefix(pkg, prefix+"/") }
