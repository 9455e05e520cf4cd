package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"moorage/persistence"
)

// unitMark begins each unit that moorage writes: it replaces and removes no other.
const unitMark = "# Written by `moorage install-service`, which replaces this file.\n"

// units are the systemd units of one home: systemd.unit(5), systemd.service(5).
type units struct {
	dir  string // the user's own: ~/.config/systemd/user
	name string // "moorage", and a suffix for any home but the usual one
	exe  string
	home persistence.Home
}

// unitsOf finds out where the units of a home are, or would be.
func unitsOf(home persistence.Home) (units, error) {
	config, err := os.UserConfigDir()
	if err != nil {
		return units{}, err
	}
	exe, err := os.Executable()
	if err != nil {
		return units{}, err
	}
	u := units{dir: filepath.Join(config, "systemd", "user"), name: "moorage", exe: exe, home: home}
	user, err := os.UserHomeDir()
	if err != nil {
		return units{}, err
	}
	usual, err := persistence.LookHome(filepath.Join(user, ".moorage"))
	if err != nil || usual.Dir() != home.Dir() {
		sum := sha256.Sum256([]byte(home.Dir()))
		u.name += "-" + hex.EncodeToString(sum[:4])
	}
	return u, nil
}

func (u units) frontName() string { return u.name + ".service" }
func (u units) hostName() string  { return u.name + "-ptyhost.service" }

// front is the unit of the SSH front. The daemon is started from it, and the host too where its unit is not to be had: KillMode
// lets both go on when the front stops or is restarted.
func (u units) front() string {
	return unitMark + `[Unit]
Description=moorage, the SSH front

[Service]
Type=exec
ExecStart=` + u.command("serve", "--"+onDemandFlag) + `
` + u.environment() + `
KillMode=process
Restart=on-failure
RestartSec=2
OOMPolicy=continue

[Install]
WantedBy=default.target
`
}

// host is the unit of the PTY host. Who needs the host starts it, and it ends by itself. Told to stop it freezes and ends its
// sessions; what has left them, and a program that ran out of memory, are no reason for systemd to end the rest. The variables are
// systemd's word to the host: a program in a pane would take them for its own.
func (u units) host() string {
	return unitMark + `[Unit]
Description=moorage, the PTY host

[Service]
Type=exec
ExecStart=` + u.command("ptyhost") + `
` + u.environment() + `
UnsetEnvironment=INVOCATION_ID JOURNAL_STREAM NOTIFY_SOCKET SYSTEMD_EXEC_PID MANAGERPID MEMORY_PRESSURE_WATCH MEMORY_PRESSURE_WRITE
KillMode=process
TimeoutStopSec=30
OOMPolicy=continue
TasksMax=infinity
`
}

// command is a command line without substitution of variables (the colon). systemd runs no program with a quote or backslash in its
// path; a shell does.
func (u units) command(args ...string) string {
	line := ":"
	if strings.ContainsAny(u.exe, `"'\`) {
		line += `/bin/sh -c "exec \"$0\" \"$@\"" `
	}
	return line + unitQuote(u.exe) + " " + strings.Join(args, " ")
}

func (u units) environment() string {
	return "Environment=" + unitQuote(persistence.HomeVariable+"="+u.home.Dir())
}

// unitQuote makes text one word of a unit: C-style escapes in quotes, and no specifiers (systemd.syntax(7), systemd.unit(5)).
func unitQuote(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\t", `\t`, "%", "%%").Replace(text) + `"`
}

// unitStartLimit is how long the user's manager may take to accept a start.
const unitStartLimit = 5 * time.Second

// start has the user's manager start a unit of the home, if systemd runs (below root) and the unit was installed. False means
// that the process is to be started in another way.
func (u units) start(ctx context.Context, root, name string) bool {
	if missing(filepath.Join(u.dir, name)) || !systemdRuns(root) {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, unitStartLimit)
	defer cancel()
	return exec.CommandContext(ctx, "systemctl", "--user", "--no-block", "start", name).Run() == nil
}

// startUnit starts the unit of that verb.
func startUnit(ctx context.Context, home persistence.Home, verb string) bool {
	u, err := unitsOf(home)
	if err != nil {
		return false
	}
	switch verb {
	case "serve":
		return u.start(ctx, "/", u.frontName())
	case "ptyhost":
		return u.start(ctx, "/", u.hostName())
	}
	return false
}
