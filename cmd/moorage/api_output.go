package main

import (
	"github.com/spf13/cobra"

	"moorage/persistence"
	"moorage/ptyhost/hostclient"
	"moorage/workspace"
	"moorage/workspace/daemonclient"
)

func readOutputCommand(env Env) *cobra.Command {
	var raw bool
	cmd := &cobra.Command{
		Use:   "read-output PANE",
		Short: "Print the newest output of a session as its program wrote it",
		Long: "The bytes of the session's ring, 512 KiB unless the settings say otherwise, and the offset of the first of them in all that the\n" +
			"session ever wrote. In JSON the bytes are base64.",
		Args: usage(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !raw {
				return withSession(cmd.Context(), env, args[0], func(h *hostclient.Client, key string) (any, error) { return h.ReadOutput(cmd.Context(), key) })
			}
			home, err := persistence.OpenHome("")
			if err != nil {
				return err
			}
			key, err := findSession(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			h, err := host(cmd.Context(), home)
			if err != nil {
				return err
			}
			defer h.Close()
			output, err := h.ReadOutput(cmd.Context(), key)
			if err != nil {
				return err
			}
			_, err = env.Stdout.Write(output.Data)
			return err
		},
	}
	cmd.Flags().BoolVar(&raw, "raw", false, "print the bytes themselves, nothing else")
	return cmd
}

func peekCommand(env Env) *cobra.Command {
	return &cobra.Command{
		Use:   "peek PANE",
		Short: "Print how a session stands: its program, its last line",
		Args:  usage(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withSession(cmd.Context(), env, args[0], func(h *hostclient.Client, key string) (any, error) { return h.Peek(cmd.Context(), key) })
		},
	}
}

func tabPolicyCommand(env Env) *cobra.Command {
	return &cobra.Command{
		Use:   "tab-policy TAB POLICY",
		Short: "Say when a tab's programs are started again: if-lost, reattach-only or always",
		Args:  usage(cobra.ExactArgs(2)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withDaemon(cmd.Context(), env, func(d *daemonclient.Client) (any, error) {
				_, ref, err := findTab(cmd.Context(), d, args[0])
				if err != nil {
					return nil, err
				}
				p := workspace.TabPolicy{Task: ref.Task, Tab: ref.Tab, Policy: workspace.Policy(args[1])}
				return p, d.SetPolicy(cmd.Context(), p)
			})
		},
	}
}
