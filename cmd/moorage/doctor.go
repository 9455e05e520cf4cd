package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"moorage/persistence"
	"moorage/ptyhost/hostclient"
	"moorage/ptyhost/wire"
	"moorage/workspace"
)

// verdict is what a check of the doctor's comes to. Unknown means that nobody could look; it is neither of the others.
type verdict string

const (
	fine    verdict = "ok"
	odd     verdict = "warn"
	broken  verdict = "fail"
	unknown verdict = "unknown"
)

// finding is one thing that was looked at.
type finding struct {
	Check string  `json:"check"`
	State verdict `json:"state"`
	Text  string  `json:"text"`
	Next  string  `json:"next,omitempty"` // what to run or do about it; never empty when State is not ok
}

// examined is a home with what its processes say of themselves.
type examined struct {
	home                  persistence.Home
	sshd, daemon, ptyhost processStatus
	host                  wire.HostStatus // when ptyhost is up
	sessions              []wire.Session
	sessionsErr           error // why the sessions are not known; nil also when no host runs
}

func doctorCommand(env Env) *cobra.Command {
	var report string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Look for what is wrong, and say what to do about it",
		Long: "Looks only: it starts nothing, makes nothing and mends nothing. Exits 1 when something failed.\n" +
			"--report writes the same for a bug report: no screens, no keys, no command lines, and of the environment only how the\n" +
			"terminal and the locale are named.",
		Args: usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			home, err := persistence.LookHome("")
			if err != nil {
				return err
			}
			return consult(cmd.Context(), env, home, report, asJSON)
		},
	}
	cmd.Flags().StringVar(&report, "report", "", "write it to this `file`, for a bug report")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func consult(ctx context.Context, env Env, home persistence.Home, report string, asJSON bool) error {
	findings := examine(ctx, home)
	if report != "" {
		path := absolute(env, report)
		text := fmt.Sprintf("%s\n%s", time.Now().UTC().Format(time.RFC3339), findingsText(home, findings))
		if err := persistence.WriteFile(path, []byte(anonymous(text))); err != nil {
			return err
		}
	}
	var err error
	switch {
	case asJSON:
		err = printJSON(env.Stdout, map[string]any{"home": home.Dir(), "build": buildName(), "checks": findings})
	case report != "":
		_, err = fmt.Fprintf(env.Stdout, "wrote %s\n", report)
	default:
		_, err = fmt.Fprint(env.Stdout, findingsText(home, findings))
	}
	if err != nil {
		return err
	}
	for _, f := range findings {
		if f.State == broken {
			return toldError{errors.New("something is wrong"), exitFailed}
		}
	}
	return nil
}

// examine runs every check. It takes as long as the slowest process takes to answer, or not to.
func examine(ctx context.Context, home persistence.Home) []finding {
	e := gather(ctx, home)
	var findings []finding
	for _, check := range []func(context.Context, examined) []finding{
		checkHome, checkSettings, checkProcesses, checkSockets, checkStores, checkThaw, checkOrphans,
		checkLinger, checkTerminal, checkSSH, checkDisk,
	} {
		findings = append(findings, check(ctx, e)...)
	}
	return findings
}

func gather(ctx context.Context, home persistence.Home) examined {
	e := examined{home: home, sshd: lookSSHD(ctx, home), daemon: lookDaemon(ctx, home), ptyhost: lookHost(ctx, home)}
	switch e.ptyhost.State {
	case processOff:
		return e
	case processSilent:
		e.sessionsErr = errors.New("the PTY host does not answer")
		return e
	}
	h, err := hostclient.Dial(ctx, home, buildName(), role)
	if err != nil {
		e.sessionsErr = err
		return e
	}
	defer h.Close()
	ctx, cancel := context.WithTimeout(ctx, answerLimit)
	defer cancel()
	if e.host, e.sessionsErr = h.Status(ctx); e.sessionsErr == nil {
		e.sessions, e.sessionsErr = h.List(ctx)
	}
	return e
}

// findingsText is the whole for people.
func findingsText(home persistence.Home, findings []finding) string {
	var b strings.Builder
	fmt.Fprintf(&b, "moorage %s on %s/%s, home %s\n", buildName(), runtime.GOOS, runtime.GOARCH, home.Dir())
	seen := make(map[verdict]int)
	for _, f := range findings {
		seen[f.State]++
		fmt.Fprintf(&b, "%-8s %-9s %s\n", f.State, f.Check, f.Text)
		if f.Next != "" {
			fmt.Fprintf(&b, "%-18s Next: %s\n", "", f.Next)
		}
	}
	fmt.Fprintf(&b, "%d ok, %s, %d failed, %d unknown\n", seen[fine], workspace.Plural(seen[odd], "warning"), seen[broken], seen[unknown])
	return b.String()
}

// anonymous takes the name of the user's home directory out of a text.
func anonymous(text string) string {
	user, err := os.UserHomeDir()
	if err != nil || len(user) < 2 {
		return text
	}
	return strings.ReplaceAll(text, user, "~")
}
