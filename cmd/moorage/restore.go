package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"moorage/workspace"
	"moorage/workspace/daemonclient"
)

func restoreCommand(env Env) *cobra.Command {
	var p workspace.Restore
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "restore [TASK]",
		Short: "Start again what a reboot or a lost host took",
		Long: "Starts, a few at a time, every program that its tab's policy wants back, prints a line for each session, and keeps the\n" +
			"report. A program that runs is left alone: twice never makes two. Exits 1 when something did not come back.",
		Args: usage(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return talk(cmd.Context(), func(d *daemonclient.Client) error {
				if len(args) == 1 {
					t, err := findTask(cmd.Context(), d, args[0])
					if err != nil {
						return err
					}
					p.Task = t.ID
				}
				report, err := d.Restore(cmd.Context(), p)
				if err != nil {
					return err
				}
				progress := env.Stdout
				if asJSON {
					progress = io.Discard
				}
				if report, err = follow(cmd.Context(), d, report, progress); err != nil {
					return err
				}
				if asJSON {
					err = printJSON(env.Stdout, report)
				} else {
					err = printTotals(env.Stdout, report)
				}
				if failed := report.Totals()[workspace.OutcomeFailed]; err == nil && failed > 0 {
					return toldError{fmt.Errorf("%s did not come back", workspace.Plural(failed, "session")), exitFailed}
				}
				return err
			})
		},
	}
	cmd.Flags().BoolVar(&p.DryRun, "dry-run", false, "only say what would be done")
	cmd.Flags().BoolVar(&p.All, "all", false, "also what its policy leaves for you")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the report as JSON, when it is complete")
	return cmd
}

// follow prints each line of a report once its outcome is known, until the restore has ended; a line whose outcome changes is printed anew.
func follow(ctx context.Context, d *daemonclient.Client, r workspace.Report, w io.Writer) (workspace.Report, error) {
	printed := make([]workspace.ReportLine, len(r.Lines))
	for {
		for i, line := range r.Lines {
			if line == printed[i] || line.Outcome == workspace.OutcomePending && r.Running() {
				continue
			}
			printed[i] = line
			if _, err := fmt.Fprintln(w, lineText(line, r.DryRun)); err != nil {
				return r, err
			}
		}
		if !r.Running() {
			return r, nil
		}
		var err error
		if r, err = d.Report(ctx, workspace.ReportRef{ID: r.ID, Seen: r.Changes}); err != nil {
			return r, err
		}
	}
}

func lineText(l workspace.ReportLine, dryRun bool) string {
	text := fmt.Sprintf("%-12s %s / %s  (%s)", outcomeText(l.Outcome, dryRun), l.Task, l.Tab, l.Key)
	if l.Reason != "" {
		text += ": " + l.Reason
	}
	return text
}

func outcomeText(o workspace.Outcome, dryRun bool) string {
	switch {
	case o == workspace.OutcomePending && dryRun:
		return "to relaunch"
	case o == workspace.OutcomeReattached && dryRun:
		return "runs"
	case o == workspace.OutcomeUnconfirmed:
		return "resume command run, not confirmed"
	}
	return string(o)
}

func printTotals(w io.Writer, r workspace.Report) error {
	text := workspace.Plural(len(r.Lines), "session")
	totals, sep := r.Totals(), ": "
	for _, o := range workspace.Outcomes {
		if totals[o] > 0 {
			text += fmt.Sprintf("%s%d %s", sep, totals[o], outcomeText(o, r.DryRun))
			sep = ", "
		}
	}
	if r.DryRun {
		text += " (nothing was done)"
	} else {
		text += fmt.Sprintf("\n`moorage report %s` shows this again", r.ID)
	}
	_, err := fmt.Fprintln(w, text)
	return err
}
