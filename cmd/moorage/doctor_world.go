package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"moorage/persistence"
	"moorage/sshd"
)

// checkLinger says whether systemd ends the user's processes with his last session.
func checkLinger(context.Context, examined) []finding {
	if runtime.GOOS != "linux" {
		return nil
	}
	name := ""
	if u, err := user.Current(); err == nil {
		name = u.Username
	}
	return []finding{lingerFinding(name, systemdRuns("/"), missing(filepath.Join("/var/lib/systemd/linger", name)), onPath("loginctl"))}
}

func lingerFinding(name string, systemd, off, loginctl bool) finding {
	switch {
	case !systemd:
		return finding{"linger", fine, "systemd does not run here: nothing ends processes at logout", ""}
	case name == "":
		return finding{"linger", unknown, "this user has no name", "loginctl enable-linger USER"}
	case !off:
		return finding{"linger", fine, "lingering is on: units of this user's go on after logout", ""}
	case !loginctl:
		return finding{"linger", unknown, "loginctl is not installed: whether processes live on after logout cannot be seen", "install loginctl, then: loginctl enable-linger " + name}
	}
	return finding{"linger", odd, "lingering is off: user units end at the last logout, and where KillUserProcesses=yes everything does", "loginctl enable-linger " + name}
}

// systemdRuns reports whether systemd is this system's init (sd_booted(3)).
func systemdRuns(root string) bool {
	info, err := os.Stat(filepath.Join(root, "run/systemd/system"))
	return err == nil && info.IsDir()
}

func onPath(name string) bool {
	_, err := exec.LookPath(name)
	return err == nil
}

// checkTerminal looks at what the terminal that doctor runs in says of itself.
func checkTerminal(context.Context, examined) []finding { return terminalFindings(os.Getenv) }

func terminalFindings(get func(string) string) []finding {
	var found []finding
	add := func(state verdict, text, next string) { found = append(found, finding{"terminal", state, text, next}) }
	where := ""
	switch {
	case get("MOORAGE") != "":
		where = ", in a pane of moorage"
	case get("TMUX") != "":
		where = ", inside tmux"
	case get("STY") != "":
		where = ", inside screen"
	case get("SSH_CONNECTION") != "":
		where = ", over SSH"
	}
	switch name, colours := get("TERM"), get("COLORTERM"); {
	case name == "":
		add(unknown, "TERM is not set: this is no terminal", "run `moorage doctor` in the terminal that you attach from")
	case name == "dumb":
		add(odd, "TERM is dumb: nothing can be drawn on it", "export TERM=xterm-256color, if it is more than that")
	case colours == "truecolor" || colours == "24bit":
		add(fine, "TERM="+name+", true colour"+where, "")
	default:
		add(fine, "TERM="+name+", colours by that name until the terminal answers for more"+where, "")
	}
	locale := get("LC_ALL")
	for _, next := range []string{"LC_CTYPE", "LANG"} {
		if locale == "" {
			locale = get(next)
		}
	}
	form := strings.ReplaceAll(strings.ToLower(locale), "-", "")
	if strings.Contains(form, "utf8") || runtime.GOOS == "windows" {
		found = append(found, finding{"locale", fine, "UTF-8 (" + locale + ")", ""})
	} else {
		found = append(found, finding{"locale", odd, fmt.Sprintf("%q is not UTF-8: programs in panes may draw question marks", locale), "export LANG=C.UTF-8"})
	}
	return found
}

// checkSSH looks at the client, the keys, and the block in ~/.ssh/config.
func checkSSH(ctx context.Context, e examined) []finding {
	found := []finding{sshClient(ctx), checkKeys(e.home)}
	file, err := userSSHConfig()
	if err != nil {
		return append(found, finding{"sshconfig", unknown, err.Error(), "echo \"$HOME\""})
	}
	return append(found, checkBlock(e.home, file))
}

// sshClient asks ssh for its version.
func sshClient(ctx context.Context) finding {
	if !onPath("ssh") {
		return finding{"ssh", broken, "the OpenSSH client is not on PATH: `moorage` cannot attach", "install it: apt-get install openssh-client, dnf install openssh-clients, or apk add openssh-client"}
	}
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, "ssh", "-V").CombinedOutput()
	if err != nil {
		return finding{"ssh", unknown, fmt.Sprintf("ssh -V: %v", err), "ssh -V"}
	}
	line, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	return finding{"ssh", fine, line, ""}
}

// keyFiles are where sshd.EnsureKeys keeps the keys of a home. It makes none.
func keyFiles(home persistence.Home) sshd.Keys {
	return sshd.Keys{
		HostKey: home.Path("keys", "host_ed25519"), ClientKey: home.Path("keys", "client_ed25519"), KnownHosts: home.Path("keys", "known_hosts"),
	}
}

func checkKeys(home persistence.Home) finding {
	k := keyFiles(home)
	if missing(k.HostKey) && missing(k.ClientKey) {
		return finding{"keys", fine, "none yet: the first start makes them", ""}
	}
	for _, path := range []string{k.HostKey, k.ClientKey} {
		text, err := os.ReadFile(path)
		switch {
		case os.IsNotExist(err):
			return finding{"keys", odd, path + " is missing: the next start makes a new one", "moorage ssh-config"}
		case err != nil:
			return finding{"keys", broken, err.Error(), "ls -l " + shellQuote(path)}
		case !strings.Contains(string(text), "PRIVATE KEY-----"):
			return finding{"keys", broken, path + " is no private key", "mv " + shellQuote(path) + " " + shellQuote(path+".old") + "; the next start makes a new one"}
		}
	}
	host, err := os.ReadFile(k.HostKey + ".pub")
	pinned, pinErr := os.ReadFile(k.KnownHosts)
	if fields := strings.Fields(string(host)); err == nil && pinErr == nil && len(fields) > 1 && strings.Contains(string(pinned), fields[1]) {
		return finding{"keys", fine, "host key, client key, and the one is pinned", ""}
	}
	return finding{"keys", odd, k.KnownHosts + " does not pin the host key", "rm -f " + shellQuote(k.KnownHosts) + "; moorage ssh-config"}
}

// userSSHConfig is ~/.ssh/config.
func userSSHConfig() (string, error) {
	dir, err := os.UserHomeDir()
	return filepath.Join(dir, ".ssh", "config"), err
}

// checkBlock compares the block in the user's file with the one that would be written now.
func checkBlock(home persistence.Home, path string) finding {
	const write = "moorage ssh-config --write"
	text, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		return finding{"sshconfig", unknown, err.Error(), "ls -l " + shellQuote(path)}
	}
	_, rest, begun := strings.Cut(string(text), blockBegin+"\n")
	if !begun {
		return finding{"sshconfig", fine, "no block in " + path + ": `" + write + "` makes `ssh moorage` work", ""}
	}
	have, _, ended := strings.Cut(rest, blockEnd+"\n")
	if !ended {
		return finding{"sshconfig", broken, fmt.Sprintf("%q in %s has no %q after it", blockBegin, path, blockEnd), "${EDITOR:-vi} " + shellQuote(path)}
	}
	want, err := sshBlock(home, keyFiles(home))
	if err != nil {
		return finding{"sshconfig", unknown, err.Error(), write}
	}
	if blockBegin+"\n"+have+blockEnd+"\n" != want {
		return finding{"sshconfig", odd, "the block in " + path + " is of another home or build", write}
	}
	return finding{"sshconfig", fine, "`ssh moorage` is set up in " + path, ""}
}
