package daemon

import (
	"context"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"moorage/ptyhost/wire"
	"moorage/workspace"
)

const (
	// readyLimit is how long an engine may take until it reads pastes, readyEvery how often it is looked at.
	readyLimit = 30 * time.Second
	readyEvery = 100 * time.Millisecond
	// enterAfter is how long a pasted prompt has to settle before it is submitted.
	enterAfter = 300 * time.Millisecond
	// maxBehind is how often in a row an engine may be seen behind another program until that is so: a shell begins what it runs behind it.
	maxBehind = 5
	// handsOff is how long nothing is typed into a pane that a person has typed in.
	handsOff = 10 * time.Second
)

// send types a prompt into an engine, once it is confirmed that the engine runs and reads pastes, and submits it. A prompt is typed whole or
// refused; it is never typed into a shell knowingly, and never submitted there.
func (d *daemon) send(ctx context.Context, p workspace.Send) (any, error) {
	text, err := promptText(p.Prompt)
	if err != nil {
		return nil, err
	}
	key, out, err := d.target(ctx, p)
	if err != nil {
		return nil, err
	}
	if _, busy := d.sending.LoadOrStore(key, true); busy {
		return nil, workspace.Fail(workspace.CodeBusy, "try again when it is there", "another prompt is being sent to %s", key)
	}
	defer d.sending.Delete(key)
	pid, err := d.ready(ctx, key, p.Typist)
	if err != nil {
		return nil, err
	}
	host := d.link.current()
	if host == nil {
		return nil, hostError(workspace.HostAway, wire.ErrClosed)
	}
	typing := func(data string) error {
		return d.link.call(ctx, host, func(ctx context.Context) error { return host.SendInput(ctx, key, []byte(data)) })
	}
	before, readable := d.screen(ctx, host, key)
	pasted := time.Now()
	if err := typing("\x1b[200~" + text + "\x1b[201~"); err != nil {
		return nil, err
	}
	select {
	case <-time.After(enterAfter):
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	out.Echo = workspace.AnswerUnknown
	if readable {
		out.Echo = d.awaitEcho(ctx, host, key, before, text)
	}
	if err := d.submittable(ctx, host, key, pid, pasted, p.Typist); err != nil {
		return nil, err
	}
	if err := typing("\r"); err != nil {
		return nil, err
	}
	out.Key, out.Bytes = key, len(text)
	return out, nil
}

// submittable says why what was pasted into an engine is not to be submitted: somebody else would read the Enter, or it would submit more.
func (d *daemon) submittable(ctx context.Context, host Host, key string, pid int, pasted time.Time, typist bool) error {
	const next = "look at the tab: the prompt stands there and was not submitted"
	r, err := d.reads(ctx, host, key)
	switch {
	case workspace.CodeOf(err) == workspace.CodeRefused:
		return workspace.Fail(workspace.CodeRefused, next, "%v", err)
	case err != nil || r.pid != pid:
		return workspace.Fail(workspace.CodeEngineNotRunning, next, "the engine of %s ended while the prompt was typed", key)
	case !r.inFront:
		return workspace.Fail(workspace.CodeRefused, next, "the engine of %s is not in front any more", key)
	case !typist && r.typed.After(pasted):
		return workspace.Fail(workspace.CodeBusy, next, "somebody types into %s", key)
	}
	return nil
}

// promptText is a prompt as it is pasted. Control characters are refused: one could end the paste.
func promptText(prompt string) (string, error) {
	text := strings.ReplaceAll(prompt, "\r\n", "\n")
	bad := strings.ContainsFunc(text, func(r rune) bool { return (r < 0x20 && r != '\n' && r != '\t') || r >= 0x7f && r < 0xa0 })
	switch {
	case strings.TrimSpace(text) == "":
		return "", workspace.Fail(workspace.CodeInvalid, "give a prompt", "the prompt is empty")
	case len(text) > workspace.MaxPrompt:
		return "", workspace.Fail(workspace.CodeInvalid, "put it into a file and name that", "the prompt has %d bytes, more than %d", len(text), workspace.MaxPrompt)
	case bad || !utf8.ValidString(text):
		return "", workspace.Fail(workspace.CodeInvalid, "take the control characters out", "the prompt has characters that are no text")
	}
	return text, nil
}

// target finds the pane that a prompt is for, or starts one.
func (d *daemon) target(ctx context.Context, p workspace.Send) (string, workspace.Sent, error) {
	var out workspace.Sent
	var key workspace.Key
	var again, fresh bool
	var command []string
	err := d.do(ctx, func(s *state) error {
		task, ok := s.tasks[p.Task]
		if !ok {
			return workspace.NoTask(p.Task)
		}
		if s.host.State != workspace.HostUp && s.host.State != workspace.HostOff {
			return hostError(s.host.State, wire.ErrClosed)
		}
		if p.Tab != "" {
			tab, ok := task.Tab(p.Tab)
			if !ok {
				return workspace.NoTab(p.Task, p.Tab)
			}
			key = s.enginePane(task, tab)
			var err error
			again, err = s.takes(task, tab, p.Respawn)
			return err
		}
		var refused error
		for _, i := range slices.Concat([]int{slices.IndexFunc(task.Tabs, func(t workspace.Tab) bool { return t.ID == task.ActiveTab })}, indexes(task.Tabs)) {
			if i < 0 {
				continue
			}
			tab := &task.Tabs[i]
			restored, err := s.takes(task, tab, false)
			switch code := workspace.CodeOf(err); {
			case err == nil && !restored:
				key = s.enginePane(task, tab)
				return nil
			case code == workspace.CodeTabRestored:
				if !slices.Contains(out.Frozen, tab.ID) {
					out.Frozen = append(out.Frozen, tab.ID)
				}
				if pane, _ := tab.Pane(s.enginePane(task, tab).Pane); command == nil {
					command = pane.Command
				}
			case refused == nil || code == workspace.CodeEngineNotRunning:
				refused = err
			}
		}
		if _, ok := s.registry.OfCommand(task.Command); ok {
			command = task.Command
		}
		if refused != nil && len(out.Frozen) == 0 || command == nil {
			if refused == nil {
				refused = workspace.Fail(workspace.CodeNoEngineTab, "`moorage api tab-add TASK -- claude` makes one", "no tab of task %s has an engine", p.Task)
			}
			return refused
		}
		fresh = true
		return nil
	})
	switch {
	case err != nil:
		return "", out, err
	case fresh:
		added, err := d.tabAdd(ctx, workspace.TabAdd{Task: p.Task, Command: command})
		if err != nil {
			return "", out, err
		}
		a := added.(workspace.Added)
		out.Started = true
		return workspace.Key{Task: p.Task, Tab: a.Tab, Pane: a.Pane}.String(), out, nil
	case again:
		if _, err := d.respawn(ctx, key); err != nil {
			return "", out, err
		}
	}
	return key.String(), out, nil
}

func indexes(tabs []workspace.Tab) []int {
	all := make([]int, len(tabs))
	for i := range tabs {
		all[i] = i
	}
	return all
}

// takes says whether a tab takes a prompt, or why not; again says that its program has to be started first.
func (s *state) takes(task workspace.Task, tab *workspace.Tab, respawn bool) (again bool, err error) {
	key := s.enginePane(task, tab)
	pane, _ := tab.Pane(key.Pane)
	_, made := s.registry.OfCommand(pane.Command)
	h := s.engines[key.String()]
	session, known := s.sessions[key.String()]
	switch {
	case !made && h == nil:
		return false, workspace.Fail(workspace.CodeNoEngineTab, "name a tab with an engine", "%s of task %s has no engine", tab.ID, task.ID)
	case !known || !session.Alive():
		if respawn {
			return true, nil
		}
		return false, workspace.Fail(workspace.CodeTabRestored, "--respawn starts it again, in its conversation", "%s of task %s is not running: it was restored", tab.ID, task.ID)
	case s.over(*pane, h):
		return false, workspace.Fail(workspace.CodeEngineNotRunning, "start it in its shell, or add a tab", "the engine of %s of task %s has ended", tab.ID, task.ID)
	}
	return false, nil
}

// ready waits until the engine of a pane is confirmed to read what is typed there, pastes included, and returns its process. It fails when a
// person has just typed there, unless that is who asks, when the engine ends, asks for something or is not in front, and after readyLimit.
func (d *daemon) ready(ctx context.Context, key string, typist bool) (pid int, err error) {
	ctx, cancel := context.WithTimeout(ctx, readyLimit)
	defer cancel()
	why := workspace.Fail(workspace.CodeBusy, "try again in a moment", "the engine of %s does not read yet", key)
	for behind := 0; ; {
		host := d.link.current()
		if host == nil {
			return 0, hostError(workspace.HostAway, wire.ErrClosed)
		}
		r, err := d.reads(ctx, host, key)
		switch {
		case r.looked && !typist && time.Since(r.typed) < handsOff:
			return 0, workspace.Fail(workspace.CodeBusy, "wait ten seconds", "somebody types into %s", key)
		case err != nil && ctx.Err() == nil:
			return 0, err
		case r.pid != 0 && !r.inFront:
			if behind++; behind == maxBehind {
				return 0, workspace.Fail(workspace.CodeRefused, "bring it to the front first, by `fg`", "the engine of %s is not in front: another program would get the prompt", key)
			}
		case r.pid != 0 && r.paste:
			return r.pid, nil
		}
		select {
		case <-time.After(readyEvery):
		case <-ctx.Done():
			return 0, why
		}
	}
}

// reader is what is known of who reads what is typed into a pane.
type reader struct {
	looked  bool      // the host has answered
	pid     int       // of the pane's engine; 0 while it has not begun
	inFront bool      // the terminal is with it, as far as anybody could look
	paste   bool      // it reads bracketed pastes
	typed   time.Time // when a person last typed
}

// reads looks who reads what is typed into a pane. An error says that the engine has ended, that it asks for something, or that nobody could
// look.
func (d *daemon) reads(ctx context.Context, host Host, key string) (reader, error) {
	var peek wire.PeekResult
	if err := d.link.call(ctx, host, func(ctx context.Context) (err error) {
		peek, err = host.Peek(ctx, key)
		return err
	}); err != nil {
		return reader{}, err
	}
	r := reader{looked: true, paste: peek.Paste, typed: peek.Typed}
	pid, line, err := d.enginePID(ctx, key)
	if err != nil {
		return r, err
	}
	// A shell at its prompt is above an engine that it has suspended.
	r.pid, r.inFront = pid, peek.Group == 0 || peek.Foreground != "" && slices.Contains(line, peek.Group)
	return r, nil
}

// enginePID looks which process a pane's engine is now, and which are above it; 0 while it has not begun. An error says that it has ended, that
// it asks for something, or that nobody could look.
func (d *daemon) enginePID(ctx context.Context, key string) (pid int, line []int, err error) {
	table, err := d.cfg.Processes()
	if err != nil {
		return 0, nil, workspace.Fail(workspace.CodeInternal, "", "nobody could look whether the engine of %s runs: %v", key, err)
	}
	err = d.do(ctx, func(s *state) error {
		session, ok := s.sessions[key]
		h := s.engines[key]
		pane, _ := s.pane(keyOf(key)) // one that is gone has no session
		if !ok || !session.Alive() || s.over(pane, h) {
			return workspace.Fail(workspace.CodeEngineNotRunning, "look at the tab", "the engine of %s has ended", key)
		}
		if h != nil && h.state.Activity == workspace.ActivityNeedsInput { // an Enter would answer it
			return workspace.Fail(workspace.CodeRefused, "answer it in the tab first", "the engine of %s asks for something: %s", key, h.state.Reason)
		}
		f, runs := table.engines(map[string]int{key: session.PID}, s.registry)[key]
		if !runs {
			f, runs = s.still(key, table, session.PID)
		}
		if runs {
			pid = f.process.PID
			line = table.line(pid)
		}
		return nil
	})
	return pid, line, err
}
