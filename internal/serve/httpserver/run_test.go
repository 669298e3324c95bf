package httpserver

import (
	"net/http"
	"strings"
	"testing"
)

// What another route answers with 503 is 504 for clients of SandboxFusion.
func TestRunCode(t *testing.T) {
	s := start(t, Options{})
	w := askAgain(s, "POST", "/run_code", `{"code": "print(1 + 1)", "language": "python"}`)
	if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), `"return_code": 0, "stdout": "2\n"`) && !strings.Contains(w.Body.String(), `"return_code":0,"stdout":"2\n"`) {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if w := ask(s, "POST", "/run_code", `{"code": "", "language": "go"}`); w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), "expected python") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	for _, files := range []string{`{"main.py": "eA=="}`, `{"a": "eA==", "a/b": "eA=="}`, `{"a\u0000b": "eA=="}`, `{"": "eA=="}`} {
		if w := askAgain(s, "POST", "/run_code", `{"code": "print(1)", "language": "python", "files": `+files+`}`); w.Code != http.StatusBadRequest {
			t.Errorf("%s: %d %s", files, w.Code, w.Body)
		}
	}
	s.programs.Close()
	if w := ask(s, "POST", "/run_code", `{"code": "print(1 + 1)", "language": "python"}`); w.Code != http.StatusGatewayTimeout || w.Header().Get("Retry-After") == "" {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}
