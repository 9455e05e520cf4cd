package main

import (
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// build is set by the linker: -X main.build=<version>.
var build string

// buildName names this build in hellos, so that processes of different builds can say so.
func buildName() string {
	if build != "" {
		return build
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "dev"
	}
	if info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return s.Value[:min(12, len(s.Value))]
		}
	}
	return "dev"
}

func versionCommand(env Env) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the build",
		Args:  usage(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(env.Stdout, "moorage", buildName())
			return err
		},
	}
}
