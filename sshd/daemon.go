package sshd

import (
	"context"

	"moorage/workspace"
	"moorage/workspace/daemonclient"
)

// daemonOf is the daemon as package ui knows it: whichever connection there is
// at the moment. For a client that may look only every call is refused that
// does not go through looking.
type daemonOf struct {
	w    *world
	view bool
}

// looking is for calls that change nothing.
func (d daemonOf) looking() daemonOf { return daemonOf{w: d.w} }

// reach returns the connection to the daemon, or why there is none to be used.
func (d daemonOf) reach(ctx context.Context) (*daemonclient.Client, error) {
	if d.view {
		return nil, errViewOnly
	}
	return d.w.reach(ctx)
}

// asked calls the daemon for an answer.
func asked[P, R any](ctx context.Context, d daemonOf, call func(*daemonclient.Client, context.Context, P) (R, error), p P) (R, error) {
	c, err := d.reach(ctx)
	if err != nil {
		var none R
		return none, err
	}
	return call(c, ctx, p)
}

// told calls the daemon for something to be done.
func told[P any](ctx context.Context, d daemonOf, call func(*daemonclient.Client, context.Context, P) error, p P) error {
	c, err := d.reach(ctx)
	if err != nil {
		return err
	}
	return call(c, ctx, p)
}

func (d daemonOf) AddTask(ctx context.Context, p workspace.TaskAdd) (workspace.Added, error) {
	return asked(ctx, d, (*daemonclient.Client).AddTask, p)
}

func (d daemonOf) AddTab(ctx context.Context, p workspace.TabAdd) (workspace.Added, error) {
	return asked(ctx, d, (*daemonclient.Client).AddTab, p)
}

func (d daemonOf) SplitPane(ctx context.Context, p workspace.PaneSplit) (workspace.Added, error) {
	return asked(ctx, d, (*daemonclient.Client).SplitPane, p)
}

func (d daemonOf) ResetPane(ctx context.Context, p workspace.PaneOpen) error {
	_, err := asked(ctx, d, (*daemonclient.Client).ResetPane, p)
	return err
}

func (d daemonOf) CloseTab(ctx context.Context, tab workspace.TabRef) error {
	return told(ctx, d, (*daemonclient.Client).CloseTab, tab)
}

func (d daemonOf) Seen(ctx context.Context, tab workspace.TabRef) error {
	return told(ctx, d, (*daemonclient.Client).Seen, tab)
}

func (d daemonOf) Hooks(ctx context.Context, p workspace.Hooks) (workspace.Hooks, error) {
	return asked(ctx, d, (*daemonclient.Client).Hooks, p)
}

func (d daemonOf) SelectTab(ctx context.Context, p workspace.TabSelect) error {
	return told(ctx, d, (*daemonclient.Client).SelectTab, p)
}

func (d daemonOf) Place(ctx context.Context, client string) (workspace.Place, error) {
	return asked(ctx, d.looking(), (*daemonclient.Client).Place, client)
}

func (d daemonOf) SetNotify(ctx context.Context, p workspace.NotifySet) error {
	return told(ctx, d, (*daemonclient.Client).SetNotify, p)
}

func (d daemonOf) ClosePane(ctx context.Context, pane workspace.PaneRef) error {
	return told(ctx, d, (*daemonclient.Client).ClosePane, pane)
}

func (d daemonOf) SetRatio(ctx context.Context, p workspace.SplitRatio) error {
	return told(ctx, d, (*daemonclient.Client).SetRatio, p)
}

func (d daemonOf) SwapPanes(ctx context.Context, p workspace.PaneSwap) error {
	return told(ctx, d, (*daemonclient.Client).SwapPanes, p)
}

func (d daemonOf) MovePane(ctx context.Context, p workspace.PaneMove) (workspace.Added, error) {
	return asked(ctx, d, (*daemonclient.Client).MovePane, p)
}

func (d daemonOf) ArrangeTab(ctx context.Context, p workspace.TabArrange) error {
	return told(ctx, d, (*daemonclient.Client).ArrangeTab, p)
}

func (d daemonOf) SetPolicy(ctx context.Context, p workspace.TabPolicy) error {
	return told(ctx, d, (*daemonclient.Client).SetPolicy, p)
}

func (d daemonOf) Restore(ctx context.Context, p workspace.Restore) (workspace.Report, error) {
	return asked(ctx, d, (*daemonclient.Client).Restore, p)
}

func (d daemonOf) Report(ctx context.Context, p workspace.ReportRef) (workspace.Report, error) {
	return asked(ctx, d.looking(), (*daemonclient.Client).Report, p)
}

func (d daemonOf) Exits(ctx context.Context) ([]workspace.ExitRecord, error) {
	c, err := d.looking().reach(ctx)
	if err != nil {
		return nil, err
	}
	return c.Exits(ctx)
}

func (d daemonOf) RenameTask(ctx context.Context, p workspace.TaskRename) error {
	return told(ctx, d, (*daemonclient.Client).RenameTask, p)
}

func (d daemonOf) MoveTask(ctx context.Context, task string, to int) error {
	c, err := d.reach(ctx)
	if err != nil {
		return err
	}
	return c.MoveTask(ctx, task, to)
}

func (d daemonOf) RenameTab(ctx context.Context, p workspace.TabRename) error {
	return told(ctx, d, (*daemonclient.Client).RenameTab, p)
}

func (d daemonOf) MoveTab(ctx context.Context, tab workspace.TabRef, to int) error {
	c, err := d.reach(ctx)
	if err != nil {
		return err
	}
	return c.MoveTab(ctx, tab, to)
}

func (d daemonOf) DeleteTask(ctx context.Context, p workspace.TaskDelete) error {
	return told(ctx, d, (*daemonclient.Client).DeleteTask, p)
}

func (d daemonOf) MakeTask(ctx context.Context, p string) error {
	return told(ctx, d, (*daemonclient.Client).MakeTask, p)
}

func (d daemonOf) SetTask(ctx context.Context, p workspace.TaskSet) error {
	return told(ctx, d, (*daemonclient.Client).SetTask, p)
}

func (d daemonOf) RemoveProject(ctx context.Context, p string) error {
	return told(ctx, d, (*daemonclient.Client).RemoveProject, p)
}

func (d daemonOf) DropWorktree(ctx context.Context, p workspace.WorktreeDrop) error {
	return told(ctx, d, (*daemonclient.Client).DropWorktree, p)
}

func (d daemonOf) TaskLoss(ctx context.Context, p string) (workspace.Loss, error) {
	return asked(ctx, d.looking(), (*daemonclient.Client).TaskLoss, p)
}

func (d daemonOf) LandTask(ctx context.Context, p workspace.TaskLand) (workspace.Landed, error) {
	return asked(ctx, d, (*daemonclient.Client).LandTask, p)
}

func (d daemonOf) AddProject(ctx context.Context, p string) (workspace.Project, error) {
	return asked(ctx, d, (*daemonclient.Client).AddProject, p)
}

func (d daemonOf) CloneProject(ctx context.Context, p workspace.ProjectClone) (workspace.Project, error) {
	return asked(ctx, d, (*daemonclient.Client).CloneProject, p)
}

func (d daemonOf) Bases(ctx context.Context, p string) ([]workspace.BaseRef, error) {
	return asked(ctx, d.looking(), (*daemonclient.Client).Bases, p)
}

func (d daemonOf) AdoptWorktrees(ctx context.Context, p workspace.WorktreeAdopt) ([]workspace.AdoptResult, error) {
	return asked(ctx, d, (*daemonclient.Client).AdoptWorktrees, p)
}

func (d daemonOf) WorktreeLoss(ctx context.Context, p workspace.WorktreeRef) (workspace.Loss, error) {
	return asked(ctx, d.looking(), (*daemonclient.Client).WorktreeLoss, p)
}

func (d daemonOf) Send(ctx context.Context, p workspace.Send) (workspace.Sent, error) {
	return asked(ctx, d, (*daemonclient.Client).Send, p)
}

func (d daemonOf) Worktrees(ctx context.Context) ([]workspace.WorktreeRow, error) {
	c, err := d.looking().reach(ctx)
	if err != nil {
		return nil, err
	}
	return c.Worktrees(ctx)
}

func (d daemonOf) Conversations(ctx context.Context, task string) (workspace.Conversations, error) {
	return asked(ctx, d.looking(), (*daemonclient.Client).Conversations, task)
}

func (d daemonOf) TakeUp(ctx context.Context, p workspace.ConversationOpen) (workspace.Added, error) {
	return asked(ctx, d, (*daemonclient.Client).TakeUp, p)
}

func (d daemonOf) Files(ctx context.Context, p workspace.FilesQuery) (workspace.FilesView, error) {
	return asked(ctx, d.looking(), (*daemonclient.Client).Files, p)
}

func (d daemonOf) Diff(ctx context.Context, p workspace.DiffQuery) (workspace.DiffView, error) {
	return asked(ctx, d.looking(), (*daemonclient.Client).Diff, p)
}

func (d daemonOf) Notes(ctx context.Context, p string) ([]workspace.Note, error) {
	return asked(ctx, d.looking(), (*daemonclient.Client).Notes, p)
}

func (d daemonOf) PutNote(ctx context.Context, p workspace.NotePut) (workspace.Note, error) {
	return asked(ctx, d, (*daemonclient.Client).PutNote, p)
}

func (d daemonOf) DropNote(ctx context.Context, p workspace.NoteRef) error {
	return told(ctx, d, (*daemonclient.Client).DropNote, p)
}

func (d daemonOf) SendNotes(ctx context.Context, p workspace.NotesSend) (workspace.NotesSent, error) {
	return asked(ctx, d, (*daemonclient.Client).SendNotes, p)
}

func (d daemonOf) SetRoot(ctx context.Context, p workspace.RootSet) (workspace.Rooted, error) {
	return asked(ctx, d, (*daemonclient.Client).SetRoot, p)
}

func (d daemonOf) OpenFile(ctx context.Context, p workspace.TaskOpen) error {
	return told(ctx, d, (*daemonclient.Client).OpenFile, p)
}

func (d daemonOf) ClearWork(ctx context.Context, p string) error {
	return told(ctx, d, (*daemonclient.Client).ClearWork, p)
}

func (d daemonOf) DropClone(ctx context.Context, p workspace.CloneRef) error {
	return told(ctx, d, (*daemonclient.Client).DropClone, p)
}
