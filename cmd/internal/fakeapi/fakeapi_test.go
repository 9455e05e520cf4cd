package fakeapi

import (
	"bufio"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
)

func TestTheLastLineOfWhatTheUserSaidIsThePlan(t *testing.T) {
	for _, tc := range []struct {
		said []string
		ran  bool
		want plan
	}{
		{[]string{"model:run touch x"}, false, plan{"run", "touch x"}},
		{[]string{"model:run touch x"}, true, plan{}},
		{[]string{"model:limit", "hello"}, false, plan{}},
		{[]string{"model:limit\nmodel:fail now"}, false, plan{"fail", "now"}},
		{[]string{"model:holding"}, false, plan{}},
		{nil, false, plan{}},
	} {
		if got := planOf(tc.said, tc.ran); got != tc.want {
			t.Errorf("%q: %+v, want %+v", tc.said, got, tc.want)
		}
	}
}

// A held answer begins, and ends when it is released; what offers no shell is not held and not recorded.
func TestAnAnswerIsHeldInEachDialect(t *testing.T) {
	for path, body := range map[string]string{
		"/v1/messages":         `{"stream":true,"tools":[{"name":"Bash"}],"messages":[{"role":"user","content":[{"type":"text","text":"<tag>"},{"type":"text","text":"model:hold"}]}]}`,
		"/v1/responses":        `{"tools":[{"name":"exec_command"}],"input":[{"role":"user","content":[{"type":"input_text","text":"model:hold"}]}]}`,
		"/v1/chat/completions": `{"stream":true,"tools":[{"function":{"name":"Bash"}}],"messages":[{"role":"user","content":"model:hold"}]}`,
	} {
		s := New()
		server := httptest.NewServer(s)
		r, err := http.Post(server.URL+path, "application/json", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		lines, text, released := bufio.NewScanner(r.Body), "", false
		for lines.Scan() {
			data, ok := strings.CutPrefix(lines.Text(), "data: ")
			if ok && data != "[DONE]" && !json.Valid([]byte(data)) {
				t.Errorf("%s: %q", path, data)
			}
			if text += data; !released && strings.Contains(data, Begins) {
				for s.Held() == 0 {
					runtime.Gosched() // it is about to be
				}
				s.Release()
				released = true
			}
		}
		r.Body.Close()
		if !strings.Contains(text, Answer) || s.Held() != 0 {
			t.Errorf("%s: %d held, %s", path, s.Held(), text)
		}
		if calls := s.Calls(); len(calls) != 1 || len(calls[0].Said) != 1 {
			t.Errorf("%s: %+v", path, calls)
		}
		server.Close()
	}
}
