// Package edit is the gate for an edit: what a new text of a file has that the old one did not.
//
//	gate, err := edit.New(lint.Options{})
//	result, err := gate.Check("spam.py", before, after)
//	len(result.New)  // findings that the edit brings in
//	result.Tree      // edit.Same if both have one syntax tree
//	result.Meaning   // edit.Same if both are proven to do the same
//
// New and old findings are told apart by package newfindings, and the proof is the judge's, see
// package same: nothing is run. A [Runner] runs what the texts leave open.
package edit

import (
	"errors"
	"slices"
	"strconv"

	"codelinter/ast"
	"codelinter/internal/equiv/same"
	"codelinter/internal/newfindings"
	"codelinter/internal/python/pyjson"
	"codelinter/lint"
	"codelinter/rule"
	"codelinter/source"
)

// A Relation is how two texts relate.
type Relation uint8

// The relations.
const (
	Unknown Relation = iota
	Same
	Other
)

// String returns "unknown", "same" or "other".
func (r Relation) String() string { return [...]string{"unknown", "same", "other"}[r] }

// The proofs of a meaning that is the same.
const (
	ByTree  = "tree"  // the syntax trees are equal
	ByForm  = "form"  // the trees differ in what cannot change the meaning
	ByEdits = "edits" // the other edits are those that old findings ask for
	ByRuns  = "runs"  // both did the same when run
)

// A Result shares no memory with the Gate.
type Result struct {
	New   []rule.Finding // of the new text, which the old one does not have
	Gone  []rule.Finding // of the old text, which the new one does not have
	Found int            // findings in the new text

	Tree    Relation
	Meaning Relation
	Proof   string   // of a meaning that is the same; "" for none
	Reasons []string // why the meaning is another, or unknown after a run
}

// A Gate checks one edit after another and reuses its memory. It is not safe for concurrent use.
type Gate struct {
	// Foreign returns what plugins find in a text, whatever they have seen before. nil stands for
	// no plugins.
	Foreign func(name string, text []byte) (lint.ForeignFindings, error)

	before, after *lint.Linter
	findings      newfindings.Comparer
	original      same.Original
	comparer      same.Comparer
}

// New returns a Gate for flake8's options.
func New(options lint.Options) (*Gate, error) {
	before, err := lint.New(options)
	if err != nil {
		return nil, err
	}
	return &Gate{before: before, after: before.Clone()}, nil
}

// SetOptions sets other options, which [New] takes.
func (g *Gate) SetOptions(options lint.Options) error {
	return errors.Join(g.before.SetOptions(options), g.after.SetOptions(options))
}

// Check compares two texts of a file. An error is one of plugins.
func (g *Gate) Check(name string, before, after []byte) (r Result, err error) {
	old, now := g.before.Lint(lint.Input{Name: name, Data: before, Tree: true}), g.after.Lint(lint.Input{Name: name, Data: after, Tree: true})
	asked := old.Findings
	if err := errors.Join(g.plug(&old, name, before), g.plug(&now, name, after)); err != nil {
		return r, err
	}
	g.findings.Read(before, after)
	added, gone := g.findings.Compare(newfindings.Findings{List: old.Findings, Invalid: old.Invalid}, newfindings.Findings{List: now.Findings})
	r = Result{New: chosen(now.Findings, added), Gone: chosen(old.Findings, gone), Found: len(now.Findings)}
	switch {
	case old.Tree != nil && now.Tree != nil:
		g.compare(&r, &old, &now, asked)
	case old.Tree != nil && now.Invalid, old.Invalid && now.Tree != nil:
		r.Tree, r.Meaning = Other, Other
	}
	return r, nil
}

// plug adds what plugins find in a text to its result.
func (g *Gate) plug(result *lint.Result, name string, text []byte) error {
	if g.Foreign == nil || !result.RunsPlugins() {
		return nil
	}
	found, err := g.Foreign(name, text)
	if err == nil {
		result.Add(found)
	}
	return err
}

// chosen returns the chosen findings with texts of their own.
func chosen(findings []rule.Finding, are []bool) (list []rule.Finding) {
	for i := range findings {
		if are[i] {
			list = append(list, findings[i].Clone())
		}
	}
	return list
}

// compare compares two trees, and the meanings if the trees differ. asked are the old text's
// findings by flake8's own tools.
func (g *Gate) compare(r *Result, old, now *lint.Result, asked []rule.Finding) {
	if ast.Equal(old.Tree, now.Tree) {
		r.Tree, r.Meaning, r.Proof = Same, Same, ByTree
		return
	}
	r.Tree = Other
	original := &g.original
	original.Reset(old.File, old.Tree)
	g.comparer.Read(original, now.Tree, now.File.Text)
	asks := len(r.Gone) > 0 && original.File.IsGiven() // offsets are those in its text
	if asks {
		original.Ask(asked)
	} else {
		original.Ask(nil)
	}
	if !g.comparer.Same(original) {
		return
	}
	r.Meaning, r.Proof = Same, ByForm
	if asks {
		if original.Ask(nil); !g.comparer.Same(original) {
			r.Proof = ByEdits
		}
	}
}

// A Runner runs two programs, and says whether they do the same, and why not. findings are those of
// the first program; edits that they ask for are no differences. An error is ours.
type Runner func(before, after string, findings []rule.Finding) (Relation, []string, error)

// Run is Check with a Runner for what the texts leave open.
func (g *Gate) Run(name string, before, after []byte, run Runner) (Result, error) {
	r, err := g.Check(name, before, after)
	if err != nil || r.Tree != Other || r.Meaning != Unknown {
		return r, err
	}
	old := g.before.Lint(lint.Input{Name: name, Data: before})
	var texts [2]source.File
	if texts[0].Load(before) != nil || texts[1].Load(after) != nil {
		return r, nil
	}
	findings := slices.Clone(old.Findings)
	if !texts[0].IsGiven() {
		findings = nil
	}
	if r.Meaning, r.Reasons, err = run(texts[0].Text, texts[1].Text, findings); r.Meaning == Same {
		r.Proof = ByRuns
	}
	return r, err
}

// mostFindings bounds the bytes of each list of findings in JSON.
const mostFindings = 4 << 20

// AppendJSON appends the fields of an object: new, gone, found, tree, meaning, proof and reasons.
// Lists of findings are cut after 4 MB.
func (r *Result) AppendJSON(dst []byte) []byte {
	dst = appendFindings(append(dst, `"new": [`...), r.New)
	dst = appendFindings(append(dst, `], "gone": [`...), r.Gone)
	dst = strconv.AppendInt(append(dst, `], "found": `...), int64(r.Found), 10)
	dst = pyjson.AppendQuoted(append(dst, `, "tree": `...), r.Tree.String())
	dst = pyjson.AppendQuoted(append(dst, `, "meaning": `...), r.Meaning.String())
	dst = pyjson.AppendQuoted(append(dst, `, "proof": `...), r.Proof)
	dst = append(dst, `, "reasons": [`...)
	for i, reason := range r.Reasons {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = pyjson.AppendQuoted(dst, reason)
	}
	return append(dst, ']')
}

func appendFindings(dst []byte, findings []rule.Finding) []byte {
	start := len(dst)
	for i := range findings {
		if len(dst)-start+findings[i].Length() > mostFindings {
			break
		}
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = findings[i].AppendJSON(dst)
	}
	return dst
}
