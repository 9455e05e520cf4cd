package main

import (
	"encoding/hex"
	"errors"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"moorage/ptyhost"
	"moorage/ptyhost/vt"
	"moorage/workspace"
	"moorage/workspace/settings"
)

func ptyhostCommand(env Env) *cobra.Command {
	return &cobra.Command{
		Use:   "ptyhost",
		Short: "Run the PTY host in the foreground",
		Long:  "It holds the terminals with what runs in them. Whoever needs it starts it; it stops a minute after its last session.",
		Args:  usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			p, err := env.newProcess("ptyhost")
			if err != nil {
				return err
			}
			defer p.close()
			if err := awaitReset(cmd.Context(), p.home); err != nil {
				return err
			}
			err = ptyhost.Run(cmd.Context(), ptyhost.Config{
				Home: p.home, Build: buildName(), Log: p.log,
				Scrollback: p.settings.Terminal.ScrollbackRows,
				RingBytes:  p.settings.Host.RingKiB << 10,
				Login:      login(p.settings),
				Defaults:   colours(p.settings.Terminal),
				Flood:      newProcs().flood,
			})
			if errors.Is(err, ptyhost.ErrRunning) {
				return workspace.Fail(workspace.CodeRunning, "`moorage status` shows it", "%v", err)
			}
			return err
		},
	}
}

// login is the environment that sessions start from, with the shell of the settings.
func login(s settings.Settings) []string {
	environ := os.Environ()
	if s.Shell != "" {
		environ = append(environ, "SHELL="+s.Shell)
	}
	return environ
}

// colours are those that programs are told while no client has told its own.
func colours(t settings.Terminal) vt.Defaults {
	d := vt.DarkDefaults()
	d.FG, d.BG = colour(t.Foreground, d.FG), colour(t.Background, d.BG)
	return d
}

// colour reads "#rrggbb", whose form the settings have checked.
func colour(text string, otherwise vt.RGBColor) vt.RGBColor {
	b, err := hex.DecodeString(strings.TrimPrefix(text, "#"))
	if err != nil || len(b) != 3 {
		return otherwise
	}
	return vt.RGBColor{R: b[0], G: b[1], B: b[2]}
}
