package main

import (
	"errors"
	"io"

	"github.com/spf13/cobra"

	"moorage/ptyhost/hostclient"
	"moorage/ptyhost/wire"
	"moorage/workspace"
)

func ptyListCommand(env Env) *cobra.Command {
	return &cobra.Command{
		Use:   "pty-list",
		Short: "Print every session that the PTY host has",
		Long:  "Asks the host only: it works while the daemon is away, and starts nothing.",
		Args:  usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			err := withHost(cmd.Context(), env, func(h *hostclient.Client) (any, error) {
				sessions, err := h.List(cmd.Context())
				return wire.ListResult{Sessions: some(sessions)}, err
			})
			if workspace.CodeOf(err) == workspace.CodeHostAway {
				return printJSON(env.Stdout, wire.ListResult{Sessions: []wire.Session{}})
			}
			return err
		},
	}
}

// some is a list that prints as one even when it is empty.
func some(sessions []wire.Session) []wire.Session {
	if sessions == nil {
		return []wire.Session{}
	}
	return sessions
}

func readScreenCommand(env Env) *cobra.Command {
	return &cobra.Command{
		Use:   "read-screen PANE",
		Short: "Print a session's screen as text",
		Args:  usage(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withSession(cmd.Context(), env, args[0], func(h *hostclient.Client, key string) (any, error) { return h.ReadScreen(cmd.Context(), key) })
		},
	}
}

// maxStdin bounds what send-keys reads from its input: what the host queues for a session at most.
const maxStdin = 8 << 20

func sendKeysCommand(env Env) *cobra.Command {
	var literal, fromStdin bool
	cmd := &cobra.Command{
		Use:   "send-keys PANE KEY...",
		Short: "Type into a session",
		Long: "Each KEY is a key's name (Enter, Escape, Tab, BSpace, Up, C-c, M-x, F5, ...) or else text that is typed as it is.\n" +
			"With --literal all of it is text; with --stdin the standard input is.",
		Example: "  moorage api send-keys 01JD/tab-1 'echo hello' Enter",
		Args: anyText(func(cmd *cobra.Command, args []string) error {
			if fromStdin {
				return cobra.ExactArgs(1)(cmd, args)
			}
			return cobra.MinimumNArgs(2)(cmd, args)
		}),
		RunE: func(cmd *cobra.Command, args []string) error {
			data, err := keysToSend(env, args[1:], literal, fromStdin)
			if err != nil {
				return err
			}
			return withSession(cmd.Context(), env, args[0], func(h *hostclient.Client, key string) (any, error) {
				return sent{key, len(data)}, h.SendInput(cmd.Context(), key, data)
			})
		},
	}
	cmd.Flags().BoolVarP(&literal, "literal", "l", false, "every word is text, none a key's name")
	cmd.Flags().BoolVar(&fromStdin, "stdin", false, "type what the standard input says")
	return cmd
}

// sent is what send-keys prints.
type sent struct {
	Key   string `json:"key"`
	Bytes int    `json:"bytes"`
}

func keysToSend(env Env, words []string, literal, fromStdin bool) ([]byte, error) {
	if fromStdin {
		data, err := io.ReadAll(io.LimitReader(env.Stdin, maxStdin+1))
		if err == nil && len(data) > maxStdin {
			err = errors.New("more than a session can take at once")
		}
		if err != nil {
			return nil, workspace.Fail(workspace.CodeInvalid, "send it in parts", "read standard input: %v", err)
		}
		return data, nil
	}
	var data []byte
	for _, word := range words {
		if bytes, ok := keyBytes(word); ok && !literal {
			data = append(data, bytes...)
		} else {
			data = append(data, word...)
		}
	}
	if len(data) == 0 {
		return nil, usageError{errors.New("there is nothing to send")}
	}
	return data, nil
}
