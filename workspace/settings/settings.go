package settings

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
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
	Keys     map[string]string `toml:"keys"`
	Terminal Terminal          `toml:"terminal"`
	Host     Host              `toml:"host"`
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
		Terminal: Terminal{
			ScrollbackRows: 20_000,
			Foreground:     "#d0d0d0",
			Background:     "#000000",
		},
		Host: Host{RingKiB: 512},
	}
}

// Load reads the settings file at path. A missing file means the defaults. A file with a mistake means the defaults too,
// all of them, together with an error of one sentence that names the file, the line or the key, and what is allowed: the
// caller shows it and goes on.
func Load(path string) (Settings, error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Default(), nil
	}
	if err != nil {
		return Default(), fmt.Errorf("read settings: %w", err)
	}
	s, err := Parse(string(data))
	if err != nil {
		return Default(), fmt.Errorf("read settings %s: %w", path, err)
	}
	return s, nil
}

// Parse reads settings from TOML text over the defaults.
func Parse(text string) (Settings, error) {
	s := Default()
	decoder := toml.NewDecoder(strings.NewReader(text)).DisallowUnknownFields()
	if err := decoder.Decode(&s); err != nil {
		return Default(), explain(err)
	}
	if err := s.check(); err != nil {
		return Default(), err
	}
	return s, nil
}

// explain turns the TOML library's errors into one line.
func explain(err error) error {
	if unknown, ok := errors.AsType[*toml.StrictMissingError](err); ok && len(unknown.Errors) > 0 {
		first := unknown.Errors[0]
		line, _ := first.Position()
		return fmt.Errorf("line %d: there is no setting %s", line, strings.Join(first.Key(), "."))
	}
	if bad, ok := errors.AsType[*toml.DecodeError](err); ok {
		line, column := bad.Position()
		key := ""
		if len(bad.Key()) > 0 {
			key = strings.Join(bad.Key(), ".") + ": "
		}
		return fmt.Errorf("line %d, column %d: %s%s", line, column, key, strings.TrimPrefix(bad.Error(), "toml: "))
	}
	return err
}

var (
	prefixForm = regexp.MustCompile(`^ctrl\+[a-z]$`)
	colourForm = regexp.MustCompile(`^#[0-9a-fA-F]{6}$`)
)

// check holds every value against its range.
func (s Settings) check() error {
	return errors.Join(
		within("port", s.Port, 0, 65535),
		within("exits", s.Exits, 1, 1000),
		matching("prefix", s.Prefix, prefixForm, `"ctrl+" and a letter, like "ctrl+a"`),
		within("terminal.scrollback_rows", s.Terminal.ScrollbackRows, 100, 100_000),
		matching("terminal.foreground", s.Terminal.Foreground, colourForm, `"#rrggbb"`),
		matching("terminal.background", s.Terminal.Background, colourForm, `"#rrggbb"`),
		within("host.ring_kib", s.Host.RingKiB, 64, 16_384),
	)
}

func within(key string, v, low, high int) error {
	if v < low || v > high {
		return fmt.Errorf("%s is %d, must be from %d to %d", key, v, low, high)
	}
	return nil
}

func matching(key, v string, form *regexp.Regexp, want string) error {
	if !form.MatchString(v) {
		return fmt.Errorf("%s is %q, must be %s", key, v, want)
	}
	return nil
}
