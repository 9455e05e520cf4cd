package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"moorage/workspace/settings"
)

// maxNamed is how many of a kind are named before it is only said that there are more.
const maxNamed = 5

// checkHome looks at modes and owners below the home: folders 0700, files and sockets 0600, public keys and the user's own settings excepted.
func checkHome(_ context.Context, e examined) []finding {
	dir := e.home.Dir()
	if missing(dir) {
		return []finding{{"home", fine, dir + " does not exist yet: the first start makes it", ""}}
	}
	info, err := os.Stat(dir)
	if err != nil {
		return []finding{{"home", unknown, fmt.Sprintf("%s cannot be looked at: %v", dir, err), "ls -ld " + shellQuote(dir)}}
	}
	if !info.IsDir() {
		return []finding{{"home", broken, dir + " is not a folder", "mv " + shellQuote(dir) + " " + shellQuote(dir+".old")}}
	}
	var open, foreign []string
	_ = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			foreign = append(foreign, path) // a folder that its owner cannot read is not ours
			return nil
		}
		if path == e.home.Path("worktrees") {
			return fs.SkipDir // the user's own files, as git makes them
		}
		info, err := entry.Info()
		if err != nil {
			return nil //nolint:nilerr // it is gone again
		}
		if !ownFile(info) {
			foreign = append(foreign, path)
		}
		public := strings.HasSuffix(path, ".pub") || path == e.home.Path(settings.File) || info.Mode()&fs.ModeSymlink != 0
		if runtime.GOOS != "windows" && !public && info.Mode().Perm()&0o077 != 0 {
			open = append(open, path)
		}
		return nil
	})
	var found []finding
	if len(foreign) > 0 {
		found = append(found, finding{"home", broken, "not this user's: " + some5(foreign), "chown -R \"$(id -u)\" " + shellQuote(dir)})
	}
	switch {
	case len(open) > 0 && open[0] == dir:
		found = append(found, finding{"home", broken, "others can enter " + dir, "chmod -R go= " + shellQuote(dir)})
	case len(open) > 0:
		found = append(found, finding{"home", odd, "nothing but the home's own mode keeps others from " + some5(open), "chmod -R go= " + shellQuote(dir)})
	}
	if len(found) == 0 {
		found = append(found, finding{"home", fine, dir + " and all in it is this user's alone", ""})
	}
	return found
}

// some5 lists the first few.
func some5(names []string) string {
	if len(names) > maxNamed {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:maxNamed], ", "), len(names)-maxNamed)
	}
	return strings.Join(names, ", ")
}

func checkSettings(_ context.Context, e examined) []finding {
	path := e.home.Path(settings.File)
	_, mistakes := loadSettings(e.home)
	var found []finding
	for _, mistake := range mistakes {
		found = append(found, finding{"settings", broken, mistake + ": the default holds", "${EDITOR:-vi} " + shellQuote(path)})
	}
	switch {
	case len(found) > 0:
		return found
	case missing(path):
		return []finding{{"settings", fine, "the defaults: there is no " + settings.File, ""}}
	}
	return []finding{{"settings", fine, path + " can be read", ""}}
}

// The room on the home's disk below which the doctor speaks.
const (
	scarceBytes = 256 << 20
	fullBytes   = 16 << 20
)

func checkDisk(_ context.Context, e examined) []finding {
	dir := e.home.Dir()
	for missing(dir) && dir != filepath.Dir(dir) {
		dir = filepath.Dir(dir)
	}
	if readOnly(dir) {
		return []finding{{"disk", broken, dir + " is on a file system that is read-only: nothing new can be kept", "findmnt -T " + shellQuote(dir)}}
	}
	free, err := freeBytes(dir)
	if err != nil {
		return []finding{{"disk", unknown, fmt.Sprintf("the room on it cannot be seen: %v", err), "df -h " + shellQuote(dir)}}
	}
	text := bytesText(free) + " free for " + dir
	switch {
	case free < fullBytes:
		return []finding{{"disk", broken, text + ": screens can hardly be kept", "df -h " + shellQuote(dir)}}
	case free < scarceBytes:
		return []finding{{"disk", odd, text, "df -h " + shellQuote(dir)}}
	}
	return []finding{{"disk", fine, text, ""}}
}
