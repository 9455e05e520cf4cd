package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"moorage/persistence"
	"moorage/ptyhost/wire"
	"moorage/workspace"
	"moorage/workspace/daemonclient"
)

// answerLimit is how long a process may take to say how it is.
const answerLimit = 5 * time.Second

// processState says how one of the three processes is.
type processState string

const (
	processUp     processState = "up"
	processOff    processState = "off"    // nobody listens
	processSilent processState = "silent" // somebody is there and does not answer as he should
)

// processStatus is one process as `status` shows it.
type processStatus struct {
	State   processState `json:"state"`
	PID     int          `json:"pid,omitempty"`
	Build   string       `json:"build,omitempty"`
	Started *time.Time   `json:"started,omitempty"`
	Error   string       `json:"error,omitempty"`
	Next    string       `json:"next,omitempty"` // what to do about the error, where that is known

	Clients  *int `json:"clients,omitempty"`    // terminals attached to sshd
	Taken    int  `json:"port_taken,omitempty"` // the port that sshd could not have
	Tasks    *int `json:"tasks,omitempty"`      // of the daemon
	Live     *int `json:"live,omitempty"`       // sessions of the host
	Sessions *int `json:"sessions,omitempty"`   // with those that ended
}

// statusReport is what `status --json` prints.
type statusReport struct {
	Home    string        `json:"home"`
	Build   string        `json:"build"`
	SSHD    processStatus `json:"sshd"`
	Daemon  processStatus `json:"daemon"`
	PTYHost processStatus `json:"ptyhost"`
	// Mistakes are those of the settings, one line each.
	Mistakes []string `json:"settings_mistakes,omitempty"`
}

func statusCommand(env Env) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Show which of the three processes run",
		Long:  "Looks only: it starts nothing.",
		Args:  usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			home, err := persistence.LookHome("")
			if err != nil {
				return err
			}
			report := look(cmd.Context(), home)
			if asJSON {
				return printJSON(env.Stdout, report)
			}
			return report.print(env.Stdout)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// look asks each process about itself.
func look(ctx context.Context, home persistence.Home) statusReport {
	_, mistakes := loadSettings(home)
	return statusReport{
		Home: home.Dir(), Build: buildName(), Mistakes: mistakes,
		SSHD: lookSSHD(ctx, home), Daemon: lookDaemon(ctx, home), PTYHost: lookHost(ctx, home),
	}
}

func lookSSHD(ctx context.Context, home persistence.Home) processStatus {
	socket, err := home.SocketPath("ssh")
	if err != nil {
		return absent(home, "ssh", err)
	}
	nc, err := dialUnix(ctx, socket)
	if err != nil {
		return absent(home, "ssh", err)
	}
	defer nc.Close()
	greeting, err := greeted(nc)
	if err != nil {
		return absent(home, "ssh", err)
	}
	s := processStatus{State: processUp, PID: persistence.LockHolder(socket + ".lock"), Build: greeting.Build, Taken: greeting.Taken}
	if greeting.Clients >= 0 {
		s.Clients = &greeting.Clients
	}
	return s
}

func lookDaemon(ctx context.Context, home persistence.Home) processStatus {
	d, err := daemonclient.Dial(ctx, daemonConfig(home, nil))
	if err != nil {
		return absent(home, "daemon", err)
	}
	defer d.Close()
	ctx, cancel := context.WithTimeout(ctx, answerLimit)
	defer cancel()
	st, err := d.Status(ctx)
	if err != nil {
		return absent(home, "daemon", err)
	}
	return processStatus{
		State: processUp, PID: st.PID, Build: st.Build, Started: &st.Started,
		Tasks: &st.Tasks,
	}
}

func lookHost(ctx context.Context, home persistence.Home) processStatus {
	h, err := host(ctx, home)
	if err != nil {
		return absent(home, "ptyhost", err)
	}
	defer h.Close()
	ctx, cancel := context.WithTimeout(ctx, answerLimit)
	defer cancel()
	st, err := h.Status(ctx)
	if err != nil {
		return absent(home, "ptyhost", err)
	}
	return processStatus{
		State: processUp, PID: st.PID, Build: st.Build, Started: &st.Started,
		Live: &st.Live, Sessions: &st.Total,
	}
}

// absent tells nobody there from somebody who does not answer; of that one the lock may name the pid.
func absent(home persistence.Home, socket string, err error) processStatus {
	if wire.IsAbsent(err) {
		path, pathErr := home.SocketPath(socket)
		if pathErr != nil {
			return processStatus{State: processOff}
		}
		// A socket can be gone while its process is there: the lock tells.
		pid := persistence.LockHolder(path + ".lock")
		if held, err := hasOpen(pid, path+".lock"); pid > 0 && err == nil && held {
			return processStatus{State: processSilent, PID: pid, Error: "it runs, and its socket is not there"}
		}
		return processStatus{State: processOff}
	}
	s := processStatus{State: processSilent, Error: onePath(err.Error())}
	if coded, ok := errors.AsType[*wire.Error](err); ok {
		s.Next = coded.Next
	}
	if path, err := home.SocketPath(socket); err == nil {
		s.PID = persistence.LockHolder(path + ".lock")
	}
	return s
}

// print writes the report for people.
func (r statusReport) print(w io.Writer) error {
	fmt.Fprintf(w, "home     %s\nbuild    %s\n", r.Home, r.Build)
	for _, p := range []struct {
		name string
		processStatus
	}{{"sshd", r.SSHD}, {"daemon", r.Daemon}, {"ptyhost", r.PTYHost}} {
		line := string(p.State)
		if p.PID != 0 {
			line += fmt.Sprintf(", pid %d", p.PID)
		}
		if p.Build != "" && p.Build != r.Build {
			line += ", build " + p.Build
		}
		if p.Clients != nil {
			line += ", " + workspace.Plural(*p.Clients, "client")
		}
		if p.Taken != 0 {
			line += fmt.Sprintf(", port %d is taken by another program", p.Taken)
		}
		if p.Tasks != nil {
			line += ", " + workspace.Plural(*p.Tasks, "task")
		}
		if p.Live != nil {
			line += ", " + workspace.Plural(*p.Live, "live session")
		}
		if p.Error != "" {
			line += ": " + p.Error
		}
		if _, err := fmt.Fprintf(w, "%-8s %s\n", p.name, line); err != nil {
			return err
		}
	}
	for _, mistake := range r.Mistakes {
		if _, err := fmt.Fprintf(w, "settings %s: the default holds\n", mistake); err != nil {
			return err
		}
	}
	return nil
}

// printJSON writes v as one indented document.
func printJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(v)
}
