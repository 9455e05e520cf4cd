package proc

import (
	"strings"
	"testing"
)

func TestAShellIsAtItsPromptOnlyIfItReadsItsTerminal(t *testing.T) {
	for line, want := range map[string]bool{
		"-bash": true, "/bin/bash -l": true, "zsh --login -i": true, "/bin/sh": true, "fish -l": true,
		"sh -c sleep 5": false, "/bin/bash -lc exec x": false, "bash script.sh": false, "bash -": false, "fish --command=x": false,
		"vim": false, "bashful": false, "": false,
	} {
		if got := interactive(strings.Fields(line)); got != want {
			t.Errorf("%q: %v", line, got)
		}
	}
}
