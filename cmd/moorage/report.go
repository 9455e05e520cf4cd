package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"moorage/workspace"
	"moorage/workspace/daemonclient"
)

func reportCommand(env Env) *cobra.Command {
	var list, asJSON bool
	cmd := &cobra.Command{
		Use:   "report [ID]",
		Short: "Show what a restore brought back, the latest by default",
		Args:  usage(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return talk(cmd.Context(), func(d *daemonclient.Client) error {
				if list {
					reports, err := d.Reports(cmd.Context())
					if err != nil {
						return err
					}
					if asJSON {
						return printJSON(env.Stdout, reports)
					}
					for _, r := range reports {
						if _, err := fmt.Fprintf(env.Stdout, "%s  %s  ", r.ID, when(r.Started)); err != nil {
							return err
						}
						if err := printTotals(env.Stdout, r); err != nil {
							return err
						}
					}
					return nil
				}
				ref := workspace.ReportRef{Seen: -1}
				if len(args) == 1 {
					ref.ID = args[0]
				}
				report, err := d.Report(cmd.Context(), ref)
				if err != nil {
					return err
				}
				if asJSON {
					return printJSON(env.Stdout, report)
				}
				if _, err := fmt.Fprintf(env.Stdout, "restore of %s\n", when(report.Started)); err != nil {
					return err
				}
				for _, line := range report.Lines {
					if _, err := fmt.Fprintln(env.Stdout, lineText(line, report.DryRun)); err != nil {
						return err
					}
				}
				return printTotals(env.Stdout, report)
			})
		},
	}
	cmd.Flags().BoolVar(&list, "list", false, "list the reports that are kept")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func when(t time.Time) string { return t.Local().Format("2006-01-02 15:04:05") }
