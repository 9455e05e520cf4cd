package fakeapi

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// messages is Anthropic's Messages API.
func (s *Server) messages(w http.ResponseWriter, r *http.Request, body []byte) {
	var req struct {
		Model    string `json:"model"`
		Stream   bool   `json:"stream"`
		Tools    []tool `json:"tools"`
		Messages []struct {
			Role    string          `json:"role"`
			Content json.RawMessage `json:"content"`
		} `json:"messages"`
	}
	if err := json.Unmarshal(body, &req); err != nil {
		messagesError(w, http.StatusBadRequest, "invalid_request_error", err.Error())
		return
	}
	var said []string
	ran := false
	for _, m := range req.Messages {
		if m.Role == "user" { // what an engine adds at the end is of another role
			texts := words(m.Content)
			ran = len(texts) == 0 && strings.Contains(string(m.Content), `"tool_result"`)
			said = append(said, texts...)
		}
	}
	p, shell := s.plan("messages", req.Tools, said, ran)
	switch p.word {
	case "limit":
		messagesError(w, http.StatusTooManyRequests, "rate_limit_error", limitText)
		return
	case "fail":
		messagesError(w, http.StatusBadRequest, "invalid_request_error", failText)
		return
	}
	if !req.Stream {
		reply(w, http.StatusOK, message(req.Model, []any{object{"type": "text", "text": Answer}}, "end_turn"))
		return
	}
	s.streamMessage(w, r, req.Model, p, shell)
}

func message(model string, content []any, stop any) object {
	return object{
		"id": "msg_" + serial(), "type": "message", "role": "assistant", "model": model, "content": content, "stop_reason": stop, "stop_sequence": nil,
		"usage": object{"input_tokens": 7, "output_tokens": 3, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0},
	}
}

func (s *Server) streamMessage(w http.ResponseWriter, r *http.Request, model string, p plan, shell string) {
	send := stream(w)
	event := func(name string, fields object) {
		fields["type"] = name
		send(name, fields)
	}
	delta := func(fields object) { event("content_block_delta", object{"index": 0, "delta": fields}) }
	event("message_start", object{"message": message(model, []any{}, nil)})
	stop := "end_turn"
	if p.word == "run" {
		input, _ := json.Marshal(object{"command": p.command, "description": "what the test asks for"}) // texts
		event("content_block_start", object{"index": 0, "content_block": object{
			"type": "tool_use", "id": "toolu_" + serial(), "name": shell, "input": object{},
		}})
		delta(object{"type": "input_json_delta", "partial_json": string(input)})
		stop = "tool_use"
	} else {
		event("content_block_start", object{"index": 0, "content_block": object{"type": "text", "text": ""}})
		if !s.tell(r, p, func(part string) { delta(object{"type": "text_delta", "text": part}) }) {
			return
		}
	}
	event("content_block_stop", object{"index": 0})
	event("message_delta", object{"delta": object{"stop_reason": stop, "stop_sequence": nil}, "usage": object{"output_tokens": 3}})
	event("message_stop", object{})
}

func messagesError(w http.ResponseWriter, status int, kind, text string) {
	w.Header().Set("X-Should-Retry", "false")
	reply(w, status, object{"type": "error", "error": object{"type": kind, "message": text}})
}

// serial is an id that is not given out twice.
func serial() string { return strconv.FormatInt(time.Now().UnixNano(), 36) }
