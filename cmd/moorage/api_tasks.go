package main

import (
	"errors"

	"github.com/spf13/cobra"

	"moorage/workspace"
	"moorage/workspace/daemonclient"
	"moorage/workspace/split"
)

func listCommand(env Env) *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "Print every task with its tabs, panes and badges",
		Args:  usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withDaemon(cmd.Context(), env, func(d *daemonclient.Client) (any, error) { return d.Subscribe(cmd.Context()) })
		},
	}
}

func addCommand(env Env) *cobra.Command {
	var p workspace.TaskAdd
	var project string
	cmd := &cobra.Command{
		Use:   "add [DIR] [-- COMMAND...]",
		Short: "Add the task of a directory, or a scratch task",
		Long:  "Prints the task, and the tab and pane whose session runs. A directory that has a task gives that one.",
		Args: usage(func(cmd *cobra.Command, args []string) error {
			words, _ := splitDash(cmd, args)
			if p.Scratch {
				return cobra.NoArgs(cmd, words)
			}
			if project == "" && cmd.Flags().Changed("project") {
				return errors.New("--project names none")
			}
			return cobra.MaximumNArgs(1)(cmd, words)
		}),
		RunE: func(cmd *cobra.Command, args []string) error {
			words, command := splitDash(cmd, args)
			p.Command = command
			if !p.Scratch && project == "" {
				p.Dir = env.Dir
			}
			if len(words) == 1 {
				p.Dir = absolute(env, words[0])
			}
			return withDaemon(cmd.Context(), env, func(d *daemonclient.Client) (any, error) {
				if project != "" {
					found, err := findProject(cmd.Context(), env, d, project)
					if err != nil {
						return nil, err
					}
					p.Project, p.Dir = found.ID, ""
				}
				return d.AddTask(cmd.Context(), p)
			})
		},
	}
	cmd.Flags().BoolVar(&p.Scratch, "scratch", false, "a scratch task in your home directory")
	cmd.Flags().StringVar(&p.Title, "title", "", "its title (default: the directory's name)")
	cmd.Flags().StringVar(&project, "project", "", "a task of this project, with a branch and a worktree of its own")
	cmd.Flags().StringVar(&p.Base, "base", "", "what its branch begins at (default: the project's default branch)")
	cmd.Flags().StringVar(&p.Prefix, "prefix", "", "before its branch's name (default: the repository's habit)")
	policyFlag(cmd, &p.Policy)
	sizeFlags(cmd, &p.Size)
	return cmd
}

func setCommand(env Env) *cobra.Command {
	var resume bool
	cmd := &cobra.Command{
		Use:   "set TASK",
		Short: "Change a task's switches",
		Args:  usage(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !cmd.Flags().Changed("resume-after-limit") {
				return usageError{errors.New("set needs --resume-after-limit=true or =false")}
			}
			return withTask(cmd.Context(), env, args[0], func(d *daemonclient.Client, t workspace.TaskView) (any, error) {
				p := workspace.TaskSet{Task: t.ID, Resume: &resume}
				return p, d.SetTask(cmd.Context(), p)
			})
		},
	}
	cmd.Flags().BoolVar(&resume, "resume-after-limit", false, "tell its engines `continue` when a rate limit has ended, if they said when")
	return cmd
}

func deleteCommand(env Env) *cobra.Command {
	var p workspace.TaskDelete
	cmd := &cobra.Command{
		Use:   "delete TASK",
		Short: "End a task's sessions and forget it",
		Long: "A directory stays. The worktree of a task that has one of its own goes, if nothing would be lost; `moorage api loss` says what would.\n" +
			"With --force uncommitted work is kept under refs/moorage/salvage. The branch stays, unless --delete-branch names it.",
		Args: usage(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withTask(cmd.Context(), env, args[0], func(d *daemonclient.Client, t workspace.TaskView) (any, error) {
				p.Task = t.ID
				return workspace.TaskRef{Task: t.ID}, d.DeleteTask(cmd.Context(), p)
			})
		},
	}
	cmd.Flags().BoolVar(&p.Force, "force", false, "also when files or commits are there that exist nowhere else")
	cmd.Flags().StringVar(&p.DeleteBranch, "delete-branch", "", "delete this branch, the task's own, too")
	return cmd
}

func tabAddCommand(env Env) *cobra.Command {
	var p workspace.TabAdd
	cmd := &cobra.Command{
		Use:   "tab-add TASK [-- COMMAND...]",
		Short: "Append a tab to a task",
		Args: usage(func(cmd *cobra.Command, args []string) error {
			words, _ := splitDash(cmd, args)
			return cobra.ExactArgs(1)(cmd, words)
		}),
		RunE: func(cmd *cobra.Command, args []string) error {
			words, command := splitDash(cmd, args)
			return withTask(cmd.Context(), env, words[0], func(d *daemonclient.Client, t workspace.TaskView) (any, error) {
				p.Task, p.Command = t.ID, command
				if p.Dir != "" {
					p.Dir = absolute(env, p.Dir)
				}
				return d.AddTab(cmd.Context(), p)
			})
		},
	}
	cmd.Flags().StringVar(&p.Name, "name", "", "its name (default: what its program calls itself)")
	cmd.Flags().StringVar(&p.Dir, "dir", "", "where it starts (default: the task's directory)")
	policyFlag(cmd, &p.Policy)
	sizeFlags(cmd, &p.Size)
	return cmd
}

func tabCloseCommand(env Env) *cobra.Command {
	return &cobra.Command{
		Use:   "tab-close TAB",
		Short: "End a tab's sessions and take it out of its task",
		Args:  usage(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withDaemon(cmd.Context(), env, func(d *daemonclient.Client) (any, error) {
				_, ref, err := findTab(cmd.Context(), d, args[0])
				if err != nil {
					return nil, err
				}
				return ref, d.CloseTab(cmd.Context(), ref)
			})
		},
	}
}

func splitCommand(env Env) *cobra.Command {
	var p workspace.PaneSplit
	var direction string
	cmd := &cobra.Command{
		Use:   "split PANE [-- COMMAND...]",
		Short: "Divide a pane",
		Args: usage(func(cmd *cobra.Command, args []string) error {
			words, _ := splitDash(cmd, args)
			return cobra.ExactArgs(1)(cmd, words)
		}),
		RunE: func(cmd *cobra.Command, args []string) error {
			words, command := splitDash(cmd, args)
			return withDaemon(cmd.Context(), env, func(d *daemonclient.Client) (any, error) {
				ref, err := findPane(cmd.Context(), d, words[0])
				if err != nil {
					return nil, err
				}
				p.PaneRef, p.Command, p.Direction = ref, command, split.Direction(direction)
				if p.Dir != "" {
					p.Dir = absolute(env, p.Dir)
				}
				return d.SplitPane(cmd.Context(), p)
			})
		},
	}
	cmd.Flags().StringVar(&direction, "direction", string(split.Right), "where the new pane lies: right or down")
	cmd.Flags().StringVar(&p.Dir, "dir", "", "where it starts (default: where the divided pane's program is)")
	sizeFlags(cmd, &p.Size)
	return cmd
}

func policyFlag(cmd *cobra.Command, policy *workspace.Policy) {
	cmd.Flags().StringVar((*string)(policy), "policy", "", "when it is started again: if-lost, reattach-only or always (default: if-lost)")
}

func sizeFlags(cmd *cobra.Command, size *workspace.Size) {
	cmd.Flags().IntVar(&size.Cols, "cols", 0, "columns until a client shows it (default: 80)")
	cmd.Flags().IntVar(&size.Rows, "rows", 0, "rows until a client shows it (default: 24)")
}

// splitDash parts the words before -- from those after it.
func splitDash(cmd *cobra.Command, args []string) (words, command []string) {
	if at := cmd.ArgsLenAtDash(); at >= 0 {
		return args[:at], args[at:]
	}
	return args, nil
}
