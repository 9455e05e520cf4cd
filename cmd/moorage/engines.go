package main

import (
	"context"
	"fmt"
	"maps"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"moorage/persistence"
	"moorage/workspace"
	"moorage/workspace/engine"
	"moorage/workspace/settings"
)

// engines are the AI command lines that the settings and moorage itself know.
func engines(s settings.Settings) engine.Registry {
	var custom []engine.Custom
	for _, name := range slices.Sorted(maps.Keys(s.Engines)) {
		custom = append(custom, engine.Custom{Name: name, Command: s.Engines[name].Command, Like: s.Engines[name].Like})
	}
	return engine.New(custom...)
}

// foundEngine is what `moorage engines` tells of one.
type foundEngine struct {
	Name    string         `json:"name"`
	Title   string         `json:"title"`
	Command []string       `json:"command"`
	Path    string         `json:"path,omitempty"` // empty: it is not in PATH
	Version string         `json:"version,omitempty"`
	Hooks   engine.HookWay `json:"hooks,omitempty"`
	Pins    bool           `json:"pins"` // it takes the id of a new conversation
}

// versionLimit bounds asking a program for its version.
const versionLimit = 5 * time.Second

func enginesCommand(env Env) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "engines",
		Short: "Show which AI command lines are known, and which of them are here",
		Args:  usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			home, err := persistence.OpenHome("")
			if err != nil {
				return err
			}
			s, mistakes := loadSettings(home)
			env.warnOf(home, mistakes)
			list := findEngines(cmd.Context(), engines(s))
			if asJSON {
				return printJSON(env.Stdout, list)
			}
			w := tabwriter.NewWriter(env.Stdout, 0, 0, 2, ' ', 0)
			for _, e := range list {
				where := e.Path
				if where == "" {
					where = "not in PATH"
				}
				fmt.Fprintf(w, "%s\t%s\t%s\thooks: %s\n", e.Name, e.Version, where, orNone(string(e.Hooks)))
			}
			return w.Flush()
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func orNone(text string) string {
	if text == "" {
		return "none"
	}
	return text
}

// findEngines looks for each engine in PATH and asks it for its version, all at once.
func findEngines(ctx context.Context, r engine.Registry) []foundEngine {
	all := r.All()
	list := make([]foundEngine, len(all))
	var wg sync.WaitGroup
	for i, e := range all {
		list[i] = foundEngine{Name: e.Name, Title: e.Title, Command: e.Command(), Hooks: e.Hooks, Pins: e.Pins()}
		path, err := exec.LookPath(e.Command()[0])
		if err != nil {
			continue
		}
		list[i].Path = path
		wg.Go(func() {
			ctx, cancel := context.WithTimeout(ctx, versionLimit)
			defer cancel()
			cmd := exec.CommandContext(ctx, path, "--version")
			cmd.WaitDelay = time.Second
			out, err := cmd.Output()
			line, _, _ := strings.Cut(string(out), "\n")
			if err == nil {
				list[i].Version = workspace.Clean(line, 80)
			}
		})
	}
	wg.Wait()
	return list
}
