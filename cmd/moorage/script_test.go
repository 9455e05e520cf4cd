package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"moorage/persistence"
	"moorage/workspace/settings"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"moorage": main})
}

// TestScripts runs testdata's scripts, each in a home of its own with the real three processes, which end with it.
func TestScripts(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata",
		Setup: func(env *testscript.Env) error {
			home, err := os.MkdirTemp("", "moor") // short: it has sockets
			if err != nil {
				return err
			}
			if err := os.WriteFile(filepath.Join(home, settings.File), []byte("port = 0\n"), 0o600); err != nil {
				return err
			}
			env.Setenv("HOME", env.WorkDir)
			env.Setenv("SHELL", "/bin/sh")
			env.Setenv("MOORAGE_HOME", home)
			env.Setenv("MOORAGE", "")
			env.Setenv("GORACE", "atexit_sleep_ms=0") // the race detector's second at each exit adds up
			env.Defer(func() {
				endAll(t, home)
				os.RemoveAll(home)
			})
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"eventually": eventually,
			"field":      field,
		},
	})
}

// eventually TEXT COMMAND... repeats the command until its output contains the text, and fails with the last one after 15 s.
func eventually(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: eventually TEXT COMMAND...")
	}
	want := args[0]
	var last string
	for deadline := time.Now().Add(15 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		_ = ts.Exec(args[1], args[2:]...) // its output tells
		last = ts.ReadFile("stdout") + ts.ReadFile("stderr")
		if strings.Contains(last, want) != neg {
			return
		}
	}
	ts.Fatalf("never came: %q (negated: %v); last output:\n%s", want, neg, last)
}

// field NAME PATH... puts the string that the last output, as JSON, has at the path into the variable.
func field(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: field NAME PATH...")
	}
	var v any
	ts.Check(json.Unmarshal([]byte(ts.ReadFile("stdout")), &v))
	for _, step := range args[1:] {
		switch at := v.(type) {
		case map[string]any:
			v = at[step]
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i >= len(at) {
				ts.Fatalf("there is no %s in %v", step, at)
			}
			v = at[i]
		}
	}
	text, ok := v.(string)
	if !ok {
		data, err := json.Marshal(v)
		ts.Check(err)
		text = string(data)
	}
	ts.Setenv(args[0], text)
}

// endAll ends the processes of a home, the host with its sessions last.
func endAll(t *testing.T, home string) {
	run := func(args ...string) []byte {
		cmd := exec.Command("moorage", args...)
		cmd.Env = append(os.Environ(), persistence.HomeVariable+"="+home, "GORACE=atexit_sleep_ms=0")
		out, err := cmd.Output()
		if err != nil {
			t.Errorf("moorage %s: %v", args[0], err)
		}
		return out
	}
	run("stop")
	var st statusReport
	if err := json.Unmarshal(run("status", "--json"), &st); err != nil {
		t.Errorf("status: %v", err)
		return
	}
	if st.PTYHost.PID > 1 {
		if err := terminate(st.PTYHost.PID); err != nil {
			t.Error(err)
		}
	}
}
