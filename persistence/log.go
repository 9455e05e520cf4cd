package persistence

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"gopkg.in/natefinch/lumberjack.v2"
)

// A log rotates at logMegabytes and keeps logFiles older files beside it.
const (
	logMegabytes = 8
	logFiles     = 3
)

// Log opens <home>/log/<name>.log for appending, mode 0600, rotated by size. It may be written to from several goroutines,
// but by one process only.
func (h Home) Log(name string) (io.WriteCloser, error) {
	dir, err := h.MakeDir("log")
	if err != nil {
		return nil, fmt.Errorf("open log %s: %w", name, err)
	}
	path := filepath.Join(dir, name+".log")
	if err := touchPrivate(path); err != nil {
		return nil, fmt.Errorf("open log %s: %w", name, err)
	}
	return &lumberjack.Logger{Filename: path, MaxSize: logMegabytes, MaxBackups: logFiles}, nil
}

// touchPrivate makes sure that path is a writable file of mode 0600. The rotation copies that mode.
func touchPrivate(path string) error {
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, fileMode)
	if err != nil {
		return err
	}
	defer file.Close()
	return file.Chmod(fileMode)
}
