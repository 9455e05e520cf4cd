package engine

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"time"
)

const (
	// askLimit bounds how long an engine may take to list its conversations itself: opencode takes two seconds to start.
	askLimit = 10 * time.Second
	// answerSize bounds what it may say.
	answerSize = 1 << 20
)

// opencodeList asks opencode itself, without its plugins: its store is a database of its own. One that has never run is not started. It lists
// by what it calls the title of a conversation; where the rows stand is not known.
func opencodeList(ctx context.Context, e Engine, at Place) ([]Stored, error) {
	program := e.find(at)
	if _, err := os.Stat(filepath.Join(at.dataHome(), "opencode")); program == "" || errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	args := append(e.Command()[1:], "--pure", "session", "list", "--format", "json", "--max-count", strconv.Itoa(maxListed))
	answer, err := ask(ctx, at, program, args...)
	if err != nil || len(bytes.TrimSpace(answer)) == 0 { // it says nothing where it has none
		return nil, err
	}
	var rows []struct {
		ID      string `json:"id"`
		Title   string `json:"title"`
		Dir     string `json:"directory"`
		Updated int64  `json:"updated"` // in milliseconds since 1970
	}
	if err := json.Unmarshal(answer, &rows); err != nil {
		return nil, fmt.Errorf("the answer of %s: %w", program, err)
	}
	var all []Stored
	for _, r := range rows {
		all = append(all, Stored{ID: r.ID, Dir: r.Dir, First: r.Title, Changed: time.UnixMilli(r.Updated)})
	}
	return all, nil
}

// dataHome is where programs keep the user's data (XDG Base Directory Specification).
func (p Place) dataHome() string {
	if dir := p.get("XDG_DATA_HOME"); filepath.IsAbs(dir) {
		return dir
	}
	return filepath.Join(p.get("HOME"), ".local", "share")
}

// ask runs a program in a place and returns what it prints. It is ended after askLimit, and when it prints more than answerSize.
func ask(ctx context.Context, at Place, program string, args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, askLimit)
	defer cancel()
	out := &bounded{over: cancel}
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.WaitDelay = at.Dir, slices.Concat(at.Env, []string{"NO_COLOR=1"}), out, time.Second
	err := cmd.Run()
	switch {
	case out.full:
		return nil, fmt.Errorf("%s prints more than %d bytes", program, answerSize)
	case ctx.Err() != nil:
		return nil, fmt.Errorf("%s: %w", program, ctx.Err())
	case err != nil:
		return nil, fmt.Errorf("%s: %w", program, err)
	}
	return out.taken.Bytes(), nil
}

// bounded takes answerSize bytes, and calls over when there are more.
type bounded struct {
	taken bytes.Buffer // not embedded: it would read past the bound by itself
	over  func()
	full  bool
}

func (b *bounded) Write(p []byte) (int, error) {
	if b.taken.Len()+len(p) > answerSize {
		b.full = true
		b.over()
		return 0, errors.New("too much")
	}
	return b.taken.Write(p)
}
