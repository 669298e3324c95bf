package task

import "testing"

// What Python's instruction.format(code=..., feedback=...).strip() gives, where it
// gives anything.
func TestPrompt(t *testing.T) {
	for _, test := range []struct{ instruction, code, feedback, want string }{
		{"Mend\n{code}\nof {feedback}.", "x=1\n", "E225", "Mend\nx=1\n\nof E225."},
		{"{feedback}{code}{feedback}", "{feedback}{{", "{code}", "{code}{feedback}{{{code}"},
		{"{{code}} {{{code}}} {{}}", "x", "", "{code} {x} {}"},
		{" \n\x1c\u3000{code}\x1f\u0085\n", "\n x\n", "", "x"},
		{"{code}\x00\u200b", "", "", "\x00\u200b"},
		{"{ code } {x} {code}}", "x", "", "{ code } {x} x}"}, // errors in Python
	} {
		task := Task{Instruction: test.instruction, Inputs: Inputs{Code: test.code, Feedback: test.feedback}}
		if got := task.Prompt(); got != test.want {
			t.Errorf("%q: %q, want %q", test.instruction, got, test.want)
		}
	}
}
