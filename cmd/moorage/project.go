package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"moorage/ptyhost/wire"
	"moorage/workspace"
	"moorage/workspace/daemonclient"
	"moorage/workspace/worktree"
)

func addProjectCommand(env Env) *cobra.Command {
	return &cobra.Command{
		Use:   "add [PATH]",
		Short: "Save the git repository of a directory as a project",
		Long: "Tasks with a branch and a worktree of their own can then be made in it: `n` in the sidebar, or `moorage api add --project`. The\n" +
			"repository is not changed.",
		Args: usage(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			dir := env.Dir
			if len(args) == 1 {
				dir = absolute(env, args[0])
			}
			return talk(cmd.Context(), func(d *daemonclient.Client) error {
				p, err := d.AddProject(cmd.Context(), dir)
				if err != nil {
					return err
				}
				_, err = fmt.Fprintf(env.Stdout, "%s is a project: %s\n", worktree.Display(p.Title), worktree.Display(p.Dir))
				return err
			})
		},
	}
}

func removeProjectCommand(env Env) *cobra.Command {
	return &cobra.Command{
		Use:   "remove PROJECT",
		Short: "Forget a project, named by its title, id or a directory of it",
		Long:  "Only the record goes. A project that has tasks with worktrees is refused: delete those first.",
		Args:  usage(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return talk(cmd.Context(), func(d *daemonclient.Client) error {
				p, err := findProject(cmd.Context(), env, d, args[0])
				if err != nil {
					return err
				}
				if err := d.RemoveProject(cmd.Context(), p.ID); err != nil {
					return err
				}
				_, err = fmt.Fprintf(env.Stdout, "%s is forgotten; %s is as it was\n", worktree.Display(p.Title), worktree.Display(p.Dir))
				return err
			})
		},
	}
}

func landCommand(env Env) *cobra.Command {
	var p workspace.TaskLand
	cmd := &cobra.Command{
		Use:   "land TASK",
		Short: "Merge a task's branch into the branch that its project's checkout is on",
		Long:  "A merge commit always, or one commit of all changes with --squash. A conflict changes nothing and is listed.",
		Args:  usage(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withTask(cmd.Context(), env, args[0], func(d *daemonclient.Client, t workspace.TaskView) (any, error) {
				p.Task = t.ID
				return d.LandTask(cmd.Context(), p)
			})
		},
	}
	cmd.Flags().BoolVar(&p.Squash, "squash", false, "one commit of all changes")
	cmd.Flags().StringVar(&p.Message, "message", "", "of the commit")
	cmd.Flags().BoolVar(&p.DryRun, "dry-run", false, "only say what would come of it")
	return cmd
}

func makeCommand(env Env) *cobra.Command {
	return &cobra.Command{
		Use:   "make TASK",
		Short: "Make a task's worktree, which its first tab would do otherwise",
		Args:  usage(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withTask(cmd.Context(), env, args[0], func(d *daemonclient.Client, t workspace.TaskView) (any, error) {
				return workspace.TaskRef{Task: t.ID}, d.MakeTask(cmd.Context(), t.ID)
			})
		},
	}
}

func lossCommand(env Env) *cobra.Command {
	return &cobra.Command{
		Use:   "loss TASK",
		Short: "Say what a delete of a task would take",
		Args:  usage(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withTask(cmd.Context(), env, args[0], func(d *daemonclient.Client, t workspace.TaskView) (any, error) {
				return d.TaskLoss(cmd.Context(), t.ID)
			})
		},
	}
}

func worktreesCommand(env Env) *cobra.Command {
	return &cobra.Command{
		Use:   "worktrees",
		Short: "Print the worktrees of every project",
		Args:  usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withDaemon(cmd.Context(), env, func(d *daemonclient.Client) (any, error) { return d.Worktrees(cmd.Context()) })
		},
	}
}

func adoptCommand(env Env) *cobra.Command {
	var p workspace.WorktreeAdopt
	cmd := &cobra.Command{
		Use:   "adopt PROJECT DIR...",
		Short: "Make tasks for worktrees that a project has already",
		Args:  usage(cobra.MinimumNArgs(2)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withDaemon(cmd.Context(), env, func(d *daemonclient.Client) (any, error) {
				project, err := findProject(cmd.Context(), env, d, args[0])
				if err != nil {
					return nil, err
				}
				p.Project = project.ID
				for _, dir := range args[1:] {
					p.Dirs = append(p.Dirs, absolute(env, dir))
				}
				return d.AdoptWorktrees(cmd.Context(), p)
			})
		},
	}
	return cmd
}

// findProject finds the project that name means: its id, its title, or a directory of it.
func findProject(ctx context.Context, env Env, d *daemonclient.Client, name string) (workspace.Project, error) {
	s, err := d.Subscribe(ctx)
	if err != nil {
		return workspace.Project{}, err
	}
	var found []workspace.Project
	for _, p := range s.Projects {
		switch {
		case p.ID == name, wire.SamePath(p.Dir, absolute(env, name)):
			return p, nil
		case p.Title == name:
			found = append(found, p)
		}
	}
	switch len(found) {
	case 0:
		return workspace.Project{}, workspace.Fail(workspace.CodeNotFound, "`moorage api list` shows the projects, `moorage add` saves one", "there is no project %q", name)
	case 1:
		return found[0], nil
	}
	return workspace.Project{}, workspace.Fail(workspace.CodeConflict, "name its directory", "%d projects are called %q", len(found), name)
}
