package daemon

import (
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

// cloning is a clone that is under way, or failed. It is not stored: what a daemon that fell has begun is a directory that git left.
type cloning struct {
	url, parent string // as they were given: an address may have a password in it
	view        workspace.Clone
	shown       time.Time // when its newest line was
}

func (s *state) showClones() {
	list := make([]workspace.Clone, 0, len(s.clones))
	for _, c := range s.clones {
		list = append(list, c.view)
	}
	s.bus.Publish(bus.Change[string, fact]{Key: clonesFact, Value: fact{clones: list}})
}

// clone finds a clone by its id.
func (s *state) clone(id string) (int, error) {
	i := slices.IndexFunc(s.clones, func(c *cloning) bool { return c.view.ID == id })
	if i < 0 {
		return i, workspace.Fail(workspace.CodeNotFound, "the sidebar shows those that there are", "there is no such clone")
	}
	return i, nil
}

// beginClone adds a clone, or takes up one that failed.
func (s *state) beginClone(p workspace.ProjectClone) (*cloning, error) {
	if p.Again != "" {
		i, err := s.clone(p.Again)
		if err != nil {
			return nil, err
		}
		c := s.clones[i]
		if c.view.Failed == "" {
			return nil, workspace.Fail(workspace.CodeBusy, "wait until it is done", "%s is being cloned", c.view.URL)
		}
		c.view.Failed, c.view.Line, c.view.Since = "", "", s.now()
		s.showClones()
		return c, nil
	}
	if !filepath.IsAbs(p.Parent) {
		return nil, workspace.Fail(workspace.CodeInvalid, "give an absolute path", "clone: the parent directory %q is not absolute", p.Parent)
	}
	if len(s.clones) >= maxClones {
		return nil, workspace.Fail(workspace.CodeBusy, "wait for some, or dismiss those that failed", "%d repositories are being cloned already", len(s.clones))
	}
	c := &cloning{url: p.URL, parent: p.Parent, view: workspace.Clone{
		ID: ulid.Make().String(), URL: worktree.ShowURL(p.URL), Parent: p.Parent, Since: s.now(),
	}}
	s.clones = append(s.clones, c)
	s.showClones()
	return c, nil
}

// projectClone clones a repository and saves it. It goes on when its caller leaves. All clients are shown how far it is, and why it failed.
func (d *daemon) projectClone(ctx context.Context, p workspace.ProjectClone) (any, error) {
	var c *cloning
	if err := d.do(ctx, func(s *state) (err error) {
		c, err = s.beginClone(p)
		return err
	}); err != nil {
		return nil, err
	}
	dir, err := worktree.Clone(d.base, c.url, c.parent, func(line string) { d.cloned(c, line) })
	var project workspace.Project
	if err == nil {
		var repo worktree.Repo
		if repo, err = worktree.Open(d.base, dir); err == nil {
			project, err = d.saveProject(d.base, repo)
		}
	}
	_ = d.do(d.base, func(s *state) error { // it fails only when the daemon stops
		if err != nil {
			why := strings.TrimPrefix(workspace.AsError(err).Message, "clone "+c.view.URL+": ") // the row says which
			c.view.Failed = workspace.Clean(why, 1000)
		} else if i, missing := s.clone(c.view.ID); missing == nil {
			s.clones = slices.Delete(s.clones, i, i+1)
		}
		s.showClones()
		return nil
	})
	if err != nil {
		return nil, workspace.AsError(err)
	}
	return project, nil
}

// cloned shows a line of progress, at most every workEvery.
func (d *daemon) cloned(c *cloning, line string) {
	_ = d.do(d.base, func(s *state) error { // it fails only when the daemon stops
		c.view.Line = workspace.Clean(line, 200)
		if now := s.now(); now.Sub(c.shown) >= workEvery {
			c.shown = now
			s.showClones()
		}
		return nil
	})
}

func (d *daemon) cloneDrop(ctx context.Context, p workspace.CloneRef) (any, error) {
	return done{}, d.do(ctx, func(s *state) error {
		i, err := s.clone(p.ID)
		if err != nil {
			return err
		}
		if s.clones[i].view.Failed == "" {
			return workspace.Fail(workspace.CodeBusy, "wait until it is done", "%s is being cloned", s.clones[i].view.URL)
		}
		s.clones = slices.Delete(s.clones, i, i+1)
		s.showClones()
		return nil
	})
}
