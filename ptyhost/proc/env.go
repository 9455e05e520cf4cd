package proc

import (
	"slices"
	"strings"
)

// outer lists the variables by which programs recognise an outer terminal,
// multiplexer or login. A name that ends in * is a prefix. A session's
// programs must see the terminal that moorage is, not the one that happened to
// start the host.
var outer = []string{
	"TERM", "COLORTERM", "TERM_PROGRAM*", "TERM_SESSION_ID", "TERM_FEATURES", "TERMCAP", "TERMINFO*",
	"TMUX*", "STY", "WINDOW", "ZELLIJ*", "BYOBU*", "MOORAGE*",
	"VTE_VERSION", "WT_*", "KITTY_*", "GHOSTTY_*", "WEZTERM_*", "ITERM_*", "LC_TERMINAL*", "ALACRITTY_*",
	"KONSOLE_*", "TERMINATOR_*", "TILIX_*", "GNOME_TERMINAL_*", "XTERM_*", "RXVT*", "FOOT*", "CONTOUR_*",
	"VSCODE_*", "JEDITERM*", "TERMINAL_EMULATOR", "ConEmu*", "WARP_*", "HYPER*", "TABBY_*", "COLORFGBG",
	"WINDOWID", "SSH_TTY", "SSH_CONNECTION", "SSH_CLIENT", "SSH_ORIGINAL_COMMAND",
	"COLUMNS", "LINES", "OLDPWD", "SHLVL", "_", "INVOCATION_ID", "JOURNAL_STREAM", "NOTIFY_SOCKET", "LISTEN_FDS", "LISTEN_PID",
}

// Environ is the environment of a session's child: the login environment
// without what names an outer terminal, then what moorage says of its own, then
// extra. Of a name given twice the last one stands.
func Environ(login, extra []string) []string {
	env := make([]string, 0, len(login)+len(extra)+3)
	for _, kv := range login {
		if name, _, ok := strings.Cut(kv, "="); ok && !namesOuter(name) {
			env = append(env, kv)
		}
	}
	env = append(env, "TERM=xterm-256color", "COLORTERM=truecolor", "MOORAGE=1")
	for _, kv := range extra {
		if name, _, ok := strings.Cut(kv, "="); ok && name != "" && !strings.ContainsRune(kv, 0) {
			env = slices.DeleteFunc(env, func(have string) bool { return strings.HasPrefix(have, name+"=") })
			env = append(env, kv)
		}
	}
	return env
}

func namesOuter(name string) bool {
	for _, pattern := range outer {
		prefix, isPrefix := strings.CutSuffix(pattern, "*")
		if name == pattern || isPrefix && strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// Lookup returns the value of name in env, the last one if it is there twice.
func Lookup(env []string, name string) string {
	for _, kv := range slices.Backward(env) {
		if v, ok := strings.CutPrefix(kv, name+"="); ok {
			return v
		}
	}
	return ""
}
