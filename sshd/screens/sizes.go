package screens

import "slices"

// Size is a PTY's size in columns and rows.
type Size struct{ Cols, Rows int }

// tab settles whose size the sessions of a tab have: the client that last
// attached to it, typed into it or resized its window while looking at it.
// When that one leaves, the most recent of the others follows.
type tab struct {
	views []*view // least recent first: the last one owns the size
}

// view is one client's idea of the sizes of a tab's sessions.
type view struct {
	viewer *Viewer
	sizes  map[string]Size // by session key
}

func (t *tab) find(v *Viewer) int {
	return slices.IndexFunc(t.views, func(w *view) bool { return w.viewer == v })
}

// Look says that the client now looks at a tab ("" for none), where its
// window gives the sessions these sizes. To look at a tab is to attach to it:
// from here on the client owns its size, until somebody else acts.
func (v *Viewer) Look(name string, sizes map[string]Size) {
	if v.looks {
		return
	}
	s := v.all
	s.mu.Lock()
	defer s.mu.Unlock()
	if v.tab != "" && v.tab != name {
		s.leaveTab(v)
	}
	v.tab = name
	if name == "" {
		return
	}
	t := s.tabs[name]
	if t == nil {
		t = &tab{}
		s.tabs[name] = t
	}
	if i := t.find(v); i >= 0 {
		t.views = slices.Delete(t.views, i, i+1)
	}
	t.views = append(t.views, &view{viewer: v, sizes: sizes})
	s.apply(t)
}

// Lay says that the sizes changed without the client having done anything,
// because somebody else split a pane, say. It claims nothing.
func (v *Viewer) Lay(sizes map[string]Size) {
	s := v.all
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.tabs[v.tab]
	if t == nil {
		return
	}
	if i := t.find(v); i >= 0 {
		t.views[i].sizes = sizes
		s.apply(t)
	}
}

// Act says that the client typed or resized its window: it owns the size.
func (v *Viewer) Act() {
	s := v.all
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.tabs[v.tab]
	if t == nil {
		return
	}
	i := t.find(v)
	if i < 0 || i == len(t.views)-1 {
		return
	}
	w := t.views[i]
	t.views = append(slices.Delete(t.views, i, i+1), w)
	s.apply(t)
}

func (s *Screens) leaveTab(v *Viewer) {
	t := s.tabs[v.tab]
	if t == nil {
		return
	}
	if i := t.find(v); i >= 0 {
		t.views = slices.Delete(t.views, i, i+1)
	}
	if len(t.views) == 0 {
		delete(s.tabs, v.tab)
		return
	}
	s.apply(t)
}

// apply gives the sessions the owner's sizes. Screens of the tab that the
// owner does not show keep theirs.
func (s *Screens) apply(t *tab) {
	owner := t.views[len(t.views)-1]
	for key, size := range owner.sizes {
		if sc := s.screens[key]; sc != nil && size.Cols > 0 && size.Rows > 0 {
			sc.setSize(size.Cols, size.Rows)
		}
	}
}
