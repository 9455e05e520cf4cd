package main

import (
	"github.com/spf13/cobra"

	"moorage/workspace"
	"moorage/workspace/daemonclient"
)

func conversationsCommand(env Env) *cobra.Command {
	return &cobra.Command{
		Use:   "conversations TASK",
		Short: "List what engines have stored of their conversations in a task's directory",
		Args:  usage(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withTask(cmd.Context(), env, args[0], func(d *daemonclient.Client, t workspace.TaskView) (any, error) {
				return d.Conversations(cmd.Context(), t.ID)
			})
		},
	}
}

func takeUpCommand(env Env) *cobra.Command {
	p := workspace.ConversationOpen{How: workspace.Continue}
	cmd := &cobra.Command{
		Use:   "take-up TASK --engine ENGINE --session-id ID",
		Short: "Take up a conversation in a tab",
		Long: "By default it goes on, in the tab that it belongs to or in a new one. With --how fork a copy of it goes on in a new task of the\n" +
			"project, or in a new tab where there is no project; with --how handover another engine (--to) is told where its transcript is.",
		Args: usage(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withTask(cmd.Context(), env, args[0], func(d *daemonclient.Client, t workspace.TaskView) (any, error) {
				p.Task = t.ID
				return d.TakeUp(cmd.Context(), p)
			})
		},
	}
	cmd.Flags().StringVar(&p.Engine, "engine", "", "whose conversation it is")
	cmd.Flags().StringVar(&p.ID, "session-id", "", "its id")
	cmd.Flags().StringVar((*string)(&p.How), "how", string(p.How), "continue, fork or handover")
	cmd.Flags().StringVar(&p.To, "to", "", "the engine that it is handed over to")
	sizeFlags(cmd, &p.Size)
	for _, name := range []string{"engine", "session-id"} {
		_ = cmd.MarkFlagRequired(name) // it is there
	}
	return cmd
}
