package engine

import "strings"

// script is what a pane's login shell runs for an engine: the engine, then, when it has ended, word of how, and a shell in its place. The
// engine has the shell's signals as they are by default; the shell itself outlives those that are typed. $1 is moorage, $2 the engine's
// name, $3 the shell that follows, then come the engine's words.
const script = `trap : INT QUIT
moorage=$1; name=$2; shell=$3; shift 3
"$@"
code=$?
trap - INT QUIT
"$moorage" hook "$name" --exit "$code" </dev/null >/dev/null 2>&1
if [ "$code" -ne 0 ]; then
printf "\r\nEngine exited (code %d). To start it otherwise: moorage api tab-add, or edit [engines] in settings.toml\r\n" "$code"
fi
exec "$shell" -l
`

// Banner is how the line begins that tells an engine's end on its screen; its code and ")" follow.
const Banner = "Engine exited (code "

// Wrap is the command line of a shell that runs an engine and then becomes shell.
func Wrap(moorage, name, shell string, argv []string) []string {
	return append([]string{"/bin/sh", "-c", script, "moorage-engine", moorage, name, shell}, argv...)
}

// BannerCode reads the code of the last engine's end out of lines of output; ok is false when none tells it.
func BannerCode(lines []string) (code int, ok bool) {
	for i := len(lines) - 1; i >= 0; i-- {
		_, rest, found := strings.Cut(lines[i], Banner)
		if !found {
			continue
		}
		n, digits := 0, 0
		for digits < len(rest) && rest[digits] >= '0' && rest[digits] <= '9' && digits < 4 {
			n = n*10 + int(rest[digits]-'0')
			digits++
		}
		if digits > 0 && strings.HasPrefix(rest[digits:], ")") {
			return n, true
		}
	}
	return 0, false
}
