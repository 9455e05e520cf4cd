package main

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"time"

	"moorage/ptyhost/proc"
	"moorage/workspace"
)

// openerLimit is how long a desktop's opener may take to say that it cannot open something. Some stay for as long as what they opened.
const openerLimit = 5 * time.Second

// fileOpener opens files by the desktop of this machine. It is nil where there is none, as far as this process was told when it started.
func fileOpener() func(path string) error {
	program := "xdg-open"
	if runtime.GOOS == "darwin" {
		program = "open"
	} else if os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "" {
		return nil
	}
	return func(path string) error {
		exe, err := exec.LookPath(program)
		if err != nil {
			return workspace.Fail(workspace.CodeRefused, "install xdg-utils", "there is a desktop, but no %s on the PATH", program)
		}
		cmd := exec.Command(exe, path)
		proc.Detach(cmd)
		if err := cmd.Start(); err != nil {
			return fmt.Errorf("open: %w", err)
		}
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }() // reaps it; it ends with the opener or with this process
		select {
		case err := <-ended:
			if err != nil {
				return workspace.Fail(workspace.CodeRefused, "Enter opens it in a tab", "%s has nothing for it: %v", program, err)
			}
		case <-time.After(openerLimit):
		}
		return nil
	}
}
