package fakeapi

import (
	"encoding/json"
	"net/http"
	"strings"
	"time"
)

// responses is OpenAI's Responses API, as Codex speaks it.
func (s *Server) responses(w http.ResponseWriter, r *http.Request, body []byte) {
	var req struct {
		Tools []tool `json:"tools"`
		Input []struct {
			Type    string          `json:"type"`
			Role    string          `json:"role"`
			Content json.RawMessage `json:"content"`
		} `json:"input"`
	}
	if err := json.Unmarshal(body, &req); err != nil {
		openaiError(w, http.StatusBadRequest, "invalid_request_error", err.Error())
		return
	}
	var said []string
	ran := false
	for _, it := range req.Input {
		switch {
		case it.Role == "user":
			said, ran = append(said, words(it.Content)...), false
		case strings.HasSuffix(it.Type, "_call_output"):
			ran = true
		}
	}
	p, _ := s.plan("responses", req.Tools, said, ran)
	if !refused(w, p) {
		s.streamResponse(w, r, p)
	}
}

func (s *Server) streamResponse(w http.ResponseWriter, r *http.Request, p plan) {
	send := stream(w)
	event := func(name string, fields object) {
		fields["type"] = name
		send(name, fields)
	}
	id := "resp_" + serial()
	item := func(content ...any) object {
		return object{"type": "message", "id": "msg_" + id, "role": "assistant", "content": append([]any{}, content...)}
	}
	event("response.created", object{"response": object{"id": id}})
	if p.word == "run" {
		args, _ := json.Marshal(object{"cmd": p.command, "sandbox_permissions": "require_escalated", "justification": "the test asks for it"}) // texts
		event("response.output_item.done", object{"output_index": 0, "item": object{
			"type": "function_call", "id": "fc_" + serial(), "call_id": "call_" + serial(), "name": "exec_command", "arguments": string(args),
		}})
	} else {
		event("response.output_item.added", object{"output_index": 0, "item": item()})
		text := ""
		if !s.tell(r, p, func(part string) {
			text += part
			event("response.output_text.delta", object{"item_id": "msg_" + id, "output_index": 0, "content_index": 0, "delta": part})
		}) {
			return
		}
		event("response.output_item.done", object{"output_index": 0, "item": item(object{"type": "output_text", "text": text})})
	}
	event("response.completed", object{"response": object{"id": id, "usage": object{
		"input_tokens": 7, "input_tokens_details": nil, "output_tokens": 3, "output_tokens_details": nil, "total_tokens": 10,
	}}})
}

// refused answers what is to be refused.
func refused(w http.ResponseWriter, p plan) bool {
	switch p.word {
	case "limit":
		openaiError(w, http.StatusTooManyRequests, "usage_limit_reached", limitText)
	case "fail":
		openaiError(w, http.StatusBadRequest, "invalid_request_error", failText)
	default:
		return false
	}
	return true
}

func openaiError(w http.ResponseWriter, status int, kind, text string) {
	fields := object{"type": kind, "message": text}
	if status == http.StatusTooManyRequests {
		fields["plan_type"], fields["resets_at"] = "plus", time.Now().Add(2*time.Hour).Unix()
	}
	reply(w, status, object{"error": fields})
}
