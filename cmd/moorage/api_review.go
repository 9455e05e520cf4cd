package main

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"moorage/workspace"
	"moorage/workspace/daemonclient"
	"moorage/workspace/worktree"
)

func notesCommand(env Env) *cobra.Command {
	return &cobra.Command{
		Use:   "notes TASK",
		Short: "List the notes of a task's review, the oldest first",
		Args:  usage(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withTask(cmd.Context(), env, args[0], func(d *daemonclient.Client, t workspace.TaskView) (any, error) {
				return d.Notes(cmd.Context(), t.ID)
			})
		},
	}
}

// lineRange is a flag of lines: N or N-M.
type lineRange struct{ first, last int }

func (r *lineRange) Set(text string) error {
	from, to, ranged := strings.Cut(text, "-")
	if !ranged {
		to = from
	}
	first, err := strconv.Atoi(from)
	last, err2 := strconv.Atoi(to)
	if err != nil || err2 != nil || first < 1 || last < first {
		return errors.New("lines are a number, or the first and the last: 3 or 3-5")
	}
	*r = lineRange{first, last}
	return nil
}

func (r *lineRange) Type() string { return "lines" }

func (r *lineRange) String() string {
	if r.first == 0 {
		return ""
	}
	return strconv.Itoa(r.first) + "-" + strconv.Itoa(r.last)
}

func noteAddCommand(env Env) *cobra.Command {
	var text, scope string
	var lines, old lineRange
	cmd := &cobra.Command{
		Use:   "note-add TASK FILE --text TEXT",
		Short: "Write a note on what differs in a file of a task",
		Long: "The FILE is named from the top of its worktree, as git names it. Without --lines or --old-lines the note is on the file as such. A --text of - is read from the\n" +
			"standard input. Every client sees the note; it is given to the engine when somebody sends the notes from the review.",
		Args: usage(cobra.ExactArgs(2)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if text == "" || lines.first > 0 && old.first > 0 {
				return usageError{errors.New("note-add needs --text, and takes --lines or --old-lines")}
			}
			text, err := given(env, text, workspace.MaxNoteText)
			if err != nil {
				return err
			}
			return withTask(cmd.Context(), env, args[0], func(d *daemonclient.Client, t workspace.TaskView) (any, error) {
				query := workspace.DiffQuery{Task: t.ID, Scope: scope, Path: []byte(args[1])}
				passage, err := passageOf(cmd.Context(), d, query, lines, old)
				if err != nil {
					return nil, err
				}
				return d.PutNote(cmd.Context(), workspace.NotePut{Task: t.ID, Passage: passage, Text: strings.TrimSpace(text)})
			})
		},
	}
	cmd.Flags().StringVar(&text, "text", "", "what it says; - reads it from the standard input")
	cmd.Flags().Var(&lines, "lines", "the lines that it is on, as they are after the change: 3 or 3-5")
	cmd.Flags().Var(&old, "old-lines", "lines that were taken out, as they were before")
	cmd.Flags().StringVar(&scope, "scope", "", "head or base: against what the file differs (default: HEAD if anything does, else the base)")
	return cmd
}

// passageOf is the passage of these lines in what differs, with their text.
func passageOf(ctx context.Context, d *daemonclient.Client, query workspace.DiffQuery, lines, old lineRange) (workspace.Passage, error) {
	view, err := d.Diff(ctx, query)
	if err != nil {
		return workspace.Passage{}, err
	}
	if len(view.Files) == 0 {
		return workspace.Passage{}, workspace.Fail(workspace.CodeNotFound, "name a file that differs as git names it, or another --scope",
			"%s does not differ from %s", worktree.Display(string(query.Path)), view.Name)
	}
	file := &view.Files[0]
	named, took := lines, false
	if old.first > 0 {
		named, took = old, true
	}
	found := file.Numbered(named.first, named.last, took)
	if named.first > 0 && len(found) == 0 {
		return workspace.Passage{}, workspace.Fail(workspace.CodeNotFound, "name lines that differ, or that stand beside such",
			"lines %s of %s are not in what differs from %s", named.String(), file.Show, view.Name)
	}
	return file.Passage(found), nil
}

func noteDeleteCommand(env Env) *cobra.Command {
	return &cobra.Command{
		Use:   "note-delete TASK NOTE",
		Short: "Delete a note, named by its id",
		Args:  usage(cobra.ExactArgs(2)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withTask(cmd.Context(), env, args[0], func(d *daemonclient.Client, t workspace.TaskView) (any, error) {
				ref := workspace.NoteRef{Task: t.ID, ID: args[1]}
				return ref, d.DropNote(cmd.Context(), ref)
			})
		},
	}
}

func rootDirCommand(env Env) *cobra.Command {
	return &cobra.Command{
		Use:   "root TASK",
		Short: "Print a task's root: the directory that its files, git and new tabs are about",
		Args:  usage(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withTask(cmd.Context(), env, args[0], func(_ *daemonclient.Client, t workspace.TaskView) (any, error) {
				return workspace.Rooted{Dir: t.RootDir()}, nil
			})
		},
	}
}

func setRootCommand(env Env) *cobra.Command {
	return &cobra.Command{
		Use:   "set-root TASK DIR | set-root PANE",
		Short: "Make a directory the root of a task, or the one that a pane's program is in",
		Long:  "The root of a project's task stays within its worktree. A scratch or directory task becomes that of the directory.",
		Args:  usage(cobra.RangeArgs(1, 2)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 2 {
				return withTask(cmd.Context(), env, args[0], func(d *daemonclient.Client, t workspace.TaskView) (any, error) {
					return d.SetRoot(cmd.Context(), workspace.RootSet{PaneRef: workspace.PaneRef{Task: t.ID}, Dir: absolute(env, args[1])})
				})
			}
			return withDaemon(cmd.Context(), env, func(d *daemonclient.Client) (any, error) {
				ref, err := findPane(cmd.Context(), d, args[0])
				if err != nil {
					return nil, err
				}
				return d.SetRoot(cmd.Context(), workspace.RootSet{PaneRef: ref})
			})
		},
	}
}
