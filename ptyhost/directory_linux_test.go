package ptyhost

import (
	"testing"

	"moorage/ptyhost/freeze"
	"moorage/ptyhost/wire"
)

func TestACdWithoutAWordIsToldAndOutlivesTheHost(t *testing.T) {
	h := newChildHost(t)
	const key = "t/tab-1/pane-1"
	moved := make(chan string, 64)
	if _, err := h.Subscribe(t.Context(), func(ev wire.SessionEvent) {
		if ev.Kind == wire.SessionChanged {
			select {
			case moved <- ev.Session.CWD:
			default:
			}
		}
	}); err != nil {
		t.Fatal(err)
	}
	if _, err := h.Open(t.Context(), wire.OpenRequest{Key: key, Dir: "/", Cols: 80, Rows: 24, Policy: "if-lost"}); err != nil {
		t.Fatal(err)
	}
	if err := h.SendInput(t.Context(), key, []byte("cd /usr\r")); err != nil {
		t.Fatal(err)
	}
	for dir := range moved {
		if dir == "/usr" {
			break
		}
	}
	h.kept(key, func(r freeze.Record, _ string) bool { return r.CWD == "/usr" })
	h.kill()
	h.start()
	if s := h.session(key); s.CWD != "/usr" {
		t.Errorf("restored %+v", s)
	}
}
