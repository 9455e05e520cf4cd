package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// file is what a program of the instance's wrote into the user's home.
func (in *instance) file(name string) string {
	b, _ := os.ReadFile(filepath.Join(in.user, name)) // not there yet: empty
	return string(b)
}

func (in *instance) fileHas(name, text string) bool { return strings.Contains(in.file(name), text) }

// session is the hosted session whose key ends so.
func (in *instance) session(suffix string) hosted {
	in.t.Helper()
	for _, s := range in.sessions() {
		if strings.HasSuffix(s.Key, suffix) {
			return s
		}
	}
	in.t.Fatalf("no session %s among %+v", suffix, in.sessions())
	return hosted{}
}

// ttyOf is the terminal device of a session's shell.
func (in *instance) ttyOf(suffix string) string {
	in.t.Helper()
	tty, err := os.Readlink(fmt.Sprintf("/proc/%d/fd/0", in.session(suffix).PID))
	if err != nil {
		in.t.Fatal(err)
	}
	return tty
}
