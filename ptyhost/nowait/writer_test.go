package nowait

import (
	"bytes"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"
)

func TestAFullSocketTakesWhatFitsAndNobodyWaits(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("nothing is written without waiting there")
	}
	ln, err := net.Listen("unix", filepath.Join(t.TempDir(), "s"))
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	a, err := net.Dial("unix", ln.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	b, err := ln.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	w := New(a)
	if w == nil {
		t.Fatal("a socket is not written to without waiting")
	}
	want := bytes.Repeat([]byte("0123456789abcdef"), 1<<18)
	n := w.Write(want)
	if n == 0 || n == len(want) {
		t.Fatalf("a full socket took %d of %d bytes", n, len(want))
	}
	if m := w.Write(want[n:]); m != 0 {
		t.Fatalf("a full socket took %d bytes more", m)
	}
	got := make([]byte, n)
	if _, err := io.ReadFull(b, got); err != nil || !bytes.Equal(got, want[:n]) {
		t.Fatalf("what was taken did not arrive: %v", err)
	}
	if m := w.Write([]byte("more")); m != 4 {
		t.Fatalf("an emptied socket took %d bytes of 4", m)
	}
}

func TestWhatCannotBeWrittenWithoutWaitingHasNoWriter(t *testing.T) {
	a, b := net.Pipe()
	defer a.Close()
	defer b.Close()
	if New(a) != nil {
		t.Error("a pipe in memory has one")
	}
	f, err := os.Create(filepath.Join(t.TempDir(), "f"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if w := New(f); w.Write([]byte("x")) != 0 {
		t.Error("a plain file has one")
	}
	var none *Writer
	if none.Write([]byte("x")) != 0 {
		t.Error("no writer took something")
	}
}

func TestAStreamIsTheConnection(t *testing.T) {
	ln, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	nc, err := net.Dial("tcp4", ln.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	a := Conn(nc)
	defer a.Close()
	nc, err = ln.Accept()
	if err != nil {
		t.Fatal(err)
	}
	b := Conn(nc)
	defer b.Close()

	want := bytes.Repeat([]byte("0123456789abcdef"), 1<<18) // more than the sockets hold
	sent := make(chan error, 1)
	go func() {
		_, err := a.Write(want)
		sent <- errors.Join(err, a.Close())
	}()
	got, err := io.ReadAll(b)
	if err != nil || !bytes.Equal(got, want) {
		t.Fatalf("%d of %d bytes came: %v", len(got), len(want), err)
	}
	if err := <-sent; err != nil {
		t.Fatal(err)
	}
	if _, err := a.Read(make([]byte, 1)); !errors.Is(err, net.ErrClosed) {
		t.Errorf("a closed connection reads: %v", err)
	}
	if err := b.SetReadDeadline(time.Unix(1, 0)); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("a deadline that has passed reads: %v", err)
	}
}

func TestACloseEndsAStreamsRead(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	s := NewStream(r)
	if s == nil {
		t.Skip("no streams here")
	}
	ended := make(chan error, 1)
	go func() {
		_, err := s.Read(make([]byte, 1))
		ended <- err
	}()
	time.Sleep(10 * time.Millisecond) // either order must end it
	r.Close()
	if err := <-ended; err == nil || err == io.EOF {
		t.Errorf("ended by %v", err)
	}
}
