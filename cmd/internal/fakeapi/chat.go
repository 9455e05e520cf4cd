package fakeapi

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

// chat is OpenAI's Chat Completions API, as Kimi Code and others speak it.
func (s *Server) chat(w http.ResponseWriter, r *http.Request, body []byte) {
	var req struct {
		Model  string `json:"model"`
		Stream bool   `json:"stream"`
		Tools  []struct {
			Function tool `json:"function"`
		} `json:"tools"`
		Messages []struct {
			Role    string          `json:"role"`
			Content json.RawMessage `json:"content"`
		} `json:"messages"`
	}
	if err := json.Unmarshal(body, &req); err != nil {
		openaiError(w, http.StatusBadRequest, "invalid_request_error", err.Error())
		return
	}
	var said []string
	ran := false
	for _, m := range req.Messages {
		switch m.Role {
		case "user":
			said, ran = append(said, words(m.Content)...), false
		case "tool":
			ran = true
		}
	}
	var tools []tool
	for _, t := range req.Tools {
		tools = append(tools, t.Function)
	}
	p, shell := s.plan("chat", tools, said, ran)
	switch {
	case refused(w, p):
	case req.Stream:
		s.streamChat(w, r, req.Model, p, shell)
	default:
		reply(w, http.StatusOK, object{
			"id": "chat_" + serial(), "object": "chat.completion", "model": req.Model, "usage": chatUsage,
			"choices": []any{object{"index": 0, "message": object{"role": "assistant", "content": Answer}, "finish_reason": "stop"}},
		})
	}
}

var chatUsage = object{"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10}

func (s *Server) streamChat(w http.ResponseWriter, r *http.Request, model string, p plan, shell string) {
	send, id := stream(w), "chat_"+serial()
	chunk := func(usage any, choices ...any) {
		send("", object{
			"id": id, "object": "chat.completion.chunk", "created": time.Now().Unix(), "model": model, "usage": usage, "choices": append([]any{}, choices...),
		})
	}
	delta := func(fields object) { chunk(nil, object{"index": 0, "delta": fields, "finish_reason": nil}) }
	finish := "stop"
	delta(object{"role": "assistant", "content": ""})
	if p.word == "run" {
		args, _ := json.Marshal(object{"command": p.command, "description": "what the test asks for"}) // texts
		finish = "tool_calls"
		delta(object{"tool_calls": []any{object{
			"index": 0, "id": "call_" + serial(), "type": "function", "function": object{"name": shell, "arguments": string(args)},
		}}})
	} else if !s.tell(r, p, func(part string) { delta(object{"content": part}) }) {
		return
	}
	chunk(nil, object{"index": 0, "delta": object{}, "finish_reason": finish})
	chunk(chatUsage)
	fmt.Fprint(w, "data: [DONE]\n\n")
}
