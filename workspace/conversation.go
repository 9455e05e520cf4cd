package workspace

import "time"

// Conversation is an engine's thread on disk, as it is listed.
type Conversation struct {
	Engine     string    `json:"engine"`
	ID         string    `json:"session_id"`
	Dir        string    `json:"dir"` // where it was begun
	Transcript string    `json:"transcript_path"`
	First      string    `json:"first_prompt"` // one clean line
	Changed    time.Time `json:"changed"`
	Size       int64     `json:"size"`            // of the transcript, in bytes
	Tab        TabRef    `json:"tab,omitzero"`    // the tab that it belongs to; zero: it has none
	Label      string    `json:"label,omitempty"` // that tab's
	Forks      bool      `json:"forks,omitempty"` // its engine can fork it
}

// Conversations is the answer to MethodConversations.
type Conversations struct {
	List []Conversation `json:"conversations"` // the most recently changed first
	// Engines are those that a conversation can be handed over to.
	Engines []string `json:"engines"`
	// Unread names the engines of which nobody could look.
	Unread []string `json:"unread,omitempty"`
}

// ConversationOpen takes a conversation up in a tab of a task.
type ConversationOpen struct {
	Task   string `json:"task"`
	Engine string `json:"engine"`
	ID     string `json:"session_id"`
	How    TakeUp `json:"how"`
	To     string `json:"to,omitempty"` // the engine of a HandOver
	Size
}

// TakeUp is a way to take up a conversation.
type TakeUp string

// The ways.
const (
	Continue TakeUp = "continue" // in a new tab, or in the tab that it belongs to
	ForkOff  TakeUp = "fork"     // a copy of it in a new task of the project; in a new tab where there is no project
	HandOver TakeUp = "handover" // in a new tab another engine is told where its transcript is
)

// Opening is what a pane's engine is started with once: to fork a conversation off, or with a prompt. It is never changed in place.
type Opening struct {
	Fork   string `json:"fork,omitempty"` // a conversation's id
	Prompt string `json:"prompt,omitempty"`
}
