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
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
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

// fork goes on with a copy of the conversation.
func (f *fake) fork(id string) {
	from := f.find(f.conversation)
	f.conversation = id
	data, err := os.ReadFile(from)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(f.transcript()), 0o700)
	}
	if err == nil {
		err = os.WriteFile(f.transcript(), data, 0o600)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "fork:", err)
		os.Exit(1)
	}
}

func newID() string {
	return fmt.Sprintf("%08x-0000-7000-8000-%012x", os.Getpid(), time.Now().UnixNano()&0xffffffffffff)
}

func (f *fake) claudeHooks(path string) {
	var s struct {
		Hooks map[string][]struct {
			Hooks []struct {
				Command string `json:"command"`
			} `json:"hooks"`
		} `json:"hooks"`
	}
	data, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(data, &s)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "settings:", err)
		os.Exit(1)
	}
	for event, groups := range s.Hooks {
		f.hooks[event] = groups[0].Hooks[0].Command
	}
}

// codexHook reads hooks.EVENT=[{hooks=[{type="command",command="...",timeout=5}]}].
func (f *fake) codexHook(text string) {
	key, value, _ := strings.Cut(text, "=")
	event, ok := strings.CutPrefix(key, "hooks.")
	_, rest, found := strings.Cut(value, "command=")
	if !ok || !found || event == "state" {
		return
	}
	quoted, err := strconv.QuotedPrefix(rest)
	if err != nil {
		return
	}
	f.hooks[event], _ = strconv.Unquote(quoted) // it was quoted
}

// hook runs the hook of an event, and waits for it as engines do.
func (f *fake) hook(event string, more map[string]any) {
	command, ok := f.hooks[event]
	if !ok {
		return
	}
	in := map[string]any{"session_id": f.conversation, "cwd": f.dir, "hook_event_name": event, "transcript_path": f.transcript()}
	for k, v := range more {
		in[k] = v
	}
	data, _ := json.Marshal(in) // maps of texts
	cmd := exec.Command("sh", "-c", command)
	cmd.Stdin = strings.NewReader(string(data))
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.Env = os.Environ()
	if tab := os.Getenv("FAKE_TAB"); tab != "" {
		cmd.Env = append(cmd.Env, "MOORAGE_TAB_ID="+tab)
	}
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		fmt.Printf("HOOK %s: %v %q\r\n", event, err, out)
	}
}

func (f *fake) transcript() string {
	home := os.Getenv("HOME")
	if f.name == "codex" {
		return filepath.Join(home, ".codex/sessions/2026/01/02/rollout-2026-01-02T03-04-05-"+f.conversation+".jsonl")
	}
	folder := strings.Map(func(r rune) rune {
		if r|0x20 >= 'a' && r|0x20 <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, f.dir)
	return filepath.Join(home, ".claude/projects", folder, f.conversation+".jsonl")
}

func (f *fake) stored(id string) bool { return f.find(id) != "" }

// find is the transcript of a conversation, of whatever directory; "" when there is none.
func (f *fake) find(id string) string {
	pattern := ".claude/projects/*/" + id + ".jsonl"
	if f.name == "codex" {
		pattern = ".codex/sessions/*/*/*/rollout-*-" + id + ".jsonl"
	}
	found, _ := filepath.Glob(filepath.Join(os.Getenv("HOME"), pattern)) // the pattern is sound
	return strings.Join(found, "")                                       // an id is of one
}

// row writes a row of the transcript. There is none before the first prompt.
func (f *fake) row(row map[string]any) {
	row["timestamp"] = time.Now().UTC().Format("2006-01-02T15:04:05.000Z")
	row["cwd"], row["sessionId"] = f.dir, f.conversation
	data, _ := json.Marshal(row) // maps of texts
	path := f.transcript()
	err := os.MkdirAll(filepath.Dir(path), 0o700)
	if err == nil {
		var file *os.File
		if file, err = os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600); err == nil {
			_, err = file.Write(append(data, '\n'))
			file.Close()
		}
	}
	if err != nil {
		fmt.Printf("TRANSCRIPT %v\r\n", err)
	}
}

func (f *fake) title(text string) { fmt.Printf("\x1b]0;%s\a", text) }

func (f *fake) tell(state, kind, message string) {
	if !f.status {
		return
	}
	text := "\x1b]7501;state=" + state
	if state != "clear" {
		text += ":app=" + map[string]string{"claude": "claude-code"}[f.name]
		if f.name != "claude" {
			text += f.name
		}
	}
	if kind != "" {
		text += ":kind=" + kind
	}
	if message != "" {
		text += ":msg=" + base64.StdEncoding.EncodeToString([]byte(message))
	}
	fmt.Print(text + "\a")
}

// glyph is the title of a state, of a Claude Code whose status nobody listens to.
func (f *fake) glyph(g string) {
	if f.name == "claude" && !f.status {
		f.title(g + " Claude Code")
	}
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

// answered reports whether the terminal answers so within a moment; what else comes is kept.
func (f *fake) answered(want string) bool {
	limit := time.After(300 * time.Millisecond)
	for {
		select {
		case b := <-f.input:
			f.ahead = append(f.ahead, b)
			if before, ok := strings.CutSuffix(string(f.ahead), want+"\a"); ok {
				f.ahead = []byte(before)
				return true
			}
		case <-limit:
			return false
		}
	}
}

// next is the next byte of input. It is false after wait, if that is not zero.
func (f *fake) next(wait time.Duration) (byte, bool) {
	if len(f.ahead) > 0 {
		b := f.ahead[0]
		f.ahead = f.ahead[1:]
		return b, true
	}
	var limit <-chan time.Time
	if wait > 0 {
		limit = time.After(wait)
	}
	select {
	case b, ok := <-f.input:
		if !ok {
			os.Exit(129) // its terminal has hung up
		}
		return b, true
	case <-limit:
		return 0, false
	}
}

const escape = 0x1b

// key reads what follows an ESC: a sequence, which it returns, or nothing for the key alone.
func (f *fake) key() string {
	b, ok := f.next(50 * time.Millisecond)
	if !ok {
		return ""
	}
	text := string(b)
	if b != '[' && b != ']' && b != 'O' {
		return text
	}
	for {
		b, ok := f.next(50 * time.Millisecond)
		if !ok {
			return text
		}
		text += string(b)
		if b >= 0x40 && b <= 0x7e && text[0] != ']' || b == '\a' {
			return text
		}
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

// echo shows the end of a paste.
func (f *fake) echo(text []byte) {
	if os.Getenv("FAKE_ECHO") == "never" {
		return
	}
	last := []rune(string(text[bytes.LastIndexByte(text, '\n')+1:]))
	fmt.Printf("> %s\r\n", string(last[max(len(last)-60, 0):]))
}

func (f *fake) paste() []byte {
	var text []byte
	for {
		b, _ := f.next(0)
		text = append(text, b)
		if before, ok := strings.CutSuffix(string(text[max(len(text)-6, 0):]), "\x1b[201~"); ok {
			return append(text[:len(text)-6], before...)
		}
	}
}

func (f *fake) prompt(text string) {
	if path := os.Getenv("FAKE_LOG"); path != "" {
		data, _ := json.Marshal(text)
		if file, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600); err == nil {
			_, _ = file.Write(append(data, '\n')) // a test that needs it fails
			file.Close()
		}
	}
	word, rest, _ := strings.Cut(text, " ")
	n, _ := strconv.Atoi(rest) // of a word without a number, 0
	switch word {
	case "/exit":
		f.leave(0)
	case "/clear":
		f.clear()
		return
	case "exit":
		f.restore()
		os.Exit(n)
	case "crash":
		f.restore()
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {}
	case "idle":
		f.hook("Notification", map[string]any{"notification_type": "idle_prompt", "message": "Claude is waiting for your input"})
		return
	}
	if f.name == "codex" { // which tells only now
		source := "startup"
		if f.resumed {
			source = "resume"
		}
		f.hook("SessionStart", map[string]any{"source": source})
	}
	f.hook("UserPromptSubmit", map[string]any{"prompt": text})
	f.turnBegins(text)
	switch word {
	case "work":
		f.wait(time.Duration(n) * 100 * time.Millisecond)
	case "slow":
		if !f.wait(time.Duration(n) * time.Second) {
			f.interrupted()
			return
		}
	case "perm":
		if !f.permission() {
			f.interrupted()
			return
		}
	case "limit":
		limit := "2 hours"
		if n > 0 {
			limit = strconv.Itoa(n) + " seconds"
		}
		f.failed("rate_limit", "API Error: Request rejected (429), try again in "+limit)
		return
	case "fail":
		f.failed("server_error", "API Error: 500")
		return
	case "sub":
		f.hook("SubagentStop", map[string]any{"agent_id": "a1"})
		f.hook("PreToolUse", map[string]any{"tool_name": "Bash", "agent_id": "a1"})
	case "bg":
		f.hook("Stop", map[string]any{"background_tasks": []any{map[string]any{"id": "1"}}})
		f.wait(1500 * time.Millisecond)
	}
	f.turnEnds()
}

func (f *fake) turnBegins(text string) {
	f.tell("working", "", "")
	f.glyph("◐")
	if f.name == "codex" {
		if !f.stored(f.conversation) {
			f.row(map[string]any{"type": "session_meta", "payload": map[string]any{"id": f.conversation, "cwd": f.dir}})
		}
		f.row(map[string]any{"type": "event_msg", "payload": map[string]any{"type": "task_started"}})
		f.row(map[string]any{"type": "response_item", "payload": map[string]any{
			"type": "message", "role": "user", "content": []any{map[string]any{"type": "input_text", "text": text}},
		}})
		return
	}
	f.row(map[string]any{"type": "user", "message": map[string]any{"content": text}})
}

func (f *fake) turnEnds() {
	if f.name == "codex" {
		f.row(map[string]any{"type": "event_msg", "payload": map[string]any{"type": "task_complete"}})
	} else {
		f.row(map[string]any{"type": "assistant", "message": map[string]any{"stop_reason": "end_turn"}})
	}
	f.tell("done", "", "")
	f.glyph("✳")
	f.hook("Stop", map[string]any{"last_assistant_message": "the answer"})
	fmt.Print("the answer\r\n")
}

// wait works, and is false when Esc ended that. The title turns meanwhile.
func (f *fake) wait(d time.Duration) bool {
	var typed []byte // ahead: it is for the prompt
	defer func() { f.ahead = append(typed, f.ahead...) }()
	for end := time.Now().Add(d); time.Now().Before(end); {
		f.glyph([]string{"◐", "◑"}[time.Now().UnixMilli()/200%2])
		b, ok := f.next(min(time.Until(end)+1, 200*time.Millisecond))
		switch {
		case !ok:
		case b != escape:
			typed = append(typed, b)
		case f.key() == "":
			return false
		}
	}
	return true
}

func (f *fake) interrupted() {
	if f.name == "codex" {
		f.hook("Interrupt", nil)
		f.row(map[string]any{"type": "event_msg", "payload": map[string]any{"type": "turn_aborted"}})
	} else {
		f.row(map[string]any{"type": "user", "message": map[string]any{"content": "[Request interrupted by user]"}})
	}
	f.tell("idle", "", "")
	f.glyph("✳")
	fmt.Print("interrupted\r\n")
}

func (f *fake) permission() bool {
	f.hook("PreToolUse", map[string]any{"tool_name": "Bash", "tool_input": map[string]any{"command": "touch x"}})
	f.tell("blocked", "permission", "approve Bash: touch x")
	f.hook("PermissionRequest", map[string]any{"tool_name": "Bash", "tool_input": map[string]any{"command": "touch x"}})
	fmt.Print("Do you want to proceed?\r\n")
	for {
		switch b, _ := f.next(0); b {
		case '\r':
			f.tell("working", "", "")
			f.hook("PostToolUse", map[string]any{"tool_name": "Bash"})
			return true
		case escape:
			if f.key() == "" {
				return false
			}
		}
	}
}

func (f *fake) failed(kind, message string) {
	if f.name == "codex" {
		info := map[string]string{"rate_limit": "usage_limit_exceeded"}[kind]
		f.row(map[string]any{"type": "event_msg", "payload": map[string]any{
			"type": "task_complete", "error": map[string]any{"message": message, "codex_error_info": info},
		}})
		f.tell("error", "", "")
	} else {
		f.row(map[string]any{"type": "assistant", "isApiErrorMessage": true, "error": kind, "message": map[string]any{"content": message}})
		f.hook("StopFailure", map[string]any{"error": kind, "last_assistant_message": message})
		f.tell("error", "", message)
	}
	f.glyph("✳")
	fmt.Print(message + "\r\n")
}

func (f *fake) clear() {
	f.hook("SessionEnd", map[string]any{"reason": "clear"})
	f.conversation, f.resumed = newID(), false
	f.tell("idle", "", "")
	if f.name == "claude" {
		f.hook("SessionStart", map[string]any{"source": "clear"})
	}
	fmt.Printf("cleared: %s\r\n", f.conversation)
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
