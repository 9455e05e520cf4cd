package persistence

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func mustHome(t *testing.T) Home {
	t.Helper()
	home, err := OpenHome(filepath.Join(t.TempDir(), "home"))
	if err != nil {
		t.Fatal(err)
	}
	return home
}

func wantMode(t *testing.T, path string, want os.FileMode) {
	t.Helper()
	if runtime.GOOS == "windows" {
		return
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if got := info.Mode().Perm(); got != want {
		t.Errorf("mode of %s is %o, want %o", path, got, want)
	}
}

func TestAHomeThatOthersCanEnterIsClosedToThem(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "home")
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenHome(dir); err != nil {
		t.Fatal(err)
	}
	wantMode(t, dir, 0o700)
}

func TestTheEnvironmentNamesTheHome(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "elsewhere")
	t.Setenv(HomeVariable, dir)
	home, err := OpenHome("")
	if err != nil {
		t.Fatal(err)
	}
	if filepath.Base(home.Dir()) != "elsewhere" {
		t.Errorf("home is %s", home.Dir())
	}
}

func TestTwoNamesOfOneFolderAreOneHome(t *testing.T) {
	home := mustHome(t)
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(home.Dir(), link); err != nil {
		t.Skip(err)
	}
	other, err := OpenHome(link)
	if err != nil {
		t.Fatal(err)
	}
	if other != home {
		t.Errorf("%s and %s differ", other.Dir(), home.Dir())
	}
}

func TestAFileInPlaceOfTheHomeIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenHome(path); err == nil {
		t.Error("a file became a home")
	}
}

func TestASocketLivesInTheHomeWhenItsPathFits(t *testing.T) {
	dir, err := os.MkdirTemp("", "m")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	home, err := OpenHome(dir)
	if err != nil {
		t.Fatal(err)
	}
	got, err := home.SocketPath("daemon")
	if err != nil {
		t.Fatal(err)
	}
	if want := home.Path("run", "daemon.sock"); got != want {
		t.Errorf("socket at %s, want %s", got, want)
	}
	wantMode(t, home.Path("run"), 0o700)
}

// longHome is a home whose own socket paths cannot be bound.
func longHome(t *testing.T) Home {
	t.Helper()
	home, err := OpenHome(filepath.Join(t.TempDir(), strings.Repeat("long", 30)))
	if err != nil {
		t.Fatal(err)
	}
	return home
}

func shortDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "r")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

func TestASocketWhosePathIsTooLongMovesToTheRuntimeFolder(t *testing.T) {
	runtimeDir := shortDir(t)
	t.Setenv("XDG_RUNTIME_DIR", runtimeDir)
	home := longHome(t)
	got, err := home.SocketPath("ptyhost")
	if err != nil {
		t.Fatal(err)
	}
	if len(got) > maxSocketPath() || !strings.HasPrefix(got, runtimeDir) {
		t.Errorf("socket at %s", got)
	}
	wantMode(t, filepath.Dir(got), 0o700)
}

func TestProcessesWithOtherEnvironmentsFindTheSameSocket(t *testing.T) {
	t.Setenv("XDG_RUNTIME_DIR", shortDir(t))
	home := longHome(t)
	first, err := home.SocketPath("ssh")
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("XDG_RUNTIME_DIR", shortDir(t))
	second, err := home.SocketPath("ssh")
	if err != nil {
		t.Fatal(err)
	}
	if first != second {
		t.Errorf("%s, then %s", first, second)
	}
}

func TestASocketFolderThatIsGoneIsChosenAnew(t *testing.T) {
	t.Setenv("XDG_RUNTIME_DIR", shortDir(t))
	home := longHome(t)
	first, err := home.SocketPath("ssh")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Dir(first)); err != nil {
		t.Fatal(err)
	}
	second, err := home.SocketPath("ssh")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Dir(second)); err != nil {
		t.Error(err)
	}
}

func TestASocketFolderThatOthersCanEnterIsRefused(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("modes mean nothing here")
	}
	t.Setenv("XDG_RUNTIME_DIR", shortDir(t))
	home := longHome(t)
	first, err := home.SocketPath("ssh")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Dir(first), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := home.SocketPath("ssh"); err == nil {
		t.Error("accepted")
	}
}

func TestALockHasOneHolder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	lock, err := TryLock(path)
	if err != nil {
		t.Fatal(err)
	}
	if got := LockHolder(path); got != os.Getpid() {
		t.Errorf("holder is %d, want %d", got, os.Getpid())
	}
	if _, err := TryLock(path); !errors.Is(err, ErrLocked) {
		t.Errorf("second holder: %v", err)
	}
	if err := lock.Release(); err != nil {
		t.Fatal(err)
	}
	if got := LockHolder(path); got != 0 {
		t.Errorf("after release the holder is %d", got)
	}
	again, err := TryLock(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := again.Release(); err != nil {
		t.Error(err)
	}
}
