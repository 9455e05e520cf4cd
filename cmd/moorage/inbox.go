package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"moorage/workspace"
	"moorage/workspace/daemonclient"
)

func inboxCommand(env Env) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "inbox",
		Short: "Show which engines want you, and which did of late",
		Args:  usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return talk(cmd.Context(), func(d *daemonclient.Client) error {
				in, err := d.Inbox(cmd.Context())
				if err != nil {
					return err
				}
				if asJSON {
					return printJSON(env.Stdout, in)
				}
				return printInbox(env.Stdout, in)
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func printInbox(w io.Writer, in workspace.Inbox) error {
	if len(in.Pending) == 0 {
		if _, err := fmt.Fprintln(w, "nothing wants you"); err != nil {
			return err
		}
	}
	for _, i := range in.Pending {
		text := fmt.Sprintf("%-12s %s  %s  %s: %s", i.Kind, when(i.Time), i.Title, i.Engine, i.Text)
		if !i.Resets.IsZero() {
			text += ", until " + when(i.Resets)
		}
		if _, err := fmt.Fprintln(w, text); err != nil {
			return err
		}
	}
	return nil
}

func apiInboxCommand(env Env) *cobra.Command {
	return &cobra.Command{
		Use:   "inbox",
		Short: "Print what wants the user, and what did of late",
		Args:  usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withDaemon(cmd.Context(), env, func(d *daemonclient.Client) (any, error) { return d.Inbox(cmd.Context()) })
		},
	}
}

func getTaskCommand(env Env) *cobra.Command {
	return &cobra.Command{
		Use:   "get-task TASK",
		Short: "Print a task with what its tabs and their engines do, and why",
		Args:  usage(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withTask(cmd.Context(), env, args[0], func(d *daemonclient.Client, t workspace.TaskView) (any, error) {
				return d.TaskState(cmd.Context(), t.ID)
			})
		},
	}
}

func sendCommand(env Env) *cobra.Command {
	var p workspace.Send
	cmd := &cobra.Command{
		Use:   "send --task-id TASK --prompt TEXT",
		Short: "Type a prompt into a task's engine and submit it",
		Long: "The prompt is pasted whole once the engine runs and reads, or it is refused. Without a tab it goes to the task's engine that runs; a\n" +
			"fresh one is started if there is none and the host's end left some behind, which frozen_tabs names. A --prompt of - is read from\n" +
			"the standard input.",
		Args: usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if p.Task == "" || p.Prompt == "" {
				return usageError{errors.New("send needs --task-id and --prompt")}
			}
			var err error
			if p.Prompt, err = given(env, p.Prompt, workspace.MaxPrompt); err != nil {
				return err
			}
			return withTask(cmd.Context(), env, p.Task, func(d *daemonclient.Client, t workspace.TaskView) (any, error) {
				p.Task = t.ID
				return d.Send(cmd.Context(), p)
			})
		},
	}
	cmd.Flags().StringVar(&p.Task, "task-id", "", "whose engine")
	cmd.Flags().StringVar(&p.Tab, "tab", "", "which tab of it (default: the one whose engine runs)")
	cmd.Flags().StringVar(&p.Prompt, "prompt", "", "what to type; - reads it from the standard input")
	cmd.Flags().BoolVar(&p.Respawn, "respawn", false, "start the tab's engine again if the host's end took it")
	return cmd
}

// given is the text of a flag, or where that is "-" the standard input: as much of it as shows that it is longer than limit bytes.
func given(env Env, text string, limit int64) (string, error) {
	if text != "-" {
		return text, nil
	}
	data, err := io.ReadAll(io.LimitReader(env.Stdin, limit+1))
	return string(data), err
}

// inspected is all that is known of a tab.
type inspected struct {
	Task   string                        `json:"task"`
	Tab    workspace.Tab                 `json:"tab"`
	Panes  map[string]workspace.PaneView `json:"panes"`
	Why    map[string]string             `json:"why"` // by pane: why its engine's badge is what it is
	Inbox  []workspace.Item              `json:"inbox"`
	Recent []workspace.Item              `json:"recent"`
}

func inspectCommand(env Env) *cobra.Command {
	return &cobra.Command{
		Use:   "inspect TAB",
		Short: "Print all that is known of a tab: its layout, sessions, engines, and what it wanted of late",
		Args:  usage(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withDaemon(cmd.Context(), env, func(d *daemonclient.Client) (any, error) {
				t, ref, err := findTab(cmd.Context(), d, args[0])
				if err != nil {
					return nil, err
				}
				in, err := d.Inbox(cmd.Context())
				if err != nil {
					return nil, err
				}
				tab, _ := t.Tab(ref.Tab)
				out := inspected{
					Task: t.ID, Tab: *tab, Panes: make(map[string]workspace.PaneView), Why: make(map[string]string),
					Inbox: []workspace.Item{}, Recent: []workspace.Item{},
				}
				for _, pane := range tab.Panes {
					view := t.PaneView(tab.ID, pane.ID)
					out.Panes[pane.ID] = view
					if view.Engine != nil {
						out.Why[pane.ID] = view.Engine.Why()
					}
				}
				of := func(i workspace.Item) bool { return i.Task == t.ID && i.Tab == tab.ID }
				for _, i := range in.Pending {
					if of(i) {
						out.Inbox = append(out.Inbox, i)
					}
				}
				for _, i := range in.Recent {
					if of(i) {
						out.Recent = append(out.Recent, i)
					}
				}
				return out, nil
			})
		},
	}
}
