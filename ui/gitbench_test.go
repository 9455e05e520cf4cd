package ui

import (
	"context"

	"moorage/workspace"
)

// gitBench is what the bench's daemon answers about repositories, and what it
// was asked to do.
type gitBench struct {
	err       error // of everything, unless nil
	added     []workspace.TaskAdd
	gives     workspace.Task // what AddTask answers
	deleted   []workspace.TaskDelete
	loss      workspace.Loss
	lands     []workspace.TaskLand
	landed    workspace.Landed
	projects  []string
	clones    []workspace.ProjectClone
	removed   []string
	bases     []workspace.BaseRef
	worktrees []workspace.WorktreeRow
	adopts    []workspace.WorktreeAdopt
	adopted   []workspace.AdoptResult
	drops     []workspace.WorktreeDrop
	sent      []workspace.Send
	diff      workspace.DiffView
	notes     []workspace.Note
	puts      []workspace.NotePut
	dropped   []workspace.NoteRef
	noted     []workspace.NotesSend
	roots     []workspace.PaneRef
	opened    []workspace.TaskOpen
	cleared   []string
	unclone   []string

	conversations workspace.Conversations
	taken         []workspace.ConversationOpen
}

func (b *bench) AddTask(_ context.Context, p workspace.TaskAdd) (workspace.Added, error) {
	b.git.added = append(b.git.added, p)
	return workspace.Added{Task: b.git.gives}, b.git.err
}

func (b *bench) DeleteTask(_ context.Context, p workspace.TaskDelete) error {
	b.git.deleted = append(b.git.deleted, p)
	return b.git.err
}

func (b *bench) MakeTask(_ context.Context, task string) error {
	b.made = append(b.made, task)
	return b.git.err
}

func (b *bench) SetTask(_ context.Context, p workspace.TaskSet) error {
	b.sets = append(b.sets, p)
	return b.git.err
}

func (b *bench) RemoveProject(_ context.Context, id string) error {
	b.git.removed = append(b.git.removed, id)
	return b.git.err
}

func (b *bench) DropWorktree(_ context.Context, p workspace.WorktreeDrop) error {
	b.git.drops = append(b.git.drops, p)
	return b.git.err
}

func (b *bench) TaskLoss(context.Context, string) (workspace.Loss, error) {
	return b.git.loss, b.git.err
}

func (b *bench) LandTask(_ context.Context, p workspace.TaskLand) (workspace.Landed, error) {
	b.git.lands = append(b.git.lands, p)
	l := b.git.landed
	l.DryRun = p.DryRun
	return l, b.git.err
}

func (b *bench) AddProject(_ context.Context, dir string) (workspace.Project, error) {
	b.git.projects = append(b.git.projects, dir)
	return workspace.Project{ID: "P1", Dir: dir}, b.git.err
}

func (b *bench) CloneProject(_ context.Context, p workspace.ProjectClone) (workspace.Project, error) {
	b.git.clones = append(b.git.clones, p)
	return workspace.Project{ID: "P1", Title: "harbour"}, b.git.err
}

func (b *bench) Bases(context.Context, string) ([]workspace.BaseRef, error) {
	return b.git.bases, b.git.err
}

func (b *bench) AdoptWorktrees(_ context.Context, p workspace.WorktreeAdopt) ([]workspace.AdoptResult, error) {
	b.git.adopts = append(b.git.adopts, p)
	return b.git.adopted, b.git.err
}

func (b *bench) WorktreeLoss(context.Context, workspace.WorktreeRef) (workspace.Loss, error) {
	return b.git.loss, b.git.err
}

func (b *bench) Worktrees(context.Context) ([]workspace.WorktreeRow, error) {
	return b.git.worktrees, b.git.err
}

func (b *bench) Send(_ context.Context, p workspace.Send) (workspace.Sent, error) {
	b.git.sent = append(b.git.sent, p)
	return workspace.Sent{Bytes: len(p.Prompt)}, b.git.err
}

func (b *bench) Diff(context.Context, workspace.DiffQuery) (workspace.DiffView, error) {
	v := b.git.diff
	v.Still = true
	return v, b.git.err
}

func (b *bench) Notes(context.Context, string) ([]workspace.Note, error) { return b.git.notes, nil }

func (b *bench) PutNote(_ context.Context, p workspace.NotePut) (workspace.Note, error) {
	b.git.puts = append(b.git.puts, p)
	return workspace.Note{}, b.git.err
}

func (b *bench) DropNote(_ context.Context, p workspace.NoteRef) error {
	b.git.dropped = append(b.git.dropped, p)
	return b.git.err
}

func (b *bench) SendNotes(_ context.Context, p workspace.NotesSend) (workspace.NotesSent, error) {
	b.git.noted = append(b.git.noted, p)
	return workspace.NotesSent{Sent: workspace.Sent{Key: "L/tab-1/pane-1"}, Notes: 2}, b.git.err
}

func (b *bench) SetRoot(_ context.Context, p workspace.RootSet) (workspace.Rooted, error) {
	b.git.roots = append(b.git.roots, p.PaneRef)
	return workspace.Rooted{Dir: "/w/login/docs"}, b.git.err
}

func (b *bench) OpenFile(_ context.Context, p workspace.TaskOpen) error {
	b.git.opened = append(b.git.opened, p)
	return b.git.err
}

func (b *bench) ClearWork(_ context.Context, task string) error {
	b.git.cleared = append(b.git.cleared, task)
	return b.git.err
}

func (b *bench) DropClone(_ context.Context, p workspace.CloneRef) error {
	b.git.unclone = append(b.git.unclone, p.ID)
	return b.git.err
}

func (b *bench) Conversations(context.Context, string) (workspace.Conversations, error) {
	return b.git.conversations, b.git.err
}

func (b *bench) TakeUp(_ context.Context, p workspace.ConversationOpen) (workspace.Added, error) {
	b.git.taken = append(b.git.taken, p)
	return workspace.Added{}, errBench
}
