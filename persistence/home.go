package persistence

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// HomeVariable is the environment variable that names another home than ~/.moorage.
const HomeVariable = "MOORAGE_HOME"

const (
	dirMode  fs.FileMode = 0o700
	fileMode fs.FileMode = 0o600
)

// ErrForeign says that a path belongs to another user. Nothing is read from it or written to it.
var ErrForeign = errors.New("owned by another user")

// Home is the folder of one moorage. The zero value is not a home; OpenHome makes one.
type Home struct {
	dir  string
	look bool // nothing is made or mended
}

// OpenHome makes the home ready and returns it: created if it is missing, with mode 0700 whatever the umask and whatever
// mode it had. An empty dir means $MOORAGE_HOME, else ~/.moorage. Symbolic links are followed once, here, so that two names
// of one folder are one home. A folder of another user is refused with ErrForeign.
func OpenHome(dir string) (Home, error) {
	abs, err := homeDir(dir)
	if err != nil {
		return Home{}, fmt.Errorf("open home: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(abs), 0o777); err != nil {
		return Home{}, fmt.Errorf("open home: %w", err)
	}
	if err := makePrivateDir(abs); err != nil {
		return Home{}, fmt.Errorf("open home: %w", err)
	}
	real, err := filepath.EvalSymlinks(abs)
	if err != nil {
		return Home{}, fmt.Errorf("open home: %w", err)
	}
	return Home{dir: real}, nil
}

// LookHome is OpenHome for those who only look: it makes nothing and changes no mode, and neither does what is asked of the home
// it returns. Folders and sockets that are not there are then errors that wrap fs.ErrNotExist; so a home that does not exist
// looks like one in which nothing ever ran.
func LookHome(dir string) (Home, error) {
	abs, err := homeDir(dir)
	if err != nil {
		return Home{}, fmt.Errorf("look at home: %w", err)
	}
	real, err := filepath.EvalSymlinks(abs)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		real = abs
	case err != nil:
		return Home{}, fmt.Errorf("look at home: %w", err)
	}
	return Home{dir: real, look: true}, nil
}

// homeDir is the absolute name of the home that dir means.
func homeDir(dir string) (string, error) {
	if dir == "" {
		dir = os.Getenv(HomeVariable)
	}
	if dir == "" {
		user, err := os.UserHomeDir()
		if err != nil {
			return "", err
		}
		dir = filepath.Join(user, ".moorage")
	}
	return filepath.Abs(dir)
}

// Dir is the absolute path of the home, free of symbolic links. It is what processes compare in their hello.
func (h Home) Dir() string { return h.dir }

// Path joins elem to the home. It creates nothing.
func (h Home) Path(elem ...string) string {
	return filepath.Join(append([]string{h.dir}, elem...)...)
}

// MakeDir creates the folder elem under the home, with each folder on the way, as 0700, and returns its path. In a home that is
// only looked at it has to be there.
func (h Home) MakeDir(elem ...string) (string, error) {
	dir := h.dir
	for _, e := range elem {
		dir = filepath.Join(dir, e)
		if h.look {
			if err := checkDir(dir); err != nil {
				return "", err
			}
			continue
		}
		if err := makePrivateDir(dir); err != nil {
			return "", err
		}
	}
	return dir, nil
}

// checkDir makes sure that path is a folder of this user.
func checkDir(path string) error {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("use folder %s: there is a file in its place", path)
	case !ownedByUs(info):
		return fmt.Errorf("use folder %s: %w", path, ErrForeign)
	}
	return nil
}

// makePrivateDir makes sure that path is a folder of this user with mode 0700. Its parent must exist.
func makePrivateDir(path string) error {
	if err := os.Mkdir(path, dirMode); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return fmt.Errorf("make folder %s: there is a file in its place", path)
	}
	if !ownedByUs(info) {
		return fmt.Errorf("use folder %s: %w", path, ErrForeign)
	}
	if info.Mode().Perm() == dirMode {
		return nil
	}
	return os.Chmod(path, dirMode) // the umask had its say in Mkdir; this has the last word
}
