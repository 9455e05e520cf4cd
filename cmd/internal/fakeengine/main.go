//go:build unix

// Command fakeengine behaves as an AI command line does towards its terminal, its hooks and its store, without any model behind it. The name
// that it is called by is its personality: claude, codex, or a plain one that only answers. What is typed says what it does:
//
//	work N    answer after N tenths of a second      slow N    work for N seconds, or until Esc
//	perm      ask for permission: Enter gives it, Esc does not
//	limit N   meet a rate limit, for N seconds       fail      fail the turn
//	bg        end the turn, with work in the background
//	sub       a subagent ends, within a turn         idle      tell that it waits, as engines do after a minute
//	exit N    exit with code N                       crash     end by SIGKILL
//	/clear    begin another conversation             /exit     leave
//	say TEXT, anything else: answer at once
//
// A paste is shown by its last line. FAKE_7501=never keeps it from the program status protocol, FAKE_ECHO=never from showing pastes, FAKE_TAB names
// another tab to its hooks, FAKE_LOG is a file that gets each prompt as a line of JSON, and FAKE_BOOT is how many tenths of a second it begins with.
package main

import (
	"bufio"
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

type fake struct {
	name         string
	dir          string
	conversation string
	resumed      bool
	hooks        map[string]string // event to command
	status       bool              // somebody listens to OSC 7501
	input        chan byte
	ahead        []byte
	quits        int
}

func main() {
	dir, err := os.Getwd()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	f := &fake{name: filepath.Base(os.Args[0]), dir: dir, hooks: make(map[string]string), input: make(chan byte, 1<<20)}
	if len(os.Args) == 2 && os.Args[1] == "--version" {
		fmt.Println("1.2.3 (fake " + f.name + ")")
		return
	}
	f.options(os.Args[1:])
	f.begin()
	f.run()
}

func (f *fake) options(args []string) {
	fail := func(code int, format string, a ...any) {
		fmt.Fprintf(os.Stderr, format+"\n", a...)
		os.Exit(code)
	}
	pin, fork := "", false
	for i := 0; i < len(args); i++ {
		value := func() string {
			if i++; i >= len(args) {
				fail(2, "%s needs a value", args[i-1])
			}
			return args[i]
		}
		switch {
		case f.name == "claude" && args[i] == "--session-id":
			pin = value()
		case f.name == "claude" && args[i] == "--resume", f.name == "codex" && args[i] == "resume":
			f.conversation, f.resumed = value(), true
		case f.name == "claude" && args[i] == "--fork-session":
			fork = true
		case f.name == "codex" && args[i] == "fork":
			f.conversation, f.resumed, fork = value(), true, true
		case f.name == "codex" && args[i] == "--cd":
			value()
		case f.name == "claude" && args[i] == "--settings":
			f.claudeHooks(value())
		case f.name == "codex" && args[i] == "-c":
			f.codexHook(value())
		case args[i] == "--model":
			value()
		case !strings.HasPrefix(args[i], "-"):
			f.ahead = []byte(args[i] + "\r") // its first prompt
		default:
			fail(2, "error: unknown option '%s'", args[i])
		}
	}
	switch {
	case f.resumed && !f.stored(f.conversation):
		if f.name == "claude" {
			f.hook("SessionEnd", map[string]any{"reason": "other"})
			fail(1, "No conversation found with session ID: %s", f.conversation)
		}
		fail(1, "No saved session found with ID %s", f.conversation)
	case pin != "" && f.stored(pin):
		fail(1, "Session ID %s is already in use.", pin)
	case fork:
		f.fork(cmp.Or(pin, newID()))
	case pin != "":
		f.conversation = pin
	case !f.resumed:
		f.conversation = newID()
	}
}

func newID() string {
	return fmt.Sprintf("%08x-0000-7000-8000-%012x", os.Getpid(), time.Now().UnixNano()&0xffffffffffff)
}

func (f *fake) begin() {
	tenths, _ := strconv.Atoi(os.Getenv("FAKE_BOOT")) // without one, 0
	time.Sleep(time.Duration(tenths) * 100 * time.Millisecond)
	stty := exec.Command("stty", "raw", "-echo")
	stty.Stdin = os.Stdin
	if err := stty.Run(); err != nil {
		fmt.Fprintln(os.Stderr, "stty:", err)
		os.Exit(1)
	}
	go func() {
		in := bufio.NewReader(os.Stdin)
		for {
			b, err := in.ReadByte()
			if err != nil {
				close(f.input)
				return
			}
			f.input <- b
		}
	}()
	fmt.Print("\x1b[?1049h\x1b[2J\x1b[H\x1b[?2004h")
	f.title("✳ Claude Code")
	if f.name == "codex" {
		f.status = os.Getenv("FAKE_7501") != "never"
	} else if f.name == "claude" && os.Getenv("FAKE_7501") != "never" {
		fmt.Print("\x1b]7501;?\a")
		f.status = f.answered("\x1b]7501;?")
	}
	if f.name == "claude" {
		source := "startup"
		if f.resumed {
			source = "resume"
		}
		f.hook("SessionStart", map[string]any{"source": source})
	}
	f.tell("idle", "", "")
	fmt.Printf("%s is ready: %s\r\n", f.name, f.conversation)
	if f.resumed {
		fmt.Printf("resumed %s\r\n", f.conversation)
	}
}

func (f *fake) run() {
	var line []byte
	for {
		b, _ := f.next(0)
		if b != 3 && b != 4 {
			f.quits = 0
		}
		switch b {
		case escape:
			if f.key() == "[200~" {
				text := f.paste()
				f.echo(text)
				line = append(line, text...)
			}
		case '\r':
			text := string(line)
			line = nil
			if text != "" {
				f.prompt(text)
			}
		case 3, 4:
			line = nil
			if f.quits++; f.quits == 2 {
				code := 0
				if f.name == "codex" {
					code = 130
				}
				f.leave(code)
			}
		default:
			line = append(line, b)
		}
	}
}

func (f *fake) restore() {
	f.tell("clear", "", "")
	f.title("")
	fmt.Print("\x1b[?2004l\x1b[?1049l")
	stty := exec.Command("stty", "sane")
	stty.Stdin = os.Stdin
	_ = stty.Run() // the shell does it too
}

func (f *fake) leave(code int) {
	f.hook("SessionEnd", map[string]any{"reason": "prompt_input_exit"})
	f.restore()
	os.Exit(code)
}
