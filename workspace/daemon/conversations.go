package daemon

import (
	"cmp"
	"context"
	"os"
	"slices"
	"time"

	"moorage/ptyhost/wire"
	"moorage/workspace"
	"moorage/workspace/activity"
	"moorage/workspace/engine"
)

// belongs is a look, for which no state is needed any more, at whose directories are: that of the task with the longest directory above it.
func (s *state) belongs(task string) func(dir string) bool {
	_, roots := s.hosting()
	return func(dir string) bool {
		_, owner := activity.Route(activity.Caller{Dir: dir}, nil, roots)
		return owner == task
	}
}

// claims are the panes that have a conversation, by engine and id.
func (s *state) claims() map[[2]string]workspace.Key {
	all := make(map[[2]string]workspace.Key)
	for _, task := range s.tasks {
		for i := range task.Tabs {
			for _, pane := range task.Tabs[i].Panes {
				if pane.Conversation != "" {
					all[[2]string{pane.Engine, pane.Conversation}] = workspace.Key{Task: task.ID, Tab: task.Tabs[i].ID, Pane: pane.ID}
				}
			}
		}
	}
	return all
}

// discover finds the conversation that a pane of an engine which makes its own ids takes up when its own is not known: the most recent one
// that no pane has, of the pane's directory, else of the task's. since leaves out what has not changed after it. It reads the store.
func (d *daemon) discover(ctx context.Context, e engine.Engine, at engine.Place, key workspace.Key, since time.Time) (id string, err error) {
	var within func(string) bool
	var claims map[[2]string]workspace.Key
	if err := d.do(ctx, func(s *state) error {
		within, claims = s.belongs(key.Task), s.claims()
		return nil
	}); err != nil {
		return "", err
	}
	all, err := e.Conversations(ctx, at, within)
	if err != nil {
		d.log.Warn("an engine's conversations cannot be listed", "engine", e.Name, "err", err)
		return "", nil // it begins a new one
	}
	for _, c := range all {
		_, taken := claims[[2]string{e.Name, c.ID}]
		switch {
		case taken || c.Changed.Before(since):
		case wire.SamePath(c.Dir, at.Dir):
			return c.ID, nil
		case id == "":
			id = c.ID
		}
	}
	return id, nil
}

// storePlace is where the engines of a task have their stores, as the last launch said.
func (s *state) storePlace(task workspace.Task) engine.Place {
	at := engine.Place{Dir: task.Dir, Env: s.storeEnv}
	if at.Env == nil {
		at.Env = os.Environ()
	}
	return at
}

// conversations lists those of a task's directory, of every engine whose store can be looked into. It reads the stores.
func (d *daemon) conversations(ctx context.Context, p workspace.TaskRef) (any, error) {
	var task workspace.Task
	var within func(string) bool
	var claims map[[2]string]workspace.Key
	var at engine.Place
	labels := make(map[workspace.TabRef]string)
	if err := d.do(ctx, func(s *state) error {
		var ok bool
		if task, ok = s.tasks[p.Task]; !ok {
			return workspace.NoTask(p.Task)
		}
		within, claims, at = s.belongs(task.ID), s.claims(), s.storePlace(task)
		if task.Kind == workspace.KindScratch { // it has no directory of its own
			within = func(dir string) bool { return dir == task.Dir }
		}
		for _, key := range claims {
			_, labels[workspace.TabRef{Task: key.Task, Tab: key.Tab}] = s.names(key.String())
		}
		return nil
	}); err != nil {
		return nil, err
	}
	out := workspace.Conversations{List: []workspace.Conversation{}, Engines: []string{}}
	for _, e := range d.cfg.Engines.All() {
		if e.TakesPrompt() && e.Here(at) {
			out.Engines = append(out.Engines, e.Name)
		}
		if !e.Lists() {
			continue
		}
		all, err := e.Conversations(ctx, at, within)
		if err != nil {
			d.log.Warn("an engine's conversations cannot be listed", "engine", e.Name, "err", err)
			out.Unread = append(out.Unread, e.Name)
		}
		for _, c := range all {
			v := workspace.Conversation{
				Engine: e.Name, ID: c.ID, Dir: c.Dir, Transcript: c.Transcript, First: c.First, Changed: c.Changed, Size: c.Size, Forks: e.Forks(),
			}
			if key, ok := claims[[2]string{e.Name, c.ID}]; ok {
				v.Tab = workspace.TabRef{Task: key.Task, Tab: key.Tab}
				v.Label = labels[v.Tab]
			}
			out.List = append(out.List, v)
		}
	}
	slices.SortStableFunc(out.List, func(a, b workspace.Conversation) int { return b.Changed.Compare(a.Changed) })
	return out, nil
}

// takeUp opens a tab for a conversation of a task's directory.
func (d *daemon) takeUp(ctx context.Context, p workspace.ConversationOpen) (any, error) {
	listed, err := d.conversations(ctx, workspace.TaskRef{Task: p.Task})
	if err != nil {
		return nil, err
	}
	list := listed.(workspace.Conversations)
	i := slices.IndexFunc(list.List, func(c workspace.Conversation) bool { return c.Engine == p.Engine && c.ID == p.ID })
	if i < 0 {
		return nil, workspace.Fail(workspace.CodeNotFound, "`moorage api conversations` lists those of a task", "%s has no conversation %s there", p.Engine, p.ID)
	}
	c := list.List[i]
	e, _ := d.cfg.Engines.Named(p.Engine) // it has been listed
	switch p.How {
	case workspace.Continue:
		if c.Tab != (workspace.TabRef{}) {
			return d.reopen(ctx, c, p.Size)
		}
		return d.tabOf(ctx, p.Task, e, workspace.Pane{Conversation: c.ID, Transcript: c.Transcript}, p.Size)
	case workspace.ForkOff:
		if !e.Forks() {
			return nil, workspace.Fail(workspace.CodeInvalid, "hand it over to another engine", "%s cannot fork a conversation", e.Title)
		}
		return d.forkOff(ctx, p.Task, e, c, p.Size)
	case workspace.HandOver:
		to, ok := d.cfg.Engines.Named(p.To)
		if !ok || !to.TakesPrompt() {
			return nil, workspace.Fail(workspace.CodeInvalid, "`moorage engines` lists those that there are", "%q takes no first prompt", p.To)
		}
		return d.tabOf(ctx, p.Task, to, workspace.Pane{Opening: &workspace.Opening{Prompt: brief(e, c)}}, p.Size)
	}
	return nil, workspace.Fail(workspace.CodeInvalid, "say continue, fork or handover", "%q is no way to take up a conversation", p.How)
}

// brief is what another engine is told of a conversation. The transcript is named, not quoted: what stands in it is not the user's word.
func brief(e engine.Engine, c workspace.Conversation) string {
	return "Take over a piece of work. It was done with " + e.Title + " so far; the transcript of that conversation is " +
		e.Reading(c.ID, c.Transcript) + " (JSON). It began with: \"" + c.First + "\". Read the transcript, look at the state of this directory, say in a few " +
		"lines where the work stands, and ask me before you go on."
}

// reopen goes to the tab that a conversation belongs to, and starts its session where none runs.
func (d *daemon) reopen(ctx context.Context, c workspace.Conversation, size workspace.Size) (any, error) {
	added := workspace.Added{Tab: c.Tab.Tab, Existing: true}
	alive := false
	if err := d.do(ctx, func(s *state) error {
		key, ok := s.claims()[[2]string{c.Engine, c.ID}]
		if !ok {
			return workspace.Fail(workspace.CodeConflict, "look again", "the conversation %s was just given away", c.ID)
		}
		added.Task, added.Pane = s.tasks[key.Task], key.Pane
		session, known := s.sessions[key.String()]
		alive = known && session.Alive()
		return nil
	}); err != nil || alive {
		return added, err
	}
	key := workspace.Key{Task: added.Task.ID, Tab: added.Tab, Pane: added.Pane}
	_, err := d.respawn(ctx, key)
	return added, err
}

// tabOf adds a tab whose pane begins with what a pane has of an engine.
func (d *daemon) tabOf(ctx context.Context, id string, e engine.Engine, begin workspace.Pane, size workspace.Size) (any, error) {
	if err := d.make(ctx, id); err != nil {
		return nil, err
	}
	var added workspace.Added
	if err := d.do(ctx, func(s *state) (err error) {
		if s.claimed(e.Name, begin.Conversation, workspace.Key{}) {
			return workspace.Fail(workspace.CodeConflict, "look again", "the conversation %s was just taken up elsewhere", begin.Conversation)
		}
		added.Task, err = s.edit(id, func(t *workspace.Task) ([]workspace.Key, error) {
			tab := t.AddTab(workspace.Tab{Command: e.Command()}, "")
			pane := &tab.Panes[0]
			pane.Engine, pane.Conversation, pane.Transcript, pane.Opening = e.Name, begin.Conversation, begin.Transcript, begin.Opening
			added.Tab, added.Pane = tab.ID, pane.ID
			return nil, nil
		})
		return err
	}); err != nil {
		return nil, err
	}
	return d.begun(ctx, added, size)
}

// forkOff has an engine fork a conversation: in a new managed task whose branch begins at this one's, where the task is of a project, else in a
// new tab.
func (d *daemon) forkOff(ctx context.Context, id string, e engine.Engine, c workspace.Conversation, size workspace.Size) (any, error) {
	var task workspace.Task
	if err := d.do(ctx, func(s *state) error {
		task = s.tasks[id]
		return nil
	}); err != nil {
		return nil, err
	}
	if task.Project != "" {
		child, err := d.taskAdd(ctx, workspace.TaskAdd{
			Project: task.Project, Base: task.Branch, Title: cmp.Or(workspace.Clean(c.First, 40), task.Title) + " (fork)",
		})
		if err != nil {
			return nil, err
		}
		id = child.(workspace.Added).Task.ID
	}
	return d.tabOf(ctx, id, e, workspace.Pane{Opening: &workspace.Opening{Fork: c.ID}}, size)
}
