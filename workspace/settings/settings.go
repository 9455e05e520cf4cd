package settings

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// File is the name of the settings file in the home.
const File = "settings.toml"

// Settings is everything that the user may set, with the defaults where the file is silent. It is a value; a process reads it once
// at start.
type Settings struct {
	// Port is where sshd listens on loopback, to 65535; 0 takes a free one, for those who come by the socket only.
	Port int `toml:"port"`
	// Shell is run as a login shell in new panes; empty means the user's own.
	Shell string `toml:"shell"`
	// Prefix is the key before the bindings of plain terminals: "ctrl+" and a letter.
	Prefix string `toml:"prefix"`
	// Clock shows the time in the status line. It wakes every client once a minute.
	Clock bool `toml:"clock"`
	// Exits is how many ends of programs are kept for `moorage exits`, 1 to 1000.
	Exits int `toml:"exits"`
	// Keys gives actions other keys: back = "ctrl+b ctrl+q". F1 in a client lists the actions.
	Keys map[string]string `toml:"keys"`
	// Engines are AI command lines besides those that are known, by name: [engines.mine], command = ["mine", "--fast"].
	Engines  map[string]Engine `toml:"engines"`
	Hooks    Hooks             `toml:"hooks"`
	Notify   Notify            `toml:"notify"`
	Terminal Terminal          `toml:"terminal"`
	Host     Host              `toml:"host"`
}

// Engine is an AI command line of the user's.
type Engine struct {
	// Command starts it.
	Command []string `toml:"command"`
	// Like is the known engine whose titles, hooks and verbs it has; empty for none.
	Like string `toml:"like"`
}

// Hooks is how engines are given hooks, once the user has agreed to it.
type Hooks struct {
	// CodexTrust also tells Codex that these hooks were reviewed; else its own dialog asks.
	CodexTrust bool `toml:"codex_trust"`
}

// Notify is how clients are told what wants the user, unless they have chosen for themselves.
type Notify struct {
	// Form is auto, osc9, osc777, osc99, bell or off.
	Form string `toml:"form"`
	// Tmux passes it on to the terminal around a tmux that a client sits in; that needs tmux's own allow-passthrough.
	Tmux bool `toml:"tmux"`
}

// Terminal is what hosted terminals start with.
type Terminal struct {
	// ScrollbackRows kept above the screen, 100 to 100 000, for terminals started after the change.
	ScrollbackRows int `toml:"scrollback_rows"`
	// Foreground and Background answer a program's colour query when no client has told its own: "#rrggbb".
	Foreground string `toml:"foreground"`
	Background string `toml:"background"`
}

// Host is what the PTY host keeps of each session.
type Host struct {
	// RingKiB is how much raw output is kept, 64 to 16 384.
	RingKiB int `toml:"ring_kib"`
}

// Default is what holds without a settings file.
func Default() Settings {
	return Settings{
		Port:   7022,
		Prefix: "ctrl+a",
		Exits:  50,
		Notify: Notify{Form: "auto"},
		Terminal: Terminal{
			ScrollbackRows: 20_000,
			Foreground:     "#d0d0d0",
			Background:     "#000000",
		},
		Host: Host{RingKiB: 512},
	}
}

// Load reads the settings file at path. A missing file means the defaults. A mistake costs the one setting that it is in, whose default holds;
// the error has a line for each mistake, with where it is and what is allowed: the caller shows it, with the file's name, and goes on.
func Load(path string) (Settings, error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Default(), nil
	}
	if err != nil {
		return Default(), fmt.Errorf("read settings: %w", err)
	}
	return Parse(string(data))
}

// maxMistakes bounds how many mistakes are told of one file.
const maxMistakes = 20

// Parse reads settings from TOML text over the defaults; see Load for mistakes.
func Parse(text string) (Settings, error) {
	lines := strings.Split(text, "\n")
	var mistakes []error
	for {
		s := Default()
		err := toml.NewDecoder(strings.NewReader(strings.Join(lines, "\n"))).DisallowUnknownFields().Decode(&s)
		if err == nil {
			return s, errors.Join(append(mistakes, s.mend()...)...)
		}
		line, mistake := explain(err)
		mistakes = append(mistakes, mistake)
		if line < 1 || line > len(lines) || lines[line-1] == "" || len(mistakes) > maxMistakes {
			return Default(), errors.Join(mistakes...) // it cannot be told from the rest
		}
		takeOut(lines, line-1)
	}
}

// takeOut blanks a line; with the head of a table all that is in it, which would else be that of the table before.
func takeOut(lines []string, at int) {
	head := isHead(lines[at])
	lines[at] = ""
	for at++; head && at < len(lines) && !isHead(lines[at]); at++ {
		lines[at] = ""
	}
}

// isHead reports whether a line is the head of a table, like [notify].
func isHead(line string) bool { return strings.HasPrefix(strings.TrimSpace(line), "[") }

// kinds are what the TOML library calls the types of Go, in words.
var kinds = map[string]string{"int": "a whole number", "bool": "true or false", "string": "text in quotes"}

var typeForm = regexp.MustCompile(`of type ([\w.\[\]]+)$`)

// explain turns the TOML library's errors into one line, and says which line of the file is to blame; 0 for none.
func explain(err error) (int, error) {
	if unknown, ok := errors.AsType[*toml.StrictMissingError](err); ok && len(unknown.Errors) > 0 {
		first := unknown.Errors[0]
		line, _ := first.Position()
		return line, fmt.Errorf("line %d: there is no setting %s", line, strings.Join(first.Key(), "."))
	}
	bad, ok := errors.AsType[*toml.DecodeError](err)
	if !ok {
		return 0, err
	}
	line, column := bad.Position()
	what := strings.TrimPrefix(bad.Error(), "toml: ")
	if m := typeForm.FindStringSubmatch(what); m != nil {
		kind, known := kinds[m[1]]
		if !known {
			kind = "of another kind"
		}
		what = "must be " + kind
	}
	if len(bad.Key()) > 0 {
		what = strings.Join(bad.Key(), ".") + " " + what
	}
	return line, fmt.Errorf("line %d, column %d: %s", line, column, what)
}

var (
	prefixForm = regexp.MustCompile(`^ctrl\+[a-z]$`)
	notifyForm = regexp.MustCompile(`^(auto|osc9|osc777|osc99|bell|off)$`)
	colourForm = regexp.MustCompile(`^#[0-9a-fA-F]{6}$`)
)

// mend holds every value against its range, and puts the default in the place of one that is out of it.
func (s *Settings) mend() []error {
	d := Default()
	return slices.DeleteFunc([]error{
		within("port", &s.Port, 0, 65535, d.Port),
		within("exits", &s.Exits, 1, 1000, d.Exits),
		matching("prefix", &s.Prefix, prefixForm, `"ctrl+" and a letter, like "ctrl+a"`, d.Prefix),
		matching("notify.form", &s.Notify.Form, notifyForm, `"auto", "osc9", "osc777", "osc99", "bell" or "off"`, d.Notify.Form),
		within("terminal.scrollback_rows", &s.Terminal.ScrollbackRows, 100, 100_000, d.Terminal.ScrollbackRows),
		matching("terminal.foreground", &s.Terminal.Foreground, colourForm, `"#rrggbb"`, d.Terminal.Foreground),
		matching("terminal.background", &s.Terminal.Background, colourForm, `"#rrggbb"`, d.Terminal.Background),
		within("host.ring_kib", &s.Host.RingKiB, 64, 16_384, d.Host.RingKiB),
		s.mendEngines(),
	}, func(err error) bool { return err == nil })
}

var nameForm = regexp.MustCompile(`^[a-z][a-z0-9_-]{0,31}$`)

// mendEngines drops the engines that cannot be, and names the first of them.
func (s *Settings) mendEngines() (first error) {
	for _, name := range slices.Sorted(maps.Keys(s.Engines)) {
		var err error
		switch {
		case !nameForm.MatchString(name):
			err = fmt.Errorf("engines.%s is %q, must be a name of small letters, digits, - and _", name, name)
		case len(s.Engines[name].Command) == 0:
			err = fmt.Errorf("engines.%s.command is missing, must be a list like [\"mine\", \"--fast\"]", name)
		default:
			continue
		}
		delete(s.Engines, name)
		if first == nil {
			first = err
		}
	}
	return first
}

func within(key string, v *int, low, high, otherwise int) error {
	if *v >= low && *v <= high {
		return nil
	}
	err := fmt.Errorf("%s is %d, must be from %d to %d", key, *v, low, high)
	*v = otherwise
	return err
}

func matching(key string, v *string, form *regexp.Regexp, want, otherwise string) error {
	if form.MatchString(*v) {
		return nil
	}
	err := fmt.Errorf("%s is %q, must be %s", key, *v, want)
	*v = otherwise
	return err
}
