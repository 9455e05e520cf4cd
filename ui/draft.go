package ui

import (
	"slices"

	"moorage/ui/input"
)

const (
	// maxHistory and maxHistoryBytes bound what is remembered of a task's
	// prompts; the oldest goes, and one that is longer is not remembered.
	maxHistory      = 100
	maxHistoryBytes = 256 << 10
)

// history is the prompts that a client has sent to a task's engines, the
// oldest first.
type history struct {
	prompts []string
	bytes   int
}

// add remembers a prompt, once.
func (h *history) add(prompt string) {
	if len(prompt) > maxHistoryBytes {
		return
	}
	if i := slices.Index(h.prompts, prompt); i >= 0 {
		h.bytes -= len(prompt)
		h.prompts = slices.Delete(h.prompts, i, i+1)
	}
	h.prompts = append(h.prompts, prompt)
	h.bytes += len(prompt)
	for len(h.prompts) > maxHistory || h.bytes > maxHistoryBytes {
		h.bytes -= len(h.prompts[0])
		h.prompts = slices.Delete(h.prompts, 0, 1)
	}
}

// draft is a prompt that is being written.
type draft struct {
	editor
	past int    // how many prompts back in the history the text is from; 0: it is none of them
	own  string // what was written before the history was gone through
}

func newDraft() *draft { return &draft{editor: *newEditor()} }

// setText takes another text, with the cursor at its end.
func (d *draft) setText(text string) {
	d.editor = *newEditor()
	d.insert(text) // it fitted before
}

// recall goes through the history: up from the first line to older prompts,
// down from the last one to newer ones, and back to what was being written. It
// is false when k means none of that.
func (d *draft) recall(k input.Key, h *history) bool {
	if k.Mods != 0 || h == nil {
		return false
	}
	past := d.past
	switch {
	case k.Code == input.Up && d.row == 0:
		past++
	case k.Code == input.Down && d.row == len(d.lines)-1:
		past--
	default:
		return false
	}
	if past < 0 || past > len(h.prompts) {
		return false
	}
	if d.past == 0 {
		d.own = d.String()
	}
	d.past = past
	text := d.own
	if past > 0 {
		text = h.prompts[len(h.prompts)-past]
	}
	d.setText(text)
	return true
}
