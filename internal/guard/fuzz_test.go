package guard_test

import (
	"bytes"
	"testing"

	"codelinter/internal/guard"
	"codelinter/internal/testenv/bench"
	"codelinter/lint"
	"codelinter/source"
	"codelinter/tokenizer"
)

// reformat returns text with a comment after each logical line and a blank after
// each comma: the same tree to Python. It returns false for what does not
// tokenize.
func reformat(text string) ([]byte, bool) {
	var tok tokenizer.Tokenizer
	tokens, err := tok.Tokenize(text, tokenizer.Options{})
	if err != nil {
		return nil, false
	}
	var out []byte
	from, strings := int32(0), 0
	insert := func(at int32, what string) {
		out = append(append(out, text[from:at]...), what...)
		from = at
	}
	for _, token := range tokens {
		switch token.Kind {
		case tokenizer.FSTRING_START, tokenizer.TSTRING_START:
			strings++
		case tokenizer.FSTRING_END, tokenizer.TSTRING_END:
			strings--
		case tokenizer.COMMA:
			if strings == 0 {
				insert(token.End, " ")
			}
		case tokenizer.NEWLINE:
			if token.End > token.Start && text[token.End-1] == '\n' {
				insert(token.End, "# a comment\n")
			}
		}
	}
	return append(out, text[from:]...), true
}

// reflexive requires that a program is the same tree as itself, reformatted or
// not, and that judging it neither fails nor depends on what was judged before.
func reflexive(t *testing.T, c *guard.Checker, data []byte) {
	p, err := c.Program(data)
	if err != nil {
		return
	}
	if c.Check(p, data, lint.Facts{}); !c.Proven(p) {
		t.Errorf("not the same as itself:\n%s", data)
	}
	var file source.File
	if err := file.Load(bytes.Clone(data)); err != nil || file.FellBack || file.Encoding != "" || !p.HasPattern() {
		return
	}
	again, ok := reformat(file.Text)
	if !ok {
		return
	}
	if c.Check(p, again, lint.Facts{}); !c.Proven(p) {
		t.Errorf("not the same reformatted:\n%s\n%s", data, again)
	}
	var fresh guard.Checker
	if fresh.Check(p, data, lint.Facts{}); !fresh.Proven(p) {
		t.Errorf("a used Checker proves what a new one does not:\n%s", data)
	}
}

func goldens(t testing.TB) (all [][]byte) {
	for _, text := range bench.Goldens(t) {
		all = append(all, []byte(text))
	}
	return all
}

func TestGoldensAreThemselves(t *testing.T) {
	var c guard.Checker
	for _, data := range goldens(t) {
		reflexive(t, &c, data)
	}
}

func FuzzCheck(f *testing.F) {
	for i, data := range goldens(f) {
		if i%8 == 0 && len(data) < 4096 {
			f.Add(data, data)
		}
	}
	f.Add([]byte(benchProgram), []byte(benchAnswer))
	f.Fuzz(func(t *testing.T, program, answer []byte) {
		var c guard.Checker
		reflexive(t, &c, program)
		reflexive(t, &c, answer)
		p, err := c.Program(program, string(answer))
		if err != nil {
			return
		}
		r := c.Check(p, answer, lint.Facts{})
		if r.SameTree && len(r.Reasons) > 0 {
			t.Error("refused, and the same tree")
		}
		for _, d := range r.Renamed {
			if d.Path == "" || d.Answer == d.Path {
				t.Errorf("renaming %+v", d)
			}
		}
		for _, reason := range r.Reasons {
			if reason.Text == "" || reason.Line < 0 {
				t.Errorf("reason %+v", reason)
			}
		}
	})
}
