package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"moorage/persistence"
	"moorage/workspace"
	"moorage/workspace/engine"
)

// before is the ending of the copy of a file as it was before hooks were installed in it.
const before = ".before-moorage"

func hooksInstallCommand(env Env, install bool) *cobra.Command {
	use, short := "install ENGINE", "Put hooks into the settings of an engine that takes none at its launch: gemini or kimi"
	if !install {
		use, short = "remove ENGINE", "Take them out again"
	}
	return &cobra.Command{
		Use: use, Short: short,
		Long: short + ".\nWhat is there stays. A file that is not understood is left alone; of a changed one the copy from before is kept beside it.",
		Args: usage(cobra.ExactArgs(1)),
		RunE: func(_ *cobra.Command, args []string) error {
			e, ok := engine.New().Named(args[0])
			if !ok {
				return workspace.Fail(workspace.CodeInvalid, "`moorage engines` lists them", "there is no engine %q", args[0])
			}
			path, err := e.ConfigFile(engine.Place{Dir: env.Dir, Env: os.Environ()})
			if err != nil {
				return workspace.Fail(workspace.CodeInvalid, "`moorage hooks allow` is all they need", "%v", err)
			}
			if real, err := filepath.EvalSymlinks(path); err == nil {
				path = real // the link stays one
			}
			if install {
				err = installHooks(e, path)
			} else {
				err = removeHooks(e, path)
			}
			if err != nil {
				return workspace.Fail(workspace.CodeRefused, "nothing was changed", "hooks of %s in %s: %v", e.Name, path, err)
			}
			_, err = fmt.Fprintln(env.Stdout, path)
			return err
		},
	}
}

func installHooks(e engine.Engine, path string) error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	has, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	text, err := e.Install(has, engine.HookSetup{Program: program})
	if err != nil || bytes.Equal(text, has) {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	if clean, err := e.Uninstall(has); err == nil && bytes.Equal(clean, has) { // else the copy is from before already
		if err := persistence.WriteFile(path+before, has); err != nil {
			return err
		}
	}
	return persistence.WriteFile(path, text)
}

// removeHooks puts the file back as it was, if nothing else has changed in it since; else it takes our part out.
func removeHooks(e engine.Engine, path string) error {
	has, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	text, err := e.Uninstall(has)
	if err != nil || bytes.Equal(text, has) {
		return err
	}
	if old, err := os.ReadFile(path + before); err == nil {
		program, _ := os.Executable() // without it, the comparison fails
		if as, err := e.Install(old, engine.HookSetup{Program: program}); err == nil && bytes.Equal(as, has) {
			text = old
		}
	}
	if err := persistence.WriteFile(path, text); err != nil {
		return err
	}
	if err := os.Remove(path + before); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
