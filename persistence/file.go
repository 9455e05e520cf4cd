package persistence

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

// WriteFile replaces the file at path by data, all or nothing, with mode 0600. A reader sees the old content or the new; after
// a power cut it is one of the two. When WriteFile returns nil the new one is on the disk.
func WriteFile(path string, data []byte) error {
	temp, err := writeTemp(path, data)
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	if err := os.Rename(temp, path); err != nil {
		return fmt.Errorf("write %s: %w", path, errors.Join(err, os.Remove(temp)))
	}
	if err := syncDir(filepath.Dir(path)); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

// writeFirst is WriteFile for a file that must not exist: of several at once one wins and the others get fs.ErrExist.
func writeFirst(path string, data []byte) error {
	temp, err := writeTemp(path, data)
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	defer os.Remove(temp)
	if err := os.Link(temp, path); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return syncDir(filepath.Dir(path))
}

// writeTemp puts data, synced, into a new file beside path and returns its name. On an error nothing is left behind.
func writeTemp(path string, data []byte) (name string, err error) {
	temp, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".tmp-*")
	if err != nil {
		return "", err
	}
	defer func() {
		if err = errors.Join(err, temp.Close()); err != nil {
			err = errors.Join(err, os.Remove(temp.Name()))
		}
	}()
	if err := temp.Chmod(fileMode); err != nil {
		return "", err
	}
	if _, err := temp.Write(data); err != nil {
		return "", err
	}
	return temp.Name(), temp.Sync()
}

// syncDir makes a rename in dir durable. Windows has no such call and does not need one.
func syncDir(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
