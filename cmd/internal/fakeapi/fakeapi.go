// Package fakeapi answers in the place of the model APIs that AI command lines call, with no model behind it. What a turn becomes is written
// in its prompt:
//
//	model:hold          begin an answer, and go on only when the test says so or the caller has left
//	model:run COMMAND   ask for COMMAND to be run in the engine's shell, then end the turn
//	model:limit         refuse the request: a limit is reached
//	model:fail          refuse the request: it is invalid
//	anything else       answer at once
//
// It speaks three dialects, told apart by their paths: messages (Anthropic), responses and chat completions (OpenAI). Requests that offer no
// shell, by which engines look for a title and the like, are answered in a word and not recorded.
//
// It imports the standard library only. A Server may be used by any goroutine. It keeps the last maxCalls calls.
package fakeapi

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
)

const (
	// Answer is what every turn ends with that ends well.
	Answer = "That is done."
	// Begins is what an answer that is held begins with.
	Begins = "I am thinking. "

	limitText = "you have reached a limit of this test"
	failText  = "this test wants no answer"

	maxBody  = 16 << 20
	maxCalls = 256
)

// Call is one request for an answer.
type Call struct {
	Dialect string
	// Said is what the user has said in the conversation, the oldest first.
	Said []string
}

// Server is the handler of all dialects.
type Server struct {
	mu    sync.Mutex
	calls []Call
	held  int           // answers that wait
	free  chan struct{} // closed when they may go on
}

// New makes a server that holds nothing yet.
func New() *Server { return &Server{free: make(chan struct{})} }

// Calls lists what was asked for, the oldest first.
func (s *Server) Calls() []Call {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.calls)
}

// Held is how many answers are held.
func (s *Server) Held() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.held
}

// Release lets every answer that is held go on to its end.
func (s *Server) Release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	close(s.free)
	s.free = make(chan struct{})
}

// hold waits for Release. It is false when ctx ended first.
func (s *Server) hold(ctx context.Context) bool {
	count := func(by int) chan struct{} {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.held += by
		return s.free
	}
	free := count(+1)
	defer count(-1)
	select {
	case <-free:
		return true
	case <-ctx.Done():
		return false
	}
}

// dialects are the APIs by the end of their paths.
var dialects = map[string]func(*Server, http.ResponseWriter, *http.Request, []byte){
	"/v1/messages": (*Server).messages, "/responses": (*Server).responses, "/chat/completions": (*Server).chat,
}

// ServeHTTP answers a request. What is none for an answer gets 404, which engines live with.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		reply(w, http.StatusRequestEntityTooLarge, object{"error": err.Error()})
		return
	}
	for path, dialect := range dialects {
		if r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, path) {
			dialect(s, w, r, body)
			return
		}
	}
	reply(w, http.StatusNotFound, object{"error": object{"type": "not_found_error", "message": "nothing is at " + r.URL.Path}})
}

// object is a JSON object.
type object = map[string]any

func reply(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // a caller that has left is told nothing
}

// stream begins an answer of server-sent events; the function sends one, "" without a name.
func stream(w http.ResponseWriter) func(name string, v any) {
	w.Header().Set("Content-Type", "text/event-stream")
	w.WriteHeader(http.StatusOK)
	flush := http.NewResponseController(w).Flush
	return func(name string, v any) {
		if name != "" {
			fmt.Fprintf(w, "event: %s\n", name)
		}
		data, _ := json.Marshal(v) // maps, lists and texts
		fmt.Fprintf(w, "data: %s\n\n", data)
		_ = flush() // a caller that has left is told nothing
	}
}

// plan is what a turn becomes.
type plan struct {
	word    string // hold, run, limit or fail; "" answers
	command string
}

var directive = regexp.MustCompile(`model:(hold|run|limit|fail)\b ?(.*)`)

// planOf reads the plan out of the last line of what the user has said last. A turn whose command has run is answered.
func planOf(said []string, ran bool) plan {
	if len(said) == 0 || ran {
		return plan{}
	}
	lines := strings.Split(strings.TrimSpace(said[len(said)-1]), "\n")
	m := directive.FindStringSubmatch(lines[len(lines)-1])
	if m == nil {
		return plan{}
	}
	return plan{m[1], strings.TrimSpace(m[2])}
}

// tool is what a request offers to the model.
type tool struct {
	Name string `json:"name"`
}

// shells are the names of the tools that run commands.
var shells = map[string]bool{"bash": true, "Bash": true, "shell": true, "Shell": true, "exec_command": true}

// plan is what is to become of a request, and the name of the tool that runs commands. A request that offers none is answered.
func (s *Server) plan(dialect string, tools []tool, said []string, ran bool) (p plan, shell string) {
	for _, t := range tools {
		if !shells[t.Name] {
			continue
		}
		s.mu.Lock()
		s.calls = append(s.calls, Call{dialect, said})
		s.calls = s.calls[max(len(s.calls)-maxCalls, 0):]
		s.mu.Unlock()
		return planOf(said, ran), t.Name
	}
	return plan{}, ""
}

// tell gives an answer in parts, with the pause that is planned. It is false when the caller has left.
func (s *Server) tell(r *http.Request, p plan, part func(string)) bool {
	if p.word == "hold" {
		part(Begins)
		if !s.hold(r.Context()) {
			return false
		}
	}
	part(Answer)
	return true
}

// words are the texts of a message: a string, or the blocks of a list that are the user's.
func words(raw json.RawMessage) []string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return own(text)
	}
	var blocks []struct {
		Text string `json:"text"`
	}
	_ = json.Unmarshal(raw, &blocks) // anything else has no text
	var all []string
	for _, b := range blocks {
		all = append(all, own(b.Text)...)
	}
	return all
}

// own drops a text that is an engine's word about itself or its place, which it puts into tags.
func own(text string) []string {
	if text = strings.TrimSpace(text); text == "" || strings.HasPrefix(text, "<") || strings.HasPrefix(text, "[") {
		return nil
	}
	return []string{text}
}
