package nowait

import (
	"bytes"
	"io"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"testing"
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
