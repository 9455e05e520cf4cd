//go:build linux

package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"moorage/workspace"
)

func TestAFileIsOpenedByTheDesktopOrNotAtAll(t *testing.T) {
	t.Setenv("DISPLAY", "")
	t.Setenv("WAYLAND_DISPLAY", "")
	if fileOpener() != nil {
		t.Error("there is an opener without a desktop")
	}
	bin := t.TempDir()
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	t.Setenv("WAYLAND_DISPLAY", "wayland-0")
	opened := filepath.Join(t.TempDir(), "opened")
	shim := func(script string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(bin, "xdg-open"), []byte("#!/bin/sh\n"+script), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	shim(`printf '%s|' "$#" "$1" > ` + opened + `.new; mv ` + opened + `.new ` + opened)
	open := fileOpener()
	const name = "/tmp/$(id) a\n-b'\xff"
	if err := open(name); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		if b, err := os.ReadFile(opened); err == nil {
			if string(b) != "1|"+name+"|" {
				t.Errorf("it was called with %q", b)
			}
			break
		}
		if time.Now().After(end) {
			t.Fatal("nothing was opened")
		}
	}
	shim("exit 3")
	if err := open(name); workspace.CodeOf(err) != workspace.CodeRefused {
		t.Errorf("an opener that fails: %v", err)
	}
}
