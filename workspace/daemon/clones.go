package daemon

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/oklog/ulid/v2"

	"moorage/workspace"
	"moorage/workspace/bus"
	"moorage/workspace/worktree"
)

// maxClones bounds the clones that are shown, failed ones included. One more is refused.
const maxClones = 20

// clonesFact is the bus key of the clones. No task has such an id.
const clonesFact = "\x00clones"

// cloning is a clone that is under way, or failed, as it is stored. A daemon that finds one under way knows that it was cut off.
type cloning struct {
	URL   string          `json:"url"` // as it was given: it may have a password in it, as git's own configuration of the clone has
	View  workspace.Clone `json:"view"`
	shown time.Time       // when its newest line was
}

// at says where it is cloned.
func (c cloning) at() worktree.Cloning {
	return worktree.Cloning{URL: c.URL, Parent: c.View.Parent, ID: c.View.ID}
}

func (s *state) showClones() {
	list := make([]workspace.Clone, 0, len(s.clones))
	for _, c := range s.clones {
		list = append(list, c.View)
	}
	s.bus.Publish(bus.Change[string, fact]{Key: clonesFact, Value: fact{clones: list}})
}

// storeClones makes other clones durable, then known.
func (s *state) storeClones(list []cloning) error {
	if err := s.commit(change{clones: &list}); err != nil {
		return err
	}
	s.clones = list
	s.showClones()
	return nil
}

// clone finds a clone by its id.
func (s *state) clone(id string) (int, error) {
	i := slices.IndexFunc(s.clones, func(c cloning) bool { return c.View.ID == id })
	if i < 0 {
		return i, workspace.Fail(workspace.CodeNotFound, "the sidebar shows those that there are", "there is no such clone")
	}
	return i, nil
}

// failedClone finds a clone that has failed.
func (s *state) failedClone(id string) (int, error) {
	i, err := s.clone(id)
	if err == nil && s.clones[i].View.Failed == "" {
		return i, workspace.Fail(workspace.CodeBusy, "wait until it is done", "%s is being cloned", s.clones[i].View.URL)
	}
	return i, err
}

// beginClone adds a clone, or takes up one that failed.
func (s *state) beginClone(p workspace.ProjectClone) (cloning, error) {
	list := slices.Clone(s.clones)
	if p.Again != "" {
		i, err := s.failedClone(p.Again)
		if err != nil {
			return cloning{}, err
		}
		list[i].View.Failed, list[i].View.Line, list[i].View.Since = "", "", s.now()
		return list[i], s.storeClones(list)
	}
	if !filepath.IsAbs(p.Parent) {
		return cloning{}, workspace.Fail(workspace.CodeInvalid, "give an absolute path", "clone: the parent directory %q is not absolute", p.Parent)
	}
	if len(list) >= maxClones {
		return cloning{}, workspace.Fail(workspace.CodeBusy, "wait for some, or dismiss those that failed", "%d repositories are being cloned already", len(list))
	}
	c := cloning{URL: p.URL, View: workspace.Clone{ID: ulid.Make().String(), URL: worktree.ShowURL(p.URL), Parent: p.Parent, Since: s.now()}}
	return c, s.storeClones(append(list, c))
}

// projectClone clones a repository and saves it. It goes on when its caller leaves. All clients are shown how far it is, and why it failed.
func (d *daemon) projectClone(ctx context.Context, p workspace.ProjectClone) (any, error) {
	var c cloning
	if err := d.do(ctx, func(s *state) (err error) {
		c, err = s.beginClone(p)
		return err
	}); err != nil {
		return nil, err
	}
	project, err := d.cloneNow(d.base, c)
	if d.base.Err() != nil {
		return nil, workspace.AsError(cmp.Or(err, d.base.Err())) // it stays begun, for the next daemon to say so
	}
	_ = d.do(d.base, func(s *state) error { // it fails only when the daemon stops
		s.endClone(c, err)
		return nil
	})
	if err != nil {
		return nil, workspace.AsError(err)
	}
	return project, nil
}

func (d *daemon) cloneNow(ctx context.Context, c cloning) (workspace.Project, error) {
	progress := func(line string) { d.cloned(c.View.ID, line) }
	if err := d.gitEnds(ctx, "clone", c.at().Half(), progress); err != nil {
		return workspace.Project{}, err
	}
	dir, err := c.at().Run(ctx, progress)
	if err != nil {
		return workspace.Project{}, err
	}
	repo, err := worktree.Open(ctx, dir)
	if err != nil {
		return workspace.Project{}, err
	}
	project, err := d.saveProject(ctx, repo)
	if err != nil {
		return workspace.Project{}, err
	}
	if err := c.at().Clear(); err != nil {
		d.log.Warn("what a clone was made in stays", "dir", c.at().Half(), "err", err)
	}
	return project, nil
}

// endClone takes a clone that is done away, and marks one that failed.
func (s *state) endClone(c cloning, failure error) {
	i, err := s.clone(c.View.ID)
	if err != nil {
		return // it cannot be dismissed before
	}
	list := slices.Clone(s.clones)
	if failure == nil {
		list = slices.Delete(list, i, i+1)
	} else {
		why := strings.TrimPrefix(workspace.AsError(failure).Message, "clone "+c.View.URL+": ") // the row says which
		list[i].View.Failed = workspace.Clean(why, 1000)
	}
	if s.storeClones(list) != nil { // the next daemon takes it for one that was cut off
		s.clones = list
		s.showClones()
	}
}

// cloned shows a line of progress, at most every workEvery.
func (d *daemon) cloned(id, line string) {
	_ = d.do(d.base, func(s *state) error { // it fails only when the daemon stops
		i, err := s.clone(id)
		if err != nil {
			return err
		}
		c := &s.clones[i]
		c.View.Line = workspace.Clean(line, 200)
		if now := s.now(); now.Sub(c.shown) >= workEvery {
			c.shown = now
			s.showClones()
		}
		return nil
	})
}

// cloneDrop dismisses a clone that failed, and takes away what one that was cut off has left.
func (d *daemon) cloneDrop(ctx context.Context, p workspace.CloneRef) (any, error) {
	var c cloning
	err := d.do(ctx, func(s *state) error {
		i, err := s.failedClone(p.ID)
		if err != nil {
			return err
		}
		c = s.clones[i]
		return s.storeClones(slices.Delete(slices.Clone(s.clones), i, i+1))
	})
	if err != nil {
		return nil, err
	}
	d.background(func(ctx context.Context) {
		err := d.gitEnds(ctx, "clone", c.at().Half(), func(string) {})
		if err == nil {
			err = c.at().Clear()
		}
		if err != nil {
			d.log.Warn("a half-made clone stays", "dir", c.at().Half(), "err", err)
		}
	})
	return done{}, nil
}
