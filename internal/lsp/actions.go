package lsp

import (
	"bytes"
	"context"
	"path/filepath"
	"slices"
	"strings"

	"codelinter/fix"
	"codelinter/flake8"
	"codelinter/rule"
)

// The kinds of code actions.
const (
	quickFix = "quickfix"
	fixAll   = "source.fixAll"
)

// maxActions bounds the findings of a range for which single actions are offered.
const maxActions = 16

type codeAction struct {
	Title       string       `json:"title"`
	Kind        string       `json:"kind"`
	Diagnostics []diagnostic `json:"diagnostics,omitempty"`
	IsPreferred bool         `json:"isPreferred,omitempty"`
	Edit        struct {
		Changes map[string][]textEdit `json:"changes"`
	} `json:"edit"`
}

type textEdit struct {
	Range   textRange `json:"range"`
	NewText string    `json:"newText"`
}

// codeAction offers edits that mend single findings of a range, and one that mends all findings
// in the document. All are proven, see package fix. It also offers to silence each of the findings
// with a comment.
func (s *session) codeAction(ctx context.Context, p struct {
	TextDocument textDocument `json:"textDocument"`
	Range        textRange    `json:"range"`
	Context      struct {
		Only []string `json:"only"`
	} `json:"context"`
}) (any, error) {
	s.mutex.Lock()
	d := s.documents[p.TextDocument.URI]
	if d == nil {
		s.mutex.Unlock()
		return nil, nil
	}
	text, encoding := d.text, s.encoding
	folder, file := s.place(d.uri)
	s.mutex.Unlock()

	name := file
	fixer, err := s.fixer(folder, name, text)
	if err != nil {
		s.say(ctx, err)
	}
	if err != nil || fixer == nil {
		return nil, nil
	}
	s.project.Refresh()
	fixer.Share(s.project)
	if folder != "" {
		name = filepath.Join(folder, name) // the working folder may change
	}
	lines := newLines(text)
	actions := []codeAction{}
	offer := func(title, kind string, preferred bool, changed []byte, findings ...*rule.Finding) {
		if bytes.Equal(changed, text) {
			return
		}
		action := codeAction{Title: title, Kind: kind, IsPreferred: preferred}
		for _, f := range findings {
			action.Diagnostics = append(action.Diagnostics, newDiagnostic(f, lines, encoding))
		}
		action.Edit.Changes = map[string][]textEdit{p.TextDocument.URI: {difference(text, changed, lines, encoding)}}
		actions = append(actions, action)
	}
	if wants(p.Context.Only, quickFix) {
		offered := 0
		for _, f := range fixer.Findings(name, text) {
			at := extent(&f, lines, encoding)
			if at.End.before(p.Range.Start) || p.Range.End.before(at.Start) || offered == maxActions {
				continue
			}
			offered++
			// The fixer's offsets count no byte order mark and no carriage returns, so compare rows
			// and columns.
			isThis := func(other *rule.Finding) bool {
				return other.Code.String() == f.Code.String() && other.Row == f.Row && other.Column == f.Column
			}
			offer("Fix "+f.Code.String()+": "+f.Message(), quickFix, true, fixer.FixOnly(name, text, isThis).Text, &f)
			silenced, err := s.silenced(folder, file, text, isThis)
			if err != nil {
				s.say(ctx, err)
				continue
			}
			offer("Silence "+f.Code.String()+" with a # noqa comment", quickFix, false, silenced, &f)
		}
	}
	if wants(p.Context.Only, fixAll) {
		offer("Fix all that codelinter can", fixAll, false, fixer.FixFile(name, text).Text)
	}
	return actions, nil
}

// wants reports whether a client wants actions of a kind: it names no kinds, or this one, or a
// kind that contains it.
func wants(only []string, kind string) bool {
	return len(only) == 0 || slices.ContainsFunc(only, func(wanted string) bool {
		return wanted == kind || strings.HasPrefix(kind, wanted+".") || strings.HasPrefix(wanted, kind+".")
	})
}

// fixer returns a fixer for a file, or nil if the file is excluded.
func (s *session) fixer(folder, name string, text []byte) (*fix.Fixer, error) {
	leave, err := s.enter(folder, name, text)
	if err != nil {
		return nil, err
	}
	defer leave()
	options, ok, err := flake8.OptionsFor(s.options.Args, name)
	if err != nil || !ok {
		return nil, err
	}
	return fix.New(options)
}

// silenced returns a text with comments that silence the wanted findings.
func (s *session) silenced(folder, name string, text []byte, wanted func(*rule.Finding) bool) ([]byte, error) {
	leave, err := s.enter(folder, name, text)
	if err != nil {
		return nil, err
	}
	defer leave()
	return flake8.SilenceText(s.options.Args, name, text, wanted)
}

// difference returns the edit from one text to another. It covers all rows between the common
// ones at the start and at the end.
func difference(before, after []byte, l *lines, e encoding) textEdit {
	start := 0
	for start < len(before) && start < len(after) && before[start] == after[start] {
		start++
	}
	start = bytes.LastIndexByte(before[:start], '\n') + 1
	end := 0
	for end < len(before)-start && end < len(after)-start && before[len(before)-1-end] == after[len(after)-1-end] {
		end++
	}
	if at := bytes.IndexByte(before[len(before)-end:], '\n'); at >= 0 {
		end -= at + 1
	} else {
		end = 0
	}
	return textEdit{
		Range:   textRange{l.position(start, e), l.position(len(before)-end, e)},
		NewText: string(after[start : len(after)-end]),
	}
}
