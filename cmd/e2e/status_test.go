//go:build unix

package e2e

import (
	"encoding/json"
	"testing"
)

func TestStatusCountsTerminalsAndNothingElse(t *testing.T) {
	in := start(t)
	clients := func() int {
		out, err := in.cli("status", "--json")
		var st struct {
			SSHD struct {
				Clients *int
				Build   string
			}
		}
		if err != nil || json.Unmarshal([]byte(out), &st) != nil || st.SSHD.Clients == nil || st.SSHD.Build == "" {
			t.Fatalf("status: %v\n%s", err, out)
		}
		return *st.SSHD.Clients
	}
	if n := clients(); n != 0 {
		t.Errorf("%d clients before any came", n)
	}
	a := in.attach(100, 30).ready()
	in.attach(80, 24).ready()
	if _, err := in.ssh("api", "list"); err != nil {
		t.Fatal(err)
	}
	if n := clients(); n != 2 {
		t.Errorf("%d clients, two are attached", n)
	}
	if err := a.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	in.eventually("one is left", func() bool { return clients() == 1 })
}
