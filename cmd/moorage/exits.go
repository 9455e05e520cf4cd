package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"moorage/workspace"
	"moorage/workspace/daemonclient"
)

func exitsCommand(env Env) *cobra.Command {
	var asJSON bool
	var lines int
	cmd := &cobra.Command{
		Use:   "exits",
		Short: "Show which programs ended that nobody had ended, the newest first",
		Long: "A session's own program is here when it ended with an error or by a signal, an engine in a shell whenever it ended.\n" +
			"What was closed, deleted or reset is not.",
		Args: usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return talk(cmd.Context(), func(d *daemonclient.Client) error {
				records, err := d.Exits(cmd.Context())
				if err != nil {
					return err
				}
				if asJSON {
					return printJSON(env.Stdout, records)
				}
				for _, r := range records {
					if err := printExit(env.Stdout, r, lines); err != nil {
						return err
					}
				}
				return nil
			})
		},
	}
	cmd.Flags().IntVar(&lines, "lines", 3, "how many of its last lines to print, at most 40")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON, with all lines")
	return cmd
}

func printExit(w io.Writer, r workspace.ExitRecord, lines int) error {
	what := string(r.Layer)
	if r.Engine != "" {
		what += " " + r.Engine
	}
	about := ""
	if r.Approximate {
		about = "about "
	}
	if _, err := fmt.Fprintf(w, "%s%s  %s  %s  pid %d  %s / %s  (%s)\n", about, when(r.Time), what, r.How(), r.PID, r.Task, r.Tab, r.Key); err != nil {
		return err
	}
	for _, line := range r.Tail[max(len(r.Tail)-max(lines, 0), 0):] {
		if _, err := fmt.Fprintln(w, "    "+line); err != nil {
			return err
		}
	}
	return nil
}
