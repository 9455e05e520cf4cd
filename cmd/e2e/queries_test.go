//go:build unix

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// asker makes a script that sends its first argument to the terminal and
// writes what comes back into the file of its second, as cat -v shows it.
func (in *instance) asker() string {
	in.t.Helper()
	path := filepath.Join(in.user, "ask")
	script := `#!/bin/sh
stty raw -echo min 0 time 20
printf "$1" > /dev/tty
cat -v < /dev/tty > "$2.part"
stty sane
mv "$2.part" "$2"
`
	if err := os.WriteFile(path, []byte(script), 0o700); err != nil {
		in.t.Fatal(err)
	}
	return path
}

// answered is what a query into a file brought, once it is there.
func (in *instance) answered(file string) string {
	in.t.Helper()
	in.eventually("the answers in "+file, func() bool {
		_, err := os.Stat(filepath.Join(in.user, file))
		return err == nil
	})
	return in.file(file)
}

// B84: the common queries are answered as xterm answers them, in order.
func TestQueriesAreAnswered(t *testing.T) {
	t.Parallel()
	in := start(t)
	in.asker()
	c := in.attach(100, 30).ready()
	c.run(`./ask '\033[3;7H\033[5n\033[6n\033[c\033[>c\033[>q\033[?u\033[18t' out`)
	got := in.answered("out")
	for _, want := range []string{`^[[0n`, `^[[3;7R`, `^[[?`, `^[[>`, `^[P>|moorage(`, `^[\`, `^[[?0u`, `^[[8;28;77t`} {
		_, rest, ok := strings.Cut(got, want)
		if !ok {
			t.Fatalf("%q is missing or out of order in %q", want, in.file("out"))
		}
		got = rest
	}
	if got != "" {
		t.Errorf("more than was asked for: %q", got)
	}
}

// B85, B86: queries are answered once each and in order, whether nobody, one
// or several clients look on.
func TestQueriesAreAnsweredOnceWhoeverLooksOn(t *testing.T) {
	t.Parallel()
	in := start(t)
	in.asker()
	first := in.attach(100, 30).ready()
	key := in.session("tab-1/pane-1").Key
	first.send("\x11\x11")
	first.gone()
	var clients []*client
	for _, n := range []int{0, 1, 3} {
		for len(clients) < n {
			clients = append(clients, in.attach(100, 30).ready())
		}
		for end, terminator := range map[string]string{`\a`: `^G`, `\033\\`: `^[\`} {
			out := fmt.Sprintf("out%d%c", n, terminator[1])
			in.api(nil, "send-keys", key, "--literal", `clear; ./ask '\033]11;?`+end+`\033[6n' `+out+"\n")
			got := in.answered(out)
			color, cursor, ok := strings.Cut(got, terminator)
			if !ok || !strings.HasPrefix(color, "^[]11;rgb:") || len(color) != len("^[]11;rgb:0000/0000/0000") || !strings.HasPrefix(cursor, "^[[1;1R") || len(cursor) != len("^[[1;1R") {
				t.Errorf("with %d clients: %q", n, got)
			}
		}
	}
}

// B88: a program that asks and does not read gets no answer in the end, and
// holds up nothing.
func TestQueriesThatNobodyReadsHoldNothingUp(t *testing.T) {
	t.Parallel()
	in := start(t)
	c := in.attach(100, 30).ready()
	b := in.attach(100, 30).ready()
	b.send("\x14")
	b.sees(" 2 shell")
	b.atPrompt()
	host := in.pid("ptyhost")
	before := rss(host)
	c.run(`clear; stty -echo; i=0; while [ $i -lt 20000 ]; do printf '\033[c\033[6n\033]11;?\a'; i=$((i+1)); done; stty sane; sh -c 'echo all "asked"; exec sleep 1000'`)
	b.echoes(2)
	c.sees("all asked")
	b.echoes(1)
	if after := rss(host); after-before > grown() {
		t.Errorf("the host grew from %d to %d MB", before, after)
	}
	c.send("\x03")
	c.seesMatch(`\$$`)
}

// B75: a program that never ends its synchronised frame is shown all the same.
func TestAnOpenSynchronisedFrameIsShown(t *testing.T) {
	t.Parallel()
	in := start(t)
	c := in.attach(100, 30).ready()
	from := time.Now()
	c.run(`clear; printf '\033[?2026hhid'"den"; sleep 1000`)
	c.sees("hidden")
	if took := time.Since(from); took > 10*time.Second {
		t.Errorf("it took %v", took)
	}
	in.attach(80, 24).sees("hidden")
	c.send("\x03")
	c.seesMatch(`\$$`)
	c.run(`clear; printf '\033[?2026hmore'" hidden"; sleep 1000`)
	c.resize(110, 31)
	c.sees("more hidden")
}
