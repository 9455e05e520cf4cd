//go:build unix

package e2e

import (
	"fmt"
	"os"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/ssh"
	"charm.land/wish/v2"
	wishtea "charm.land/wish/v2/bubbletea"
)

// The benchmarks compare with what the usual way costs: wish's middleware and
// a model whose View is a string. The test binary is that server, and the
// program that repaints a pane, when its environment says so.
const (
	wishEnv    = "MOORAGE_E2E_WISH"    // an address to serve
	repaintEnv = "MOORAGE_E2E_REPAINT" // columns and rows
	framesEach = 60                    // a second
)

// role runs the test binary as something else; false when it is to test.
func role() bool {
	var cols, rows int
	if _, err := fmt.Sscan(os.Getenv(repaintEnv), &cols, &rows); err == nil {
		repaint(cols, rows)
		return true
	}
	if addr := os.Getenv(wishEnv); addr != "" {
		if err := serveWish(addr); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
		return true
	}
	return false
}

// appendFrame appends picture n: every cell differs from the same one of the
// last picture, and the colour changes after each eight.
func appendFrame(dst []byte, n, cols, rows int, newline string) []byte {
	for y := range rows {
		if y > 0 {
			dst = append(dst, newline...)
		}
		for x := range cols {
			if x%8 == 0 {
				dst = fmt.Appendf(dst, "\x1b[38;5;%dm", 16+(x/8+3*y+n)%216)
			}
			dst = append(dst, 'a'+byte((x+y+n)%26))
		}
	}
	return append(dst, "\x1b[m"...)
}

// repaint prints one picture after the other, each as a synchronised update.
func repaint(cols, rows int) {
	tick := time.NewTicker(time.Second / framesEach)
	var b []byte
	for n := 0; ; n++ {
		b = append(b[:0], "\x1b[?2026h\x1b[H"...)
		b = appendFrame(b, n, cols, rows, "\r\n")
		b = append(b, "\x1b[?2026l"...)
		if _, err := os.Stdout.Write(b); err != nil {
			return
		}
		<-tick.C
	}
}

func serveWish(addr string) error {
	srv, err := wish.NewServer(
		wish.WithAddress(addr),
		wish.WithHostKeyPath(os.Getenv(wishEnv+"_KEY")),
		wish.WithPublicKeyAuth(func(ssh.Context, ssh.PublicKey) bool { return true }),
		wish.WithMiddleware(wishtea.Middleware(func(s ssh.Session) (tea.Model, []tea.ProgramOption) {
			return picture{idle: s.User() == "idle"}, nil
		})),
	)
	if err != nil {
		return err
	}
	return srv.ListenAndServe()
}

// picture is a model that shows a new picture for each tick.
type picture struct {
	n, cols, rows int
	idle          bool
}

type tickMsg struct{}

func (p picture) Init() tea.Cmd { return p.tick() }

func (p picture) tick() tea.Cmd {
	if p.idle {
		return nil
	}
	return tea.Tick(time.Second/framesEach, func(time.Time) tea.Msg { return tickMsg{} })
}

func (p picture) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		p.cols, p.rows = msg.Width, msg.Height
	case tickMsg:
		p.n++
		return p, p.tick()
	}
	return p, nil
}

func (p picture) View() tea.View {
	v := tea.NewView(string(appendFrame(nil, p.n, p.cols, p.rows, "\n")))
	v.AltScreen = true
	return v
}
