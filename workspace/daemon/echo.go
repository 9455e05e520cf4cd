package daemon

import (
	"context"
	"strings"
	"time"
	"unicode"

	"moorage/workspace"
)

// echoLimit is how long an engine may take to show what was pasted; it is submitted then all the same.
const echoLimit = time.Second

// screen is what a session shows; unreadable where nobody could look.
func (d *daemon) screen(ctx context.Context, host Host, key string) (text string, readable bool) {
	err := d.link.call(ctx, host, func(ctx context.Context) error {
		r, err := host.ReadScreen(ctx, key)
		text = strings.Join(r.Lines, "\n")
		return err
	})
	return text, err == nil
}

// awaitEcho looks, for echoLimit, whether an engine shows what was pasted into it. before is its screen from before.
func (d *daemon) awaitEcho(ctx context.Context, host Host, key, before, prompt string) workspace.Answer {
	ctx, cancel := context.WithTimeout(ctx, echoLimit)
	defer cancel()
	for {
		after, readable := d.screen(ctx, host, key)
		switch {
		case readable && echoes(before, after, prompt):
			return workspace.AnswerYes
		case !readable && ctx.Err() == nil:
			return workspace.AnswerUnknown
		}
		select {
		case <-time.After(readyEvery):
		case <-ctx.Done():
			return workspace.AnswerNo
		}
	}
}

// sampleRunes is how much of a prompt's end is looked for: the beginning of a long one has scrolled away.
const sampleRunes = 24

// echoes reports whether a screen shows the end of a prompt's last line more often than the one before, or a paste that is folded, as engines
// do with long ones.
func echoes(before, after, prompt string) bool {
	prompt = strings.TrimRightFunc(prompt, unicode.IsSpace)
	text := []rune(squeeze(prompt[strings.LastIndexByte(prompt, '\n')+1:]))
	sample := string(text[max(len(text)-sampleRunes, 0):])
	more := func(what string) bool {
		return what != "" && strings.Count(squeeze(after), what) > strings.Count(squeeze(before), what)
	}
	return more(sample) || more("[Paste")
}

// squeeze takes out of a text what may be broken into it where it is shown: space, and the lines of boxes.
func squeeze(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || r >= 0x2500 && r <= 0x259f {
			return -1
		}
		return r
	}, text)
}
