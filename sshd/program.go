package sshd

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"

	"moorage/ui"

	tea "charm.land/bubbletea/v2"
)

// program is a connection's model and the loop that runs it. Bubble Tea's loop
// brings what commands answer; what comes from the client's terminal, from the
// screens and the daemon is taken on the goroutine that has it. A key or a
// frame would else be handed from goroutine to goroutine, which costs several
// times what becomes of it.
//
// The model is under a lock in place of a goroutine of its own; whoever holds
// it neither waits nor blocks, as the model never does.
type program struct {
	tea   *tea.Program
	ready chan struct{} // closed when the model may be told something

	mu    sync.Mutex
	model *ui.Model
	ended bool
}

func newProgram(m *ui.Model, opts ...tea.ProgramOption) *program {
	p := &program{model: m, ready: make(chan struct{})}
	p.tea = tea.NewProgram(looped{p}, opts...)
	return p
}

// run runs the program to its end. It blocks.
func (p *program) run() error {
	_, err := p.tea.Run()
	p.mu.Lock()
	p.ended = true
	p.mu.Unlock()
	return err
}

// take tells the model something, at once. A panic of the model becomes an
// error.
func (p *program) take(msg tea.Msg) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	if cmd := p.update(msg); cmd != nil {
		p.tea.Send(tea.BatchMsg{cmd})
	}
	return nil
}

func (p *program) update(msg tea.Msg) tea.Cmd {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended {
		return nil
	}
	_, cmd := p.model.Update(msg)
	p.model.View() // draws
	return cmd
}

// started waits until the model may be told something. It is false when ctx
// ended.
func (p *program) started(ctx context.Context) bool {
	select {
	case <-p.ready:
		return true
	case <-ctx.Done():
		return false
	}
}

// looped is the program as Bubble Tea's loop has it.
type looped struct{ p *program }

func (l looped) Init() tea.Cmd {
	defer close(l.p.ready)
	l.p.mu.Lock()
	defer l.p.mu.Unlock()
	cmd := l.p.model.Init()
	l.p.model.View() // draws
	return cmd
}

func (l looped) Update(msg tea.Msg) (tea.Model, tea.Cmd) { return l, l.p.update(msg) }

// View has nothing for a loop without a renderer.
func (l looped) View() tea.View { return tea.View{} }
