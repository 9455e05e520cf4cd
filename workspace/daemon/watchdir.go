package daemon

import (
	"context"
	"io/fs"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"

	"moorage/workspace/worktree"
)

const (
	// maxWatched bounds the folders that are watched below one directory.
	maxWatched = 2000
	// quietFor is how long a directory has to be quiet before it counts as changed once.
	quietFor = 250 * time.Millisecond
	// watchLinger is how long a directory is watched after the last who asked.
	watchLinger = 30 * time.Second
)

// watches tells when directories change, as long as somebody asks.
type watches struct {
	mu   sync.Mutex
	dirs map[string]*watched
}

// watched is a directory under watch.
type watched struct {
	ready chan struct{} // closed once it is watched

	mu      sync.Mutex
	version uint64
	changed chan struct{} // closed, and made anew, with each version
	still   bool          // it cannot be watched
	asked   time.Time
}

// ask returns the watch of a directory. It begins with the first who asks and ends a while after the last.
func (w *watches) ask(d *daemon, dir string) *watched {
	w.mu.Lock()
	if w.dirs == nil {
		w.dirs = make(map[string]*watched)
	}
	x := w.dirs[dir]
	if x == nil {
		x = &watched{version: 1, changed: make(chan struct{}), ready: make(chan struct{})}
		w.dirs[dir] = x
		d.background(func(ctx context.Context) {
			x.run(ctx, dir)
			w.mu.Lock()
			delete(w.dirs, dir)
			w.mu.Unlock()
		})
	}
	w.mu.Unlock()
	x.mu.Lock()
	x.asked = time.Now()
	x.mu.Unlock()
	<-x.ready // what changes from here on is noticed
	return x
}

func (x *watched) now() (version uint64, changed chan struct{}, still bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.version, x.changed, x.still
}

func (x *watched) bump() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.version++
	close(x.changed)
	x.changed = make(chan struct{})
}

// run watches until nobody has asked for watchLinger.
func (x *watched) run(ctx context.Context, dir string) {
	fsw, err := fsnotify.NewWatcher()
	if err == nil {
		defer fsw.Close()
		// Of a repository all is watched: what differs is told of all of it. A commit changes nothing but what git keeps, which may lie elsewhere.
		if top, gitDir, notGit := worktree.Places(ctx, dir); notGit != nil {
			err = watchBelow(fsw, dir)
		} else if err = watchBelow(fsw, top); err == nil {
			err = fsw.Add(gitDir)
		}
	}
	x.mu.Lock()
	x.still = err != nil
	x.mu.Unlock()
	close(x.ready)
	var events chan fsnotify.Event
	if fsw != nil {
		events = fsw.Events
	}
	quiet := time.NewTimer(0)
	<-quiet.C
	idle := time.NewTicker(watchLinger / 2)
	defer idle.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case ev, ok := <-events:
			if !ok {
				events = nil
				continue
			}
			if strings.HasSuffix(ev.Name, ".lock") {
				continue // git at work: what it was for comes next
			}
			if ev.Has(fsnotify.Create) {
				_ = watchBelow(fsw, ev.Name) // a file, or gone again
			}
			quiet.Reset(quietFor)
		case <-quiet.C:
			x.bump()
		case <-idle.C:
			x.mu.Lock()
			over := time.Since(x.asked) > watchLinger
			x.mu.Unlock()
			if over {
				return
			}
		}
	}
}

// watchBelow watches a directory and the folders in it; of git's own only the top, where HEAD and the index are.
func watchBelow(fsw *fsnotify.Watcher, dir string) error {
	return filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			if path == dir {
				return err
			}
			return nil
		case !e.IsDir():
			return nil
		case len(fsw.WatchList()) >= maxWatched:
			return errTooMany
		}
		if err := fsw.Add(path); err != nil {
			return err
		}
		if e.Name() == ".git" || e.Name() == "node_modules" {
			return fs.SkipDir
		}
		return nil
	})
}
