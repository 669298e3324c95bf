package task

import (
	"codelinter/rule"
	"testing"
)

func TestAppendFeedback(t *testing.T) {
	got := string(AppendFeedback([]byte(">"), []rule.Finding{
		rule.Finding{Row: 2, Column: 80, Code: rule.E501}.With(rule.Values{A: 86, B: 79}),
		rule.Finding{Row: 13, Column: 7, Code: rule.E231}.With(rule.Values{Text: ","}),
	}))
	if want := ">E501: line too long (86 > 79 characters) in 2 line\nE231: missing whitespace after ',' in 13 line\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
