//go:build unix

package e2e

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// ship is a home with something in it: a task with a shell, and a tab that
// counts.
type ship struct {
	*instance
	t       *testing.T
	dir     string
	task    string
	counter string // its session's key
	shell   string
}

const counting = "i=1; while echo tick $i; do i=$((i+1)); sleep 0.05; done"

func launch(t *testing.T, in *instance, name string) *ship {
	t.Helper()
	s := &ship{instance: in, t: t, dir: filepath.Join(in.user, name)}
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	s.task = in.addTask(s.dir)
	s.shell = s.task + "/tab-1/pane-1"
	s.counter = s.task + "/" + in.addTab(s.task, "--name", "counter", "--", "sh", "-c", counting) + "/pane-1"
	return s
}

// on attaches a client that looks at the ship's task: at its shell, the first
// tab, or its counter, the second.
func (s *ship) on(tab int) *client {
	s.t.Helper()
	c := s.attach(100, 30, "-o", "SetEnv=MOORAGE_OPEN="+s.task)
	c.sees(filepath.Base(s.dir))
	c.send(fmt.Sprintf("\x01%d", tab))
	return c
}

var tick = regexp.MustCompile(`tick (\d+)`)

// unbroken checks that the counter has counted without a gap, up to now, in
// what the host kept of its output, and is the same process.
func (s *ship) unbroken(pid int) {
	s.t.Helper()
	if now := s.live()[s.counter]; now != pid {
		s.t.Errorf("the counter has pid %d, had %d", now, pid)
	}
	var r struct {
		Data []byte `json:"data"`
	}
	s.api(&r, "read-output", s.counter)
	last := 0
	for _, m := range tick.FindAllSubmatch(r.Data[:bytes.LastIndexByte(r.Data, '\n')+1], -1) {
		n, _ := strconv.Atoi(string(m[1]))
		if last != 0 && n != last+1 {
			s.t.Errorf("after tick %d came %d", last, n)
		}
		last = n
	}
	s.eventually("it goes on", func() bool {
		s.api(&r, "read-output", s.counter)
		return strings.Contains(string(r.Data), fmt.Sprintf("tick %d\r", last+5))
	})
}

// forgets checks that a session is gone and that no reboot brings it back.
func (s *ship) forgets(keys ...string) {
	s.t.Helper()
	s.eventually("it has ended", func() bool {
		for _, key := range keys {
			if s.live()[key] != 0 {
				return false
			}
		}
		return true
	})
	s.reboot()
	s.restore("--all")
	for _, h := range s.sessions() {
		for _, key := range keys {
			if h.Key == key {
				s.t.Errorf("it is back: %+v", h)
			}
		}
	}
}

// remark has the shell write a line that nobody typed as it is. A program that
// is just being started again takes no input, and the client is told so: then
// it is typed once more.
func (c *client) remark(text string) {
	c.t.Helper()
	var typed time.Time
	eventually(c.t, "the shell says "+text, func() bool {
		if time.Since(typed) > 2*time.Second {
			c.run("echo " + text[:1] + `""` + text[1:])
			typed = time.Now()
		}
		return strings.Contains(c.screen(), text)
	}, c.screen)
}

// TestWhatSurvivesWhat goes through everything that may end, on one home, and
// then once more.
func TestWhatSurvivesWhat(t *testing.T) {
	in := start(t)
	for round := range 2 {
		name := func(row string) string { return fmt.Sprintf("%s%d", row, round) }
		row := func(name string, f func(t *testing.T)) {
			t.Run(fmt.Sprintf("round %d/%s", round+1, name), func(t *testing.T) {
				outer := in.t
				in.t = t
				defer func() { in.t = outer }()
				f(t)
			})
		}
		row("clients leave", func(t *testing.T) {
			s := launch(t, in, name("leave"))
			pid := s.live()[s.counter]
			c := s.on(1)
			c.atPrompt()
			c.remark("left behind")
			c.send("\x11\x11") // quit
			c.gone()
			closed := s.on(2)
			closed.sees("tick ")
			closed.tty.Close() // as a window that is closed
			closed.gone()
			dropped := s.on(2)
			dropped.sees("tick ")
			_ = dropped.cmd.Process.Kill()
			dropped.gone()
			s.unbroken(pid)
			again := s.on(1)
			again.sees("left behind")
		})
		row("sshd ends", func(t *testing.T) {
			s := launch(t, in, name("front"))
			pid := s.live()[s.counter]
			for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGKILL} {
				c := s.on(1)
				c.atPrompt()
				c.remark("before " + sig.String())
				in.kill(sig)
				in.serve()
				d := s.on(1)
				d.sees("before " + sig.String())
			}
			s.unbroken(pid)
		})
		row("the daemon ends", func(t *testing.T) {
			s := launch(t, in, name("daemon"))
			pid := s.live()[s.counter]
			c := s.on(1)
			c.atPrompt()
			for i, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGKILL} {
				daemon := in.signal("daemon", sig)
				c.remark(fmt.Sprintf("still %d here", i)) // the client stays, its pane works
				in.eventually("another daemon", func() bool { return in.pid("daemon") != daemon && in.pid("daemon") != 0 })
				c.send("\x14") // and the tabs with it
				c.sees(fmt.Sprintf(" %d shell", 3+i))
				c.send("\x011")
				c.sees(fmt.Sprintf("still %d here", i))
			}
			s.unbroken(pid)
		})
		row("the host dies", func(t *testing.T) {
			s := launch(t, in, name("host"))
			pid := s.live()[s.shell]
			c := s.on(1)
			c.atPrompt()
			s.fill(c)
			in.signal("ptyhost", syscall.SIGKILL)
			in.eventually("the shell that is shown runs again", func() bool { return s.live()[s.shell] != 0 && s.live()[s.shell] != pid })
			c.seesMatch(`│end of`)
			c.remark("and works")
			c.run("pwd")
			c.seesMatch(`│/usr *$`)
			c.send("\x1b[5;5~") // what is above the screen is there too
			c.seesMatch(`│19960 *$`)
		})
		row("the machine reboots", func(t *testing.T) {
			s := launch(t, in, name("machine"))
			c := s.on(1)
			c.atPrompt()
			s.fill(c)
			counter := s.live()[s.counter]
			in.reboot()
			in.cli("status") // nobody attaches in between
			in.reboot()
			d := s.on(1)
			d.seesMatch(`│end of`)
			in.eventually("what is shown runs", func() bool { return s.live()[s.shell] != 0 })
			if s.live()[s.counter] != 0 {
				t.Error("what nobody has shown was started")
			}
			d.remark("and works")
			d.send("\x012")
			d.seesMatch(`│tick 1 *$`)
			in.eventually("the counter is another process", func() bool { p := s.live()[s.counter]; return p != 0 && p != counter })
		})
		row("a tab is closed", func(t *testing.T) {
			s := launch(t, in, name("tab"))
			s.kept()
			in.api(nil, "tab-close", strings.TrimSuffix(s.counter, "/pane-1"))
			if s.live()[s.shell] == 0 {
				t.Error("the rest of the task has ended")
			}
			s.forgets(s.counter)
		})
		row("a task is deleted", func(t *testing.T) {
			s := launch(t, in, name("task"))
			s.kept()
			if err := os.WriteFile(filepath.Join(s.dir, "file"), nil, 0o600); err != nil {
				t.Fatal(err)
			}
			in.api(nil, "delete", s.task)
			s.forgets(s.counter, s.shell)
			if _, err := os.Stat(filepath.Join(s.dir, "file")); err != nil {
				t.Errorf("the directory of a directory task: %v", err)
			}
		})
		row("a pane is reset", func(t *testing.T) {
			s := launch(t, in, name("pane"))
			pid := s.live()[s.shell]
			c := s.on(1)
			c.atPrompt()
			c.remark("soon forgotten")
			s.kept()
			c.send("\x1b[15~")
			c.sees("Reset this pane?")
			c.send("y")
			in.eventually("a fresh shell", func() bool { return s.live()[s.shell] != 0 && s.live()[s.shell] != pid })
			c.losesSight("soon forgotten")
			c.atPrompt()
			in.reboot()
			d := s.on(1)
			d.atPrompt()
			if strings.Contains(d.screen(), "soon forgotten") {
				t.Errorf("it is back:\n%s", d.screen())
			}
		})
		for _, hard := range []bool{false, true} {
			row(fmt.Sprintf("a reset, hard: %v", hard), func(t *testing.T) {
				s := launch(t, in, name("reset"))
				c := s.on(1)
				c.atPrompt()
				c.remark("soon forgotten")
				s.kept()
				args := []string{"reset", "--yes"}
				if hard {
					args = append(args, "--hard")
				}
				pids := s.live()
				if out, err := in.cli(args...); err != nil {
					t.Fatalf("%v\n%s", err, out)
				}
				for key, pid := range pids {
					if runs(pid) {
						t.Errorf("%s still runs with pid %d", key, pid)
					}
				}
				c.losesSight("soon forgotten")
				in.reboot()
				var tasks struct{ Tasks []struct{ ID string } }
				in.api(&tasks, "list")
				if known := strings.Contains(fmt.Sprint(tasks), s.task); known == hard {
					t.Errorf("after the reset the task is known: %v", known)
				}
				var d *client
				if hard {
					d = in.attach(100, 30) // a scratch task's
				} else {
					d = s.on(1)
				}
				d.atPrompt()
				if strings.Contains(d.screen(), "soon forgotten") {
					t.Errorf("it is back:\n%s", d.screen())
				}
				if _, err := os.Stat(s.dir); err != nil {
					t.Error(err)
				}
				d.send("\x11\x11")
				d.gone()
			})
		}
	}
}

// fill has the shell print a long list in another directory, and waits until
// the store has it. (A trickle is frozen once a minute; a change of policy
// freezes at once.)
func (s *ship) fill(c *client) {
	s.t.Helper()
	end := "end of " + s.task
	c.run("cd /usr; seq 1 20000; yes 'end of' " + s.task + " | head -3") // one of them is in one piece
	c.sees(end)
	for _, policy := range []string{"always", "if-lost"} {
		s.api(nil, "tab-policy", s.task+"/tab-1", policy)
	}
	s.kept(end + "\r\n")
}

// kept waits until the store has something of each session of the ship, and
// what else is said.
func (s *ship) kept(also ...string) {
	s.t.Helper()
	s.eventually("the store has it", func() bool {
		b, err := os.ReadFile(filepath.Join(s.home, "freeze.db"))
		for _, text := range append(also, s.shell, s.counter) {
			if err != nil || !bytes.Contains(b, []byte(text)) {
				return false
			}
		}
		return true
	})
}
