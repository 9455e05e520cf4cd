package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"moorage/persistence"
	"moorage/workspace"
)

func installServiceCommand(env Env) *cobra.Command {
	var uninstall, dryRun bool
	cmd := &cobra.Command{
		Use:   "install-service",
		Short: "Write systemd user units for the SSH front and the PTY host",
		Long: "Two units, so that a restart or an upgrade of the front never ends a session. Writes them below ~/.config/systemd/user,\n" +
			"says what to run next, and runs none of it.",
		Args: usage(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error {
			open := persistence.LookHome
			if !uninstall && !dryRun {
				open = persistence.OpenHome
			}
			home, err := open("")
			if err != nil {
				return err
			}
			u, err := unitsOf(home)
			if err != nil {
				return err
			}
			if strings.ContainsAny(u.exe+home.Dir(), "\n\r") {
				return workspace.Fail(workspace.CodeInvalid, "give it another name", "a unit cannot name a path with a line break in it")
			}
			switch {
			case uninstall:
				return u.uninstall(env.Stdout, dryRun)
			case dryRun:
				return u.show(env.Stdout)
			}
			return u.install(env.Stdout, "/")
		},
	}
	cmd.Flags().BoolVar(&uninstall, "uninstall", false, "remove the units again")
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "print what would be written or removed")
	return cmd
}

// files are the units' texts by path.
func (u units) files() []unitFile {
	return []unitFile{{filepath.Join(u.dir, u.frontName()), u.front()}, {filepath.Join(u.dir, u.hostName()), u.host()}}
}

type unitFile struct{ path, text string }

func (u units) show(w io.Writer) error {
	for i, f := range u.files() {
		if i > 0 {
			fmt.Fprintln(w)
		}
		if _, err := fmt.Fprintf(w, "# %s\n%s", f.path, f.text); err != nil {
			return err
		}
	}
	return nil
}

// install writes the units. root is where systemd shows that it runs.
func (u units) install(w io.Writer, root string) error {
	if !systemdRuns(root) {
		return workspace.Fail(workspace.CodeNotFound,
			"have what starts your programs at login run `moorage serve`, or let `moorage` start it when it is needed, as it does",
			"systemd does not run here: nothing was written (--dry-run shows the units)")
	}
	for _, f := range u.files() {
		if err := ours(f.path); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(u.dir, 0o755); err != nil {
		return err
	}
	for _, f := range u.files() {
		if err := persistence.WriteFile(f.path, []byte(f.text)); err != nil {
			return err
		}
		fmt.Fprintf(w, "wrote %s\n", f.path)
	}
	fmt.Fprint(w, "Next:\n")
	if lockHolder(u.home, "ssh") != 0 {
		fmt.Fprint(w, "  moorage stop     # the front that runs; sessions go on\n")
	}
	fmt.Fprintf(w, "  systemctl --user daemon-reload\n  systemctl --user enable --now %s\n", u.frontName())
	fmt.Fprintf(w, "After an upgrade: systemctl --user restart %s. The host runs in %s, which is started when it is needed:\n"+
		"to stop that one ends its sessions.\n", u.frontName(), u.hostName())
	name := ""
	if me, err := user.Current(); err == nil {
		name = me.Username
	}
	if f := lingerFinding(name, true, missing(filepath.Join(root, "var/lib/systemd/linger", name)), onPath("loginctl")); f.State != fine {
		fmt.Fprintf(w, "%s\n  %s\n", f.Text, f.Next)
	}
	return nil
}

// uninstall removes the units, with the link by which the front's is enabled.
func (u units) uninstall(w io.Writer, dryRun bool) error {
	for _, f := range u.files() {
		if err := ours(f.path); err != nil {
			return err
		}
	}
	removed := false
	link := filepath.Join(u.dir, "default.target.wants", u.frontName())
	for _, path := range []string{link, u.files()[0].path, u.files()[1].path} {
		if missing(path) {
			continue
		}
		removed = true
		if dryRun {
			fmt.Fprintf(w, "would remove %s\n", path)
			continue
		}
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		fmt.Fprintf(w, "removed %s\n", path)
	}
	if !removed {
		_, err := fmt.Fprintln(w, "no units of this home are installed")
		return err
	}
	if dryRun {
		return nil
	}
	_, err := fmt.Fprint(w, "Next:\n  systemctl --user daemon-reload\nWhat runs goes on; `moorage stop` ends the front and the daemon.\n")
	return err
}

// ours makes sure that a unit of that name is missing, or one that moorage wrote.
func ours(path string) error {
	text, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !strings.HasPrefix(string(text), unitMark):
		return workspace.Fail(workspace.CodeConflict, "mv "+shellQuote(path)+" "+shellQuote(path+".mine"), "%s is not moorage's: it was left as it is", path)
	}
	return nil
}
