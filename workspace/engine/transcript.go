package engine

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"

	"moorage/workspace"
	"moorage/workspace/activity"
)

const (
	// tailSize bounds what is read of a transcript: its end.
	tailSize = 2 << 20
	// maxLine bounds a row of an index.
	maxLine = 1 << 20
)

// turnEnd is how the last turn in a transcript ended.
type turnEnd struct {
	outcome activity.Outcome
	at      time.Time
	text    string
	resets  time.Time
}

// LastTurn reads how the last turn in a transcript ended, as an event for a lookup with that token. It reads the file's end only. What cannot
// be read or is not understood is OutcomeUnreadable.
func (e Engine) LastTurn(path string, token int, now time.Time) activity.Event {
	ev := activity.Event{Kind: activity.TranscriptRead, Time: now, Token: token}
	if e.end == nil || path == "" {
		return ev
	}
	t, err := readTail(path)
	if err != nil {
		return ev
	}
	end := e.end(t)
	ev.Outcome, ev.At, ev.Text, ev.Resets = end.outcome, end.at, workspace.Clean(end.text, workspace.MaxTitle), end.resets
	return ev
}

// tail is the rows at the end of a file.
type tail struct{ data []byte }

func readTail(path string) (*tail, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	from := max(info.Size()-tailSize, 0)
	data, err := io.ReadAll(io.NewSectionReader(f, from, tailSize))
	if err != nil {
		return nil, err
	}
	if from > 0 { // the first row is cut
		_, data, _ = bytes.Cut(data, []byte{'\n'})
	}
	return &tail{data}, nil
}

// rows decodes each row that is whole. One that is not JSON is passed over: it may be half written.
func rows[R any](t *tail, f func(R)) {
	for line := range bytes.SplitSeq(t.data, []byte{'\n'}) {
		var row R
		if len(line) > 0 && json.Unmarshal(line, &row) == nil {
			f(row)
		}
	}
}

func claudeEnd(t *tail) (end turnEnd) {
	type row struct {
		Type      string    `json:"type"`
		Subtype   string    `json:"subtype"`
		Sidechain bool      `json:"isSidechain"`
		Timestamp time.Time `json:"timestamp"`
		APIError  bool      `json:"isApiErrorMessage"`
		Error     string    `json:"error"`
		Message   struct {
			Stop    string          `json:"stop_reason"`
			Content json.RawMessage `json:"content"`
		} `json:"message"`
	}
	rows(t, func(r row) {
		if r.Sidechain || r.Timestamp.IsZero() {
			return // a subagent's, or bookkeeping
		}
		switch {
		case r.Type == "assistant" && r.APIError:
			end = turnEnd{outcome: activity.OutcomeFailed, at: r.Timestamp, text: contentText(r.Message.Content)}
			if limits[r.Error] {
				end.outcome, end.resets = activity.OutcomeLimited, ResetTime(end.text, r.Timestamp)
			}
		case r.Type == "assistant" && r.Message.Stop == "end_turn", r.Type == "system" && r.Subtype == "turn_duration":
			end = turnEnd{outcome: activity.OutcomeDone, at: r.Timestamp}
		case r.Type == "user" && strings.HasPrefix(contentText(r.Message.Content), "[Request interrupted by user"):
			end = turnEnd{outcome: activity.OutcomeInterrupted, at: r.Timestamp}
		case r.Type == "user", r.Type == "assistant":
			end = turnEnd{outcome: activity.OutcomeOpen, at: r.Timestamp}
		}
	})
	return end
}

// contentText is the text of a message, which is a string or a list of blocks.
func contentText(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	var blocks []struct {
		Text string `json:"text"`
	}
	_ = json.Unmarshal(raw, &blocks) // anything else has no text
	for _, b := range blocks {
		if b.Text != "" {
			return b.Text
		}
	}
	return ""
}

func codexEnd(t *tail) (end turnEnd) {
	type row struct {
		Timestamp time.Time `json:"timestamp"`
		Type      string    `json:"type"`
		Payload   struct {
			Type  string `json:"type"`
			Error *struct {
				Message string          `json:"message"`
				Info    json.RawMessage `json:"codex_error_info"`
			} `json:"error"`
		} `json:"payload"`
	}
	rows(t, func(r row) {
		if r.Type != "event_msg" {
			return
		}
		switch r.Payload.Type {
		case "task_started":
			end = turnEnd{outcome: activity.OutcomeOpen, at: r.Timestamp}
		case "turn_aborted":
			end = turnEnd{outcome: activity.OutcomeInterrupted, at: r.Timestamp}
		case "task_complete":
			end = turnEnd{outcome: activity.OutcomeDone, at: r.Timestamp}
			if failure := r.Payload.Error; failure != nil {
				end.outcome, end.text = activity.OutcomeFailed, failure.Message
				if strings.Contains(string(failure.Info), "usage_limit") || strings.Contains(string(failure.Info), "rate_limit") {
					end.outcome, end.resets = activity.OutcomeLimited, ResetTime(end.text, r.Timestamp)
				}
			}
		}
	})
	return end
}

func copilotEnd(t *tail) (end turnEnd) {
	type row struct {
		Type      string    `json:"type"`
		Timestamp time.Time `json:"timestamp"`
		Data      struct {
			Reason string `json:"reason"`
		} `json:"data"`
	}
	rows(t, func(r row) {
		switch r.Type {
		case "abort": // of any cause; the user's are user_initiated, user_interrupt
			if strings.HasPrefix(r.Data.Reason, "user") {
				end = turnEnd{outcome: activity.OutcomeInterrupted, at: r.Timestamp}
			}
		case "user.message", "assistant.turn_start", "tool.execution_start":
			end = turnEnd{outcome: activity.OutcomeOpen, at: r.Timestamp}
		case "assistant.turn_end":
			if end.outcome == activity.OutcomeInterrupted {
				return // the end of what was interrupted
			}
			end = turnEnd{outcome: activity.OutcomeDone, at: r.Timestamp}
		}
	})
	return end
}

func kimiEnd(t *tail) (end turnEnd) {
	type row struct {
		Type   string  `json:"type"`
		Time   float64 `json:"timestamp"`
		Reason string  `json:"reason"`
	}
	rows(t, func(r row) {
		at := time.UnixMilli(int64(r.Time))
		if r.Time < 1e11 { // seconds
			at = time.UnixMilli(int64(r.Time * 1000))
		}
		switch {
		case r.Type == "turn.prompt":
			end = turnEnd{outcome: activity.OutcomeOpen, at: at}
		case r.Type == "turn.ended" && r.Reason == "cancelled":
			end = turnEnd{outcome: activity.OutcomeInterrupted, at: at}
		case r.Type == "turn.ended":
			end = turnEnd{outcome: activity.OutcomeDone, at: at}
		}
	})
	return end
}

var (
	resetStamp = regexp.MustCompile(`\|(\d{10})\b`)
	resetISO   = regexp.MustCompile(`(?i)\b(?:reset|again)[a-z ]*? (?:at|on) (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d))`)
	resetIn    = regexp.MustCompile(`(?i)\b(?:try again|resets?) in ((?:\d+ ?(?:hours?|minutes?|seconds?|h|m|s),? ?(?:and )?)+)`)
	resetPart  = regexp.MustCompile(`(\d+) ?([hms])`)
)

// ResetTime reads out of an engine's words when a limit ends; zero when they do not say so in a form that is known.
func ResetTime(text string, now time.Time) time.Time {
	if m := resetStamp.FindStringSubmatch(text); m != nil {
		n, _ := strconv.ParseInt(m[1], 10, 64) // ten digits
		return time.Unix(n, 0)
	}
	if m := resetISO.FindStringSubmatch(text); m != nil {
		t, _ := time.Parse(time.RFC3339, m[1]) // zero on a date that is none
		return t
	}
	if m := resetIn.FindStringSubmatch(text); m != nil {
		var d time.Duration
		for _, part := range resetPart.FindAllStringSubmatch(strings.ToLower(m[1]), -1) {
			n, err := strconv.Atoi(part[1])
			if err != nil || n > 1000 {
				return time.Time{}
			}
			d += time.Duration(n) * map[string]time.Duration{"h": time.Hour, "m": time.Minute, "s": time.Second}[part[2]]
		}
		return now.Add(d)
	}
	return time.Time{}
}
