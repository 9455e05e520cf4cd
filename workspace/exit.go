package workspace

import (
	"time"

	"moorage/ptyhost/wire"
)

// Layer says whose end an exit record is about.
type Layer string

// The layers.
const (
	LayerPTY    Layer = "pty"    // a session's own program
	LayerEngine Layer = "engine" // an engine within a shell that lives on
)

// ExitRecord is one end that nobody asked for. Of the pty layer only ends with an error or by a signal are kept, of the engine layer all.
type ExitRecord struct {
	Key         string    `json:"key"`
	Task        string    `json:"task,omitempty"` // the task's title
	Tab         string    `json:"tab,omitempty"`  // the tab's label
	Layer       Layer     `json:"layer"`
	Engine      string    `json:"engine,omitempty"`
	Code        int       `json:"code"`
	Signal      string    `json:"signal,omitempty"`
	Time        time.Time `json:"time"`
	Approximate bool      `json:"approximate,omitempty"` // the time is when it was noticed
	Lost        bool      `json:"lost,omitempty"`        // with the PTY host; nobody knows the code then
	PID         int       `json:"pid,omitempty"`
	ParentAlive bool      `json:"parent_alive,omitempty"` // the shell around an engine
	Tail        []string  `json:"tail,omitempty"`         // the last lines of output, plain text
}

// How says the end in words: the signal, the code, or that it came with the host's.
func (r ExitRecord) How() string {
	if r.Lost {
		return "ended with the PTY host"
	}
	if r.Code < 0 {
		return "code unknown"
	}
	return wire.Exit{Code: r.Code, Signal: r.Signal}.How()
}

// MaxExits is how many exit records are kept.
const MaxExits = 50
