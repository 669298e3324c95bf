package httpserver

import (
	"net/http"
	"strings"
	"testing"
)

// What another route answers with 503 is 504 for clients of SandboxFusion. A program that can be neither accepted nor rejected is 422.
func TestRunCode(t *testing.T) {
	s := start(t, Options{})
	w := askAgain(s, "POST", "/run_code", `{"code": "print(1 + 1)", "language": "python"}`)
	if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), `"return_code": 0, "stdout": "2\n"`) && !strings.Contains(w.Body.String(), `"return_code":0,"stdout":"2\n"`) {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if w := ask(s, "POST", "/run_code", `{"code": "", "language": "go"}`); w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), "expected python") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	submission := func(program string) string {
		return `{"dataset": "mine", "id": 7, "completion": "` + "```\\n" + program + "\\n```" + `", "config": {"dataset_type": "CommonOJDataset", "language": "python",
			"provided_data": {"test": [{"input": {"stdin": "2"}, "output": {"stdout": "4"}}]}}}`
	}
	for program, want := range map[string]string{"print(int(input()) * 2)": `"id":7,"accepted":true,`, "print(5)": `"accepted":false,`} {
		if w := askAgain(s, "POST", "/submit", submission(program)); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%d %s", w.Code, w.Body)
		}
	}
	if w := askAgain(s, "POST", "/submit", submission("import numpy")); w.Code != http.StatusUnprocessableEntity || !strings.Contains(w.Body.String(), "ModuleNotHere: numpy") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	s.programs.Close()
	if w := ask(s, "POST", "/submit", submission("print(4)")); w.Code != http.StatusGatewayTimeout || w.Header().Get("Retry-After") == "" {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if w := ask(s, "POST", "/run_code", `{"code": "print(1 + 1)", "language": "python"}`); w.Code != http.StatusGatewayTimeout || w.Header().Get("Retry-After") == "" {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}
