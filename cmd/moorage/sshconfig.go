package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"moorage/persistence"
	"moorage/ptyhost/wire"
	"moorage/sshd"
)

// The lines between which a written block stands, so that it can be found and replaced.
const (
	blockBegin = "# moorage begin"
	blockEnd   = "# moorage end"
)

func sshConfigCommand(env Env) *cobra.Command {
	var write bool
	cmd := &cobra.Command{
		Use:   "ssh-config",
		Short: "Print the block for ~/.ssh/config that makes `ssh moorage` work",
		Args:  usage(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error {
			home, err := persistence.OpenHome("")
			if err != nil {
				return err
			}
			keys, err := sshd.EnsureKeys(home)
			if err != nil {
				return err
			}
			block, err := sshBlock(home, keys)
			if err != nil {
				return err
			}
			if !write {
				_, err = fmt.Fprint(env.Stdout, block)
				return err
			}
			path, err := writeBlock(block)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(env.Stdout, "wrote the block to %s: `%s moorage` works now\n", path, sshReading(path))
			return err
		},
	}
	cmd.Flags().BoolVar(&write, "write", false, "add it to ~/.ssh/config, or replace the one there; nothing else is changed")
	return cmd
}

// sentEnv are the variables that help to draw, and how to tell what wants the user.
const sentEnv = "LANG LC_* COLORTERM TERM_PROGRAM TERM_PROGRAM_VERSION NO_COLOR MOORAGE_NOTIFY"

// sshBlock is the Host block of this home with those keys, between its marks.
func sshBlock(home persistence.Home, keys sshd.Keys) (string, error) {
	proxy, err := proxyLine(home)
	if err != nil {
		return "", err
	}
	lines := []string{
		blockBegin,
		"Host moorage",
		"    ProxyCommand " + proxy,
		"    ProxyUseFdpass " + yesNo(fdpass),
		"    HostKeyAlias " + sshd.HostAlias,
		"    UserKnownHostsFile " + sshQuote(keys.KnownHosts),
		"    StrictHostKeyChecking yes",
		"    UpdateHostKeys no",
		"    IdentityFile " + sshQuote(keys.ClientKey),
		"    IdentitiesOnly yes",
		"    ForwardAgent no",
		"    RequestTTY yes",
		// A connection shared with another command would end with it, and a master would outlive the client.
		"    ControlMaster no",
		"    ControlPath none",
		"    LogLevel ERROR",
		"    SendEnv " + sentEnv,
		blockEnd,
	}
	return strings.Join(lines, "\n") + "\n", nil
}

// writeBlock puts the block at the start of ~/.ssh/config, where no earlier `Host *` takes its options, or in the place of the
// one there. A linked file is written where it lies.
func writeBlock(block string) (string, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(home, ".ssh")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	path := filepath.Join(dir, "config")
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	old, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	text, err := withBlock(string(old), block)
	if err != nil {
		return "", fmt.Errorf("write %s: %w", path, err)
	}
	return path, persistence.WriteFile(path, []byte(text))
}

// sshReading is how ssh is called so that it reads that file: by itself it looks below the home directory of the user database, not $HOME (ssh(1),
// FILES).
func sshReading(path string) string {
	home, err := os.UserHomeDir()
	u, dbErr := user.LookupId(strconv.Itoa(os.Getuid()))
	if err != nil || dbErr != nil || wire.SamePath(u.HomeDir, home) {
		return "ssh"
	}
	return "ssh -F " + shellQuote(path)
}

// withBlock is the file's text with the block in it exactly once.
func withBlock(text, block string) (string, error) {
	before, rest, found := strings.Cut(text, blockBegin+"\n")
	if !found {
		if text != "" {
			block += "\n"
		}
		return block + text, nil
	}
	_, after, found := strings.Cut(rest, blockEnd+"\n")
	if !found {
		return "", fmt.Errorf("%q has no %q after it: mend it by hand", blockBegin, blockEnd)
	}
	return before + block + after, nil
}
