package ask_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"

	"codelinter/evaluator/task"
	"codelinter/internal/eval/ask"
)

// A model is asked for two answers to a task. The server here gives the same to
// everybody.
func Example() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/v1/chat/completions" {
			http.NotFound(w, r)
			return
		}
		io.WriteString(w, `{"choices": [{"message": {"content": "x = 1\n"}, "finish_reason": "stop"}, {"message": {"content": "x =1\n"}, "finish_reason": "stop"}]}`)
	}))
	defer server.Close()
	folder, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)

	tasks, err := task.NewSet([]task.Task{{Instruction: "Mend:\n{code}", Inputs: task.Inputs{Code: "x=1\n"}, Meta: task.Meta{ID: "7"}}})
	if err != nil {
		log.Fatal(err)
	}
	settings := ask.Settings{Model: "m", Temperature: 0.6, MaxTokens: 1024}
	journal, err := ask.Open(filepath.Join(folder, "samples.jsonl"), tasks, settings)
	if err != nil {
		log.Fatal(err)
	}
	defer journal.Close()
	summary, err := ask.Ask(context.Background(), tasks, journal, ask.Options{
		BaseURL: server.URL + "/v1", Settings: settings, Samples: 2,
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(summary.Asked, "samples came in")
	if err := journal.Collect(os.Stdout, nil); err != nil {
		log.Fatal(err)
	}
	// Output:
	// 2 samples came in
	// {"id":7,"task_digest":"98752ee2-6e340b9c","outputs":["x = 1\n","x =1\n"]}
}

func ExampleStripThinking() {
	fmt.Printf("%q\n", ask.StripThinking("<think>Is x used?</think>\n\nx = 1\n"))
	// Output: "x = 1\n"
}
