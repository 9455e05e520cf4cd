package main

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"moorage/persistence"
	"moorage/ptyhost/hostclient"
	"moorage/ptyhost/wire"
	"moorage/workspace"
	"moorage/workspace/daemonclient"
)

// apiCommand is the parent of the verbs for programs. They print one JSON document, also when they fail.
func apiCommand(env Env) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "api",
		Short: "Ask and steer the workspace, in JSON",
		Long: "Each verb prints one JSON document. A failure prints {\"error\":{\"code\",\"message\",\"next\"}} and exits 1; a command\n" +
			"line that makes no sense exits 2. A TASK is named by its id or the start of it, a TAB by <task>/<tab>, a PANE by\n" +
			"<task>/<tab>/<pane>, or like a tab for the tab's first.",
		Args: usage(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error { return usageError{errors.New("api needs a verb")} },
	}
	for _, verb := range []*cobra.Command{
		listCommand(env), ptyListCommand(env), addCommand(env), tabAddCommand(env), tabCloseCommand(env), splitCommand(env),
		deleteCommand(env), readScreenCommand(env), sendKeysCommand(env), readOutputCommand(env), peekCommand(env), tabPolicyCommand(env),
		makeCommand(env), setCommand(env), lossCommand(env), landCommand(env), worktreesCommand(env), adoptCommand(env),
		getTaskCommand(env), sendCommand(env), apiInboxCommand(env), inspectCommand(env), conversationsCommand(env), takeUpCommand(env),
		notesCommand(env), noteAddCommand(env), noteDeleteCommand(env), rootDirCommand(env), setRootCommand(env),
	} {
		inJSON(env, verb)
		cmd.AddCommand(verb)
	}
	inJSON(env, cmd)
	return cmd
}

// inJSON makes a verb report its failures as JSON on stdout.
func inJSON(env Env, cmd *cobra.Command) {
	tell := func(err error) error {
		if err == nil {
			return nil
		}
		coded := workspace.AsError(err)
		coded.Message = onePath(coded.Message)
		if _, ok := errors.AsType[usageError](err); ok {
			coded.Code, coded.Next = "usage", "`moorage "+strings.TrimPrefix(cmd.CommandPath(), "moorage ")+" --help` shows how"
		}
		if printErr := printJSON(env.Stdout, map[string]any{"error": coded}); printErr != nil {
			return printErr
		}
		return toldError{err, exitStatus(err)}
	}
	args, run := cmd.Args, cmd.RunE
	cmd.Args = func(cmd *cobra.Command, got []string) error { return tell(args(cmd, got)) }
	cmd.RunE = func(cmd *cobra.Command, got []string) error { return tell(run(cmd, got)) }
	cmd.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return tell(usageError{err}) })
}

// withDaemon calls f with a connection to the daemon and prints what it returns.
func withDaemon(ctx context.Context, env Env, f func(*daemonclient.Client) (any, error)) error {
	return talk(ctx, func(d *daemonclient.Client) error {
		result, err := f(d)
		if err != nil {
			return err
		}
		return printJSON(env.Stdout, result)
	})
}

// withTask is withDaemon for the task that name means.
func withTask(ctx context.Context, env Env, name string, f func(*daemonclient.Client, workspace.TaskView) (any, error)) error {
	return withDaemon(ctx, env, func(d *daemonclient.Client) (any, error) {
		t, err := findTask(ctx, d, name)
		if err != nil {
			return nil, err
		}
		return f(d, t)
	})
}

// withHost calls f with a connection to the PTY host, which must run.
func withHost(ctx context.Context, env Env, f func(*hostclient.Client) (any, error)) error {
	home, err := persistence.LookHome("")
	if err != nil {
		return err
	}
	h, err := host(ctx, home)
	if wire.IsAbsent(err) {
		return workspace.Fail(workspace.CodeHostAway, "`moorage api add` starts a session and the host with it", "the PTY host does not run: there are no sessions")
	}
	if err != nil {
		return hostSilent(home, err)
	}
	defer h.Close()
	result, err := f(h)
	if err != nil {
		return err
	}
	return printJSON(env.Stdout, result)
}

// withSession is withHost for the session that target names.
func withSession(ctx context.Context, env Env, target string, f func(h *hostclient.Client, key string) (any, error)) error {
	key, err := findSession(ctx, target)
	if err != nil {
		return err
	}
	return withHost(ctx, env, func(h *hostclient.Client) (any, error) { return f(h, key) })
}

// findTask finds the one task whose id is or starts with name.
func findTask(ctx context.Context, d *daemonclient.Client, name string) (workspace.TaskView, error) {
	s, err := d.Subscribe(ctx)
	if err != nil {
		return workspace.TaskView{}, err
	}
	var found []workspace.TaskView
	for _, t := range s.Tasks {
		if t.ID == name {
			return t, nil
		}
		if strings.HasPrefix(t.ID, strings.ToUpper(name)) {
			found = append(found, t)
		}
	}
	switch {
	case name == "" || len(found) == 0:
		return workspace.TaskView{}, workspace.NoTask(name)
	case len(found) > 1:
		return workspace.TaskView{}, workspace.Fail(workspace.CodeConflict, "give more of the id", "%d tasks have an id that starts with %s", len(found), name)
	}
	return found[0], nil
}

// findTab finds the tab that target names, <task>/<tab>.
func findTab(ctx context.Context, d *daemonclient.Client, target string) (workspace.TaskView, workspace.TabRef, error) {
	name, tab, _ := strings.Cut(target, "/")
	t, err := findTask(ctx, d, name)
	if err != nil {
		return t, workspace.TabRef{}, err
	}
	if _, ok := t.Tab(tab); !ok {
		return t, workspace.TabRef{}, workspace.NoTab(t.ID, tab)
	}
	return t, workspace.TabRef{Task: t.ID, Tab: tab}, nil
}

// findPane finds the pane that target names, <task>/<tab>/<pane>, or <task>/<tab> for the first one of the tab.
func findPane(ctx context.Context, d *daemonclient.Client, target string) (workspace.PaneRef, error) {
	tabTarget, pane := target, ""
	if strings.Count(target, "/") == 2 {
		at := strings.LastIndexByte(target, '/')
		tabTarget, pane = target[:at], target[at+1:]
	}
	t, ref, err := findTab(ctx, d, tabTarget)
	if err != nil {
		return workspace.PaneRef{}, err
	}
	tab, _ := t.Tab(ref.Tab)
	if pane == "" {
		pane = tab.Layout.Panes()[0]
	}
	if _, ok := tab.Pane(pane); !ok {
		return workspace.PaneRef{}, workspace.NoPane(ref.Task, ref.Tab, pane)
	}
	return workspace.PaneRef{Task: ref.Task, Tab: ref.Tab, Pane: pane}, nil
}

// findSession is the key of the session that target names. A whole key is taken as it is, so that sessions can be read while
// the daemon is away.
func findSession(ctx context.Context, target string) (key string, err error) {
	if key, err := workspace.ParseKey(target); err == nil && len(key.Task) == ulidLength {
		return target, nil
	}
	err = talk(ctx, func(d *daemonclient.Client) error {
		ref, err := findPane(ctx, d, target)
		key = ref.Key().String()
		return err
	})
	return key, err
}

// ulidLength is how long a whole task id is.
const ulidLength = 26
