package api

import (
	"strings"
	"testing"
)

func TestAfterPrompt(t *testing.T) {
	long := strings.Repeat("Here is a program with faults. ", 20)
	for _, test := range []struct {
		text, prompt, want string
		found              bool
	}{
		{"prompt answer", "prompt ", "answer", true},
		{"prompt", "prompt", "", true},
		{"<s> prompt answer", "prompt ", "answer", true},                                                // a token before it
		{"<|begin_of_text|><|start|>p\nx = 1", "<|start|>p\n", "x = 1", true},                           // one more than the prompt has
		{"<｜begin▁of▁sentence｜>Fix this program, please.\nx", "Fix this program, please.\n", "x", true}, // DeepSeek's
		{"fix . this:\n    x = 1", "fix. this:\n", "    x = 1", true},                                   // decoding made a blank
		{"fix.this:\n\n\ndef f", "fix . this:\n\n", "\ndef f", true},                                    // and took some away
		{long[100:] + "x = 1\n", long, "x = 1\n", true},                                                 // it lost its start
		{"▁Fix▁this▁program▁now x", "Fix this program now", " x", true},
		{"other", "prompt", "", false},
		{"t answer", "prompt", "", false}, // too little of it to be sure
		{"", "prompt", "", false},
		{"x", "", "x", true},
	} {
		got, found := AfterPrompt(test.text, test.prompt)
		if got != test.want || found != test.found {
			t.Errorf("%.60q after %.60q: %q, %v, want %q, %v", test.text, test.prompt, got, found, test.want, test.found)
		}
	}
}

func TestWithoutEnd(t *testing.T) {
	for text, want := range map[string]string{
		"x = 1\n":                             "x = 1\n",
		"x = 1\n<|im_end|>":                   "x = 1\n",
		"x = 1\n<|im_end|>\n":                 "x = 1\n",
		"x = 1\n</s></s> <pad>":               "x = 1\n",
		"x<｜end▁of▁sentence｜>":                "x",
		"x<|eot_id|><|end_of_text|>":          "x",
		"a <|im_end|> b":                      "a <|im_end|> b",
		"a <| b |>":                           "a <| b |>",
		"a <||>":                              "a <||>",
		"if a <|b|> c:\n    pass\n":           "if a <|b|> c:\n    pass\n",
		"<|" + strings.Repeat("x", 60) + "|>": "<|" + strings.Repeat("x", 60) + "|>",
		"<end_of_turn>":                       "",
		"":                                    "",
	} {
		if got := WithoutEnd(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// Whatever comes after a prompt is found as it is, and in linear time.
func FuzzAfterPrompt(f *testing.F) {
	f.Add("a prompt of some length, as they are\n", "x = 1\n<|im_end|>")
	f.Fuzz(func(t *testing.T, prompt, answer string) {
		if got, found := AfterPrompt(prompt+answer, prompt); !found || got != answer {
			t.Fatalf("%q, %v", got, found)
		}
		AfterPrompt("<s> "+answer, prompt)
		AfterPrompt(answer, prompt)
		if got := WithoutEnd(answer); !strings.HasPrefix(answer, got) {
			t.Fatalf("%q of %q", got, answer)
		}
	})
}
