package ui

import (
	"fmt"
	"strconv"
	"time"

	"moorage/workspace"
	"moorage/workspace/split"
)

// oneTab is a tab with one pane.
func oneTab(id, name string) workspace.Tab {
	return workspace.Tab{ID: id, Name: name, Layout: split.Leaf("pane-1"), Panes: []workspace.Pane{{ID: "pane-1"}}}
}

func viewOf(t workspace.Task) workspace.TaskView {
	v := workspace.TaskView{Task: t, Panes: map[string]workspace.PaneView{}}
	for _, tab := range t.Tabs {
		for _, p := range tab.Panes {
			v.Panes[tab.ID+"/"+p.ID] = workspace.PaneView{State: workspace.PaneAlive}
		}
	}
	return v
}

// withEngine gives a tab's only pane an engine.
func withEngine(v workspace.TaskView, tab string, e workspace.EngineView) {
	p := v.Panes[tab+"/pane-1"]
	if e.Name == "" {
		e.Name = "claude"
	}
	p.Engine = &e
	v.Panes[tab+"/pane-1"] = p
}

var since = time.Date(2026, 3, 1, 12, 0, 1, 0, time.Local)

// twoProjects is a world with everything that a sidebar can show.
func twoProjects() World {
	w := World{Up: true}
	w.Projects = []workspace.Project{{ID: "P1", Title: "harbour", Dir: "/src/harbour"}, {ID: "P2", Title: "tide\x1b[31m", Dir: "/src/tide"}}
	add := func(t workspace.Task) *workspace.TaskView {
		t.Position = len(w.Tasks) + 1
		if t.NextTab == 0 {
			t.NextTab = len(t.Tabs) + 1
		}
		w.Tasks = append(w.Tasks, viewOf(t))
		return &w.Tasks[len(w.Tasks)-1]
	}
	add(workspace.Task{ID: "D", Title: "notes", Kind: workspace.KindDirectory, Dir: "/n", Tabs: []workspace.Tab{oneTab("tab-1", "")}})
	login := add(workspace.Task{
		ID: "L", Title: "login", Kind: workspace.KindManaged, Project: "P1", Branch: "feature/login", Dir: "/w/login", Made: true,
		Status: workspace.StatusInReview, Tabs: []workspace.Tab{oneTab("tab-1", "agent"), oneTab("tab-2", "tests")},
	})
	login.Counts = &workspace.Counts{Known: true, Added: 120, Removed: 34, Ahead: 2, Behind: 1, Dirty: true}
	withEngine(*login, "tab-1", workspace.EngineView{
		Activity: workspace.ActivityNeedsInput, Since: since, Source: workspace.SourceHook, Reason: "permission for\x1b[1m Bash",
	})
	add(workspace.Task{ID: "M", Title: "harbour", Kind: workspace.KindMain, Project: "P1", Dir: "/src/harbour", Tabs: []workspace.Tab{oneTab("tab-1", "")}})
	search := add(workspace.Task{
		ID: "S", Title: "search", Kind: workspace.KindManaged, Project: "P1", Branch: "search", Made: true, Pinned: true,
		Tabs: []workspace.Tab{oneTab("tab-1", "codex"), oneTab("tab-2", "review")},
	})
	withEngine(*search, "tab-1", workspace.EngineView{Activity: workspace.ActivityFinished, Since: since, Source: workspace.SourceStatus})
	withEngine(*search, "tab-2", workspace.EngineView{Activity: workspace.ActivityFinished, Seen: true, Since: since, Source: workspace.SourceStatus})
	add(workspace.Task{ID: "X", Title: "shell", Kind: workspace.KindScratch, Tabs: []workspace.Tab{oneTab("tab-1", "")}})
	making := add(workspace.Task{ID: "W", Title: "currents", Kind: workspace.KindManaged, Project: "P2", Branch: "currents"})
	making.Work = &workspace.Work{What: "making the worktree", Line: "Updating files: 45%"}
	failed := add(workspace.Task{ID: "F", Title: "moon", Kind: workspace.KindManaged, Project: "P2", Branch: "moon"})
	failed.Work = &workspace.Work{What: "making the worktree", Failed: "fatal: no space left"}
	w.Inbox.Pending = []workspace.Item{
		{ID: "1", Task: "L", Tab: "tab-1", Kind: workspace.ItemNeedsInput, Title: "login / agent", Text: "permission for Bash", Time: since},
		{ID: "2", Task: "S", Tab: "tab-1", Kind: workspace.ItemFinished, Title: "search / codex", Text: "done", Time: since.Add(time.Minute)},
	}
	w.Inbox.Recent = []workspace.Item{
		{ID: "0", Task: "D", Tab: "tab-1", Kind: workspace.ItemDied, Title: "notes / shell", Text: "engine exited (code 1)", Time: since, Done: since.Add(time.Hour), Cause: "opened"},
	}
	return w
}

// manyTasks is a world of n tasks with three tabs each, in ten projects.
func manyTasks(n int) World {
	w := World{Up: true}
	for i := range 10 {
		w.Projects = append(w.Projects, workspace.Project{ID: fmt.Sprintf("P%d", i), Title: fmt.Sprintf("project %d", i)})
	}
	for i := range n {
		w.Tasks = append(w.Tasks, viewOf(workspace.Task{
			ID: fmt.Sprintf("T%03d", i), Title: fmt.Sprintf("task number %d", i), Kind: workspace.KindManaged, Made: true, Position: i,
			Project: fmt.Sprintf("P%d", i%10), Branch: fmt.Sprintf("feature/thing-%d", i),
			Tabs: []workspace.Tab{oneTab("tab-1", "agent"), oneTab("tab-2", "tests"), oneTab("tab-3", "")},
		}))
	}
	return w
}

func itoa(n int) string { return strconv.Itoa(n) }
