package daemon

import (
	"context"
	"strings"
	"time"

	"moorage/ptyhost/wire"
	"moorage/workspace"
	"moorage/workspace/activity"
	"moorage/workspace/engine"
)

const (
	// tailLines is how many of an engine's last lines a record has.
	tailLines = 40
	// bannerLines is how near to the end of the screen the banner of an engine's end stands.
	bannerLines = 6
	// codeUnknown stands in a record for a code that nobody told.
	codeUnknown = -1
	// wordLimit is how long the word of an end that was noticed, from the shell around the engine, is waited for.
	wordLimit = time.Second
)

// gone is an engine's end that was told or noticed.
type gone struct {
	engine      engine.Engine
	pid         int
	code        *int // nil where nobody told it
	banner      bool // its shell prints the code
	approximate bool
	replaced    bool // somebody had its session begun anew: that is no exit
}

// recording looks at what an engine has left on its screen, records its end, and tells its badge.
func (d *daemon) recording(key string, g gone) func(context.Context) {
	return func(ctx context.Context) {
		now := time.Now()
		if g.code == nil {
			select {
			case <-time.After(wordLimit):
			case <-ctx.Done():
				return
			}
		}
		lines := d.lastLines(ctx, key)
		code := codeUnknown
		if g.code != nil {
			code = *g.code
		} else if told, ok := engine.BannerCode(lines[max(len(lines)-bannerLines, 0):]); ok && g.banner {
			code = told
		}
		_ = d.do(ctx, func(s *state) error { // it fails only when the daemon stops
			s.engineGone(key, g, code, now, lines)
			return nil
		})
	}
}

// lastLines is the end of a session's screen as plain text; empty when nobody could look.
func (d *daemon) lastLines(ctx context.Context, key string) []string {
	host := d.link.current()
	if host == nil {
		return nil
	}
	var screen wire.ScreenResult
	err := d.link.call(ctx, host, func(ctx context.Context) (err error) {
		screen, err = host.ReadScreen(ctx, key)
		return err
	})
	if err != nil {
		return nil
	}
	return cleanTail(screen.Lines)
}

// cleanTail is the end of a screen as a record has it.
func cleanTail(screen []string) []string {
	var lines []string
	for _, line := range screen {
		lines = append(lines, workspace.Clean(line, 1000))
	}
	for len(lines) > 0 && strings.TrimSpace(lines[len(lines)-1]) == "" {
		lines = lines[:len(lines)-1]
	}
	return lines[max(len(lines)-tailLines, 0):]
}

// engineGone records the end of an engine in a shell that lives on.
func (s *state) engineGone(key string, g gone, code int, now time.Time, lines []string) {
	h, ok := s.engines[key]
	if !ok || h.state.Alive == workspace.AnswerNo || g.approximate && !h.going {
		return // told already, or it runs again
	}
	signal := ""
	if code > 128 && code < 160 {
		signal = signalName(code - 128)
	}
	if !g.replaced {
		s.recordEngine(key, g, workspace.ExitRecord{Code: code, Signal: signal, Time: now, ParentAlive: true, Tail: lines})
	}
	clean := code == codeUnknown || g.engine.Clean(code, "")
	s.tell(key, activity.Event{Kind: activity.EngineEnded, Time: now, Code: code, Signal: signal, Clean: clean})
	h.going, h.pid, h.banner = false, 0, false
}

// recordEngine keeps an engine's end.
func (s *state) recordEngine(key string, g gone, r workspace.ExitRecord) {
	r.Key, r.Layer, r.Engine, r.PID, r.Approximate = key, workspace.LayerEngine, g.engine.Name, g.pid, g.approximate
	r.Task, r.Tab = s.names(key)
	s.addExit(r)
}

// signalName is the name of a signal of POSIX by its number, "" of any other.
func signalName(n int) string {
	return map[int]string{
		1: "SIGHUP", 2: "SIGINT", 3: "SIGQUIT", 4: "SIGILL", 6: "SIGABRT", 8: "SIGFPE", 9: "SIGKILL", 11: "SIGSEGV", 13: "SIGPIPE", 15: "SIGTERM",
	}[n]
}
