package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"moorage/persistence"
	"moorage/sshd"
	"moorage/workspace"
)

// attach starts what is missing and becomes the system's ssh, connected to the front's socket. With a path it opens that
// directory's task first and tells sshd to show it. Inside moorage it adds the task only.
func attach(ctx context.Context, env Env, args []string) error {
	home, err := persistence.OpenHome("")
	if err != nil {
		return err
	}
	task, inside := "", insidePane(home)
	if len(args) == 1 {
		if _, ok := env.terminal(); !ok && !inside {
			return workspace.Fail(workspace.CodeRefused, "`moorage api add PATH` adds the task without attaching", "there is no terminal to attach")
		}
		if task, err = openTask(ctx, env, home, args[0]); err != nil {
			return err
		}
	}
	if inside {
		if task != "" {
			_, err := fmt.Fprintln(env.Stdout, "the task is in the sidebar")
			return err
		}
		return workspace.Fail(workspace.CodeRefused, "`moorage PATH` adds a task; to attach in spite of it: env -u MOORAGE moorage",
			"this is a pane of moorage already: attached here, it would show itself")
	}
	keys, err := sshd.EnsureKeys(home)
	if err != nil {
		return err
	}
	nc, err := dialSSH(ctx, home)
	if err != nil {
		return err
	}
	greeting, err := greeted(nc)
	nc.Close() // it is there; ssh comes by the proxy
	if err != nil {
		return workspace.Fail(workspace.CodeAway, "`moorage status` names its pid", "%v", err)
	}
	if greeting.Taken != 0 {
		env.portTaken(greeting.Taken)
	}
	ssh, err := exec.LookPath("ssh")
	if err != nil {
		return workspace.Fail(workspace.CodeNotFound, "install OpenSSH's client", "ssh is not installed: %v", err)
	}
	line, err := sshArgs(home, keys, task)
	if err != nil {
		return err
	}
	return become(ssh, line)
}

// openTask makes sure that the directory has a task and returns its id.
func openTask(ctx context.Context, env Env, home persistence.Home, path string) (string, error) {
	dir := absolute(env, path)
	info, err := os.Stat(dir)
	switch {
	case err != nil && !strings.ContainsRune(path, os.PathSeparator) && errors.Is(err, os.ErrNotExist):
		return "", usageError{errors.New("there is neither a verb nor a directory " + path)}
	case err != nil:
		return "", err
	case !info.IsDir():
		return "", workspace.Fail(workspace.CodeInvalid, "name a directory", "%s is no directory", dir)
	}
	d, err := daemon(ctx, home)
	if err != nil {
		return "", err
	}
	defer d.Close()
	added, err := d.AddTask(ctx, workspace.TaskAdd{Dir: dir})
	return added.Task.ID, err
}

func absolute(env Env, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(env.Dir, path)
}

// sshArgs is ssh's command line, its name included. The user's ssh settings are left out: they are for other hosts, and one
// RemoteCommand or ControlPath there would be enough to miss.
func sshArgs(home persistence.Home, keys sshd.Keys, task string) ([]string, error) {
	proxy, err := proxyLine(home)
	if err != nil {
		return nil, err
	}
	options := []string{
		"ProxyCommand=" + proxy,
		"ProxyUseFdpass=" + yesNo(fdpass),
		"HostKeyAlias=" + sshd.HostAlias,
		"UserKnownHostsFile=" + sshQuote(keys.KnownHosts),
		"GlobalKnownHostsFile=none",
		"StrictHostKeyChecking=yes",
		"UpdateHostKeys=no",
		"IdentityFile=" + sshQuote(keys.ClientKey),
		"IdentitiesOnly=yes",
		"IdentityAgent=none",
		"PreferredAuthentications=publickey",
		"ForwardAgent=no",
		"EscapeChar=none",
		"LogLevel=ERROR",
		"SendEnv=" + sentEnv,
		// Nobody else is on a socket of this machine: keys need not wait for a clock that hides when they were typed.
		// OpenSSH before 9.5 does not know the option.
		"IgnoreUnknown=ObscureKeystrokeTiming",
		"ObscureKeystrokeTiming=no",
	}
	if task != "" {
		options = append(options, "SetEnv=MOORAGE_OPEN="+task)
	}
	line := []string{"ssh", "-F", "none", "-t"}
	for _, o := range options {
		line = append(line, "-o", o)
	}
	return append(line, sshd.HostAlias), nil
}

// yesNo is a switch of ssh_config(5).
func yesNo(on bool) string {
	if on {
		return "yes"
	}
	return "no"
}

// proxyLine is the ProxyCommand that reaches this home, for the shell that ssh runs it with. ssh puts "exec" before it.
func proxyLine(home persistence.Home) (string, error) {
	exe, err := os.Executable()
	if err != nil {
		return "", err
	}
	if runtime.GOOS == "windows" { // cmd.exe; the home comes by the environment
		return `"` + exe + `" proxy`, nil // as fdpass is false there
	}
	line := "env " + persistence.HomeVariable + "=" + shellQuote(home.Dir()) + " " + shellQuote(exe) + " proxy --fdpass"
	return strings.ReplaceAll(line, "%", "%%"), nil
}

// shellQuote makes text one word of a POSIX shell.
func shellQuote(text string) string {
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// sshQuote makes a file name one word of ssh_config(5), without tokens.
func sshQuote(path string) string {
	return `"` + strings.ReplaceAll(path, "%", "%%") + `"`
}
