package fix

import (
	"slices"
	"strings"

	"codelinter/ast"
	"codelinter/internal/guard"
	"codelinter/lint"
	"codelinter/parser"
	"codelinter/pep8"
	"codelinter/rule"
	"codelinter/source"
	"codelinter/tokenizer"
)

// A Proof says how it is known that an edit keeps the program's meaning.
type Proof uint8

// The proofs.
const (
	// Layout: the trees are equal, and the comments are equal but for blanks and hashes.
	Layout Proof = iota
	// Rule: the judge's rule for the code proves it, see packages rewrite and guard, or the trees
	// are equal but for what the code asks for, see generator.
	Rule
	// Run: both texts did the same when run, see [Fixer.Unsafe].
	Run
	// NoProof: a run could not tell.
	NoProof
)

// String returns the proof's name: "layout", "rule", "run" or "none".
func (p Proof) String() string { return [...]string{"layout", "rule", "run", "none"}[p] }

// A Runner runs a program, and the text that edits have made of it. It returns Run if both did the
// same, and NoProof if a run cannot decide. It returns false if they differ or it could not run
// them; the edit is then not made.
type Runner func(program, text string) (Proof, bool)

// A Fixed is a finding that is gone.
type Fixed struct {
	Finding rule.Finding // in the original text
	Proof   Proof
}

// A Remaining is a finding that stays.
type Remaining struct {
	Finding rule.Finding // in the new text
	Reason  Reason       // empty after WithoutReasons
}

// A Reason is the reason why a finding stays.
type Reason string

// The reasons. Those that begin with "on purpose" say what an edit could change.
const (
	NoEdit    Reason = "no edit is known" // for this code or this case
	Unsafe    Reason = "has an edit that is not proven, see --unsafe"
	Formatted Reason = "a comment keeps formatters away" // "# fmt: off"
	Refused   Reason = "no edit that is proven"          // or every edit causes another finding
	Encoded   Reason = "the file is not UTF-8"           // and has more than ASCII
	NoPython  Reason = "the file does not parse"         // nothing can be proven
	TooMuch   Reason = "the file takes too long"         // see budget
	Silent    Reason = "a comment exempts the file"      // "# flake8: noqa"
	Elsewhere Reason = "its code may be of a linter that is not running"

	ForOthers  Reason = "on purpose: it is imported for others"
	Used       Reason = "on purpose: another file may use it"
	Loaded     Reason = "on purpose: the module may be needed though nothing has its name"
	Tried      Reason = "on purpose: the import may be there to fail, in a try or with"
	Marked     Reason = "on purpose: a comment says what it is for"
	Ordered    Reason = "on purpose: the import may need what is above it"
	Compared   Reason = "on purpose: a class may define the comparison"
	Held       Reason = "on purpose: the value may do something until it is freed"
	Named      Reason = "on purpose: something may use the name"
	Documented Reason = "on purpose: something may read the docstring"
	Valued     Reason = "on purpose: it is part of a string's value"
	Evaluated  Reason = "on purpose: to evaluate it may have an effect"
	Worded     Reason = "no rule breaks the row" // an address, a table, an example
)

// unsafeToo is what a reason ends with if --unsafe has an edit.
const unsafeToo = "; --unsafe has an edit"

// IsUnsafe reports whether there is an edit that nothing proves, see [Fixer.Unsafe].
func (r Reason) IsUnsafe() bool { return r == Unsafe || strings.HasSuffix(string(r), unsafeToo) }

// IsOnPurpose reports whether a finding stays as an edit could change what the program does.
func (r Reason) IsOnPurpose() bool { return strings.HasPrefix(string(r), "on purpose: ") }

// keep records why a finding stays. It is what a generator returns then.
func (f *Fixer) keep(reason Reason) []Edit {
	f.kept = reason
	return nil
}

// A Result is the result of a fix. It shares no memory with the Fixer.
type Result struct {
	// Text is the new text, or the original bytes if nothing was fixed.
	Text      []byte
	Fixed     []Fixed // in the order of their positions
	Remaining []Remaining
}

// Changed reports whether the text was changed.
func (r *Result) Changed() bool { return len(r.Fixed) > 0 }

// A Fixer fixes one text after another and reuses its memory. It is not safe for concurrent
// use.
type Fixer struct {
	options   lint.Options
	linter    *lint.Linter
	buffers   []buffer // see see
	used      int      // how many of them keep a text
	tokenizer tokenizer.Tokenizer
	checker   guard.Checker
	pep8      pep8.Checker
	enabled   *rule.Set

	lints    int // of the current text and what became of it, for tests
	proofs   int // by the judge, for tests
	read     int // bytes linted for the current text
	budget   int
	cut      bool // the budget was too small
	size     int  // of an indentation
	name     string
	kept     Reason // by the last generator
	brief    bool   // see WithoutReasons
	repeated bool   // it found that another proposal is for this finding too
	done     map[place]bool
	also     []int                    // other findings that the current proposal mends
	depth    int                      // recursion of follow
	whole    bool                     // do not try halves
	variant  int                      // current variant of proposals, see generator
	misses   int                      // see maxMisses
	wanted   func(*rule.Finding) bool // of FixOnly
	first    *analysis
	overfull int            // number of times that there were more than maxAsked edits by rule
	refused  map[place]bool // edits that the judge refused, by their places in first
	runner   Runner         // see Unsafe; may be nil
	project  *Project       // see Share
	only     *rule.Set      // see Only; nil for all codes
	compared comparison     // the last one by the runner
	runs     int            // runs left for the current text; 0 while edits must be proven
	tidier   *tidier        // nil unless unused comments are reported
}

// maxRuns bounds the runs for a text, besides a last one for all of its edits.
const maxRuns = 64

// Unsafe makes FixFile continue after all proven edits, with edits that nothing proves and the
// runner does not refute. FixOnly makes no such edits, as its findings have moved by then.
func (f *Fixer) Unsafe(runner Runner) { f.runner = runner }

// New returns a Fixer for the findings of a linter with the options.
func New(options lint.Options) (*Fixer, error) {
	options = options.WithDefaults()
	tidier, err := newTidier(options)
	if err != nil {
		return nil, err
	}
	options.ReportNoqa = false
	linter, err := lint.New(options)
	if err != nil {
		return nil, err
	}
	f := &Fixer{options: options, linter: linter, size: options.IndentSize, project: NewProject(), tidier: tidier}
	if f.size < 1 {
		f.size = 4
	}
	if f.options.Release, f.options.Target, err = rule.Resolve(options.Release, options.Target); err != nil {
		return nil, err
	}
	f.enabled = &rule.Set{}
	for code := range rule.Codes() {
		if linter.Enabled(code) {
			f.enabled.Add(code)
		}
	}
	return f, f.checker.Follow(options)
}

// WithoutReasons leaves out why findings stay, which takes a twentieth of the time.
func (f *Fixer) WithoutReasons() { f.brief = true }

// Share makes the Fixer use a Project together with others. Without it, a Fixer has its own.
func (f *Fixer) Share(p *Project) { f.project = p }

// Only makes the Fixer repair only findings of some codes, and what these edits cause or need.
// Other findings are not in the results.
func (f *Fixer) Only(codes *rule.Set) { f.only = codes }

// pep8Options are the options of pycodestyle's rules.
func (f *Fixer) pep8Options() pep8.Options {
	return pep8.Options{
		MaxLineLength: f.options.MaxLineLength, MaxDocLength: f.options.MaxDocLength, IndentSize: f.options.IndentSize,
		HangClosing: f.options.HangClosing, Release: f.options.Release, Target: f.options.Target,
	}
}

// maxPasses bounds the passes over a text. Most texts need two: one that fixes everything, and
// one that finds nothing more. If the judge refuses some edits, each pass halves the others.
const maxPasses = 200

// Findings returns what the linter finds in a file.
func (f *Fixer) Findings(name string, data []byte) []rule.Finding {
	findings, _ := f.lint(name, data)
	return append(findings, f.tidier.findings(name, data)...)
}

// lint returns the findings in a file, and those that a "# noqa" silences.
func (f *Fixer) lint(name string, data []byte) (findings, hidden []rule.Finding) {
	result := f.linter.Lint(lint.Input{Name: name, Data: data, Silenced: true})
	clone := func(list []rule.Finding) []rule.Finding {
		list = slices.Clone(list)
		for i := range list {
			list[i] = list[i].Clone()
		}
		return list
	}
	return clone(result.Findings), clone(result.Silenced)
}

// FixOnly is [Fixer.FixFile] for the wanted findings, and for those that their edits cause or need.
// Offsets of the findings that wanted gets are in the decoded text. Rows and columns are those of
// [Fixer.Findings].
func (f *Fixer) FixOnly(name string, data []byte, wanted func(*rule.Finding) bool) Result {
	f.wanted = wanted
	defer func() { f.wanted = nil }()
	return f.FixFile(name, data)
}

// Fix fixes a text without a name.
func (f *Fixer) Fix(text []byte) Result { return f.FixFile("", text) }

// FixFile is [Fixer.Fix] for the content of a file. The name matters: the imports of an
// __init__.py are for other files, and so are those that other files of the project use.
func (f *Fixer) FixFile(name string, data []byte) Result {
	result := f.fixFile(name, data)
	if f.tidier != nil && f.only == nil {
		f.tidyComments(name, data, &result)
	}
	return result
}

func (f *Fixer) fixFile(name string, data []byte) Result {
	result := Result{Text: data}
	f.used, f.lints, f.proofs = 0, 1, 0
	given := f.buffer().linter.Lint(lint.Input{Name: name, Data: data, Tree: true, Silenced: true, Repeatable: true})
	if len(given.Findings) == 0 {
		return result
	}
	leave := func(reason Reason) Result {
		for i := range given.Findings {
			result.Remaining = append(result.Remaining, Remaining{given.Findings[i].Clone(), reason})
		}
		return result
	}
	var file source.File
	file.Target = f.options.Target
	if err := file.Load(data); err != nil {
		return leave(NoPython)
	}
	if file.FellBack || file.Encoding != "" && !file.ASCII {
		return leave(Encoded)
	}
	f.name, f.read, f.budget, f.cut = name, len(data), 1<<18+200*len(data), false
	var first *analysis
	if given.Tokens != nil && len(given.File.Text) == len(data) && f.options.Target.Features().PEP701 {
		f.used = 1
		first = f.buffers[0].analysisOf(&given, nil, nil)
		first.linted = given
	} else {
		first, _ = f.analyze(name, []byte(file.Text), nil, nil, true, func(*analysis) bool { return true })
	}
	if first == nil || !first.isPython() {
		return leave(NoPython)
	}
	proven := f.run(first)
	now, proof := f.runUnproven(proven)
	if !slices.Contains(first.gone(now), true) {
		proven, now = first, first // findings only moved
	}
	f.report(&result, first, proven, now, proof)
	if now != first {
		result.Text = restore(data, &file, first, now)
	}
	return result
}

// runUnproven makes edits that nothing proves. The proof is the runner's for all of them together.
func (f *Fixer) runUnproven(proven *analysis) (now *analysis, proof Proof) {
	if f.runner == nil || f.wanted != nil {
		return proven, NoProof
	}
	first := f.first
	f.runs, f.compared = maxRuns, comparison{}
	now = f.run(proven)
	f.runs, f.first = 0, first
	if now != proven {
		var same bool
		if proof, same = f.compare(proven.text, now.text); !same {
			return proven, NoProof // together they differ, though each alone did the same
		}
	}
	return now, proof
}

// run makes passes until one changes nothing. If only some findings are wanted, it makes one
// pass, as findings move.
func (f *Fixer) run(first *analysis) *analysis {
	f.first, f.refused, f.overfull = first, map[place]bool{}, 0
	stale := false // an edit was refused of an earlier text
	if f.wanted != nil {
		if now := f.layout(first); now != first {
			return now
		}
		return f.meaning(first)
	}
	now := first
	fresh := false // no edit was refused before this pass
	for pass := 0; ; pass++ {
		next := f.layout(now)
		if next == now {
			next = f.meaning(now)
		}
		if next == now {
			if len(f.refused) == 0 || fresh || !stale {
				return now
			}
			// Refused edits may be accepted by now.
			clear(f.refused)
			fresh = true
			continue
		}
		now, fresh, stale = next, false, len(f.refused) > 0
		if pass == maxPasses {
			f.cut = true
			return now
		}
	}
}

// layout makes all edits that keep the tree.
func (f *Fixer) layout(s *analysis) *analysis {
	f.misses = 0
	return f.try(s, f.propose(s, false, nil), false)
}

// meaning makes all edits that a rule proves: all at once, and if that fails, code by code, as
// the judge does not say which edits it refuses.
func (f *Fixer) meaning(s *analysis) *analysis {
	if f.overfull > maxOverfull {
		return s
	}
	proposals := f.propose(s, true, nil)
	if len(proposals) == 0 {
		return s
	}
	if slices.ContainsFunc(proposals, func(p proposal) bool { return p.code != proposals[0].code }) {
		f.whole = true
		next := f.try(s, proposals, true)
		f.whole = false
		if next != s {
			return next
		}
	}
	defer func() { f.variant = 0 }()
	for code := range rule.Codes() {
		if !slices.ContainsFunc(proposals, func(p proposal) bool { return p.code == code }) {
			continue
		}
		var one rule.Set
		one.Add(code)
		for f.variant = range max(1, generators.Get()[code].variants) {
			f.misses = 0
			s = f.try(s, f.propose(s, true, &one), true)
		}
	}
	return s
}

// report sorts the first text's findings into fixed and left.
func (f *Fixer) report(result *Result, first, proven, now *analysis, unproven Proof) {
	for i := range now.findings {
		finding := &now.findings[i]
		if f.only != nil && !f.only.Has(finding.Code) {
			continue
		}
		var reason Reason
		if !f.brief {
			reason = f.reasonFor(now, i)
		}
		result.Remaining = append(result.Remaining, Remaining{finding.Clone(), reason})
	}
	isProven := first.gone(proven)
	byRule := first.ruledLines(proven)
	for i, gone := range first.gone(now) {
		if !gone {
			continue
		}
		finding := &first.findings[i]
		proof := Layout
		if !isProven[i] {
			proof = unproven
		} else if byRule[first.lineAt(finding.Start)] {
			proof = Rule
		}
		result.Fixed = append(result.Fixed, Fixed{finding.Clone(), proof})
	}
}

// keeps records why a finding stays, if none of its edits is made.
func (s *analysis) keeps(i int, edits []Edit, reason Reason) {
	if s.reasons == nil {
		s.reasons = make([]Reason, len(s.findings))
	}
	if s.reasons[i] = reason; len(edits) > 0 {
		s.reasons[i] = Refused // they were tried
	}
}

// reasonFor returns why a finding stays.
func (f *Fixer) reasonFor(now *analysis, i int) Reason {
	finding := &now.findings[i]
	switch {
	case f.cut:
		return TooMuch
	case now.isPython() && now.isUnformatted(finding):
		return Formatted
	case generators.Get()[finding.Code].edits == nil:
		return NoEdit
	case !now.isPython():
		return Refused
	}
	now.parse()
	if now.reasons == nil || now.reasons[i] == "" {
		f.findReason(now, i)
	}
	reason := now.reasons[i]
	if f.runner == nil && f.wanted == nil && f.hasUnproven(now, finding) {
		if reason == Refused {
			return Unsafe
		}
		return reason + unsafeToo
	}
	return reason
}

// findReason asks the generators of a finding's edits.
func (f *Fixer) findReason(now *analysis, i int) {
	finding := &now.findings[i]
	g := &generators.Get()[finding.Code]
	f.kept, f.done = Refused, map[place]bool{}
	var edits []Edit
	if g.known != nil {
		edits = g.known(now, finding, f)
	}
	edits = append(edits, g.edits(now, finding, f)...)
	now.keeps(i, edits, f.kept)
}

// hasUnproven reports whether there is an edit for a finding that only a run can confirm.
func (f *Fixer) hasUnproven(s *analysis, finding *rule.Finding) bool {
	if !generators.Get()[finding.Code].meaning {
		return false
	}
	f.runs, f.done = 1, map[place]bool{}
	defer func() { f.runs = 0 }()
	return len(generators.Get()[finding.Code].edits(s, finding, f)) > 0
}

// ruledLines returns the lines that edits by rules have changed up to a later text.
func (s *analysis) ruledLines(now *analysis) map[int]bool {
	lines := map[int]bool{}
	for ; now != s; now = now.parent {
		for _, e := range now.ruled {
			from := s.lineAt(now.parent.back(e.Start, s))
			to := s.lineAt(now.parent.back(max(e.Start, e.End-1), s))
			for line := from; line <= to; line++ {
				lines[line] = true
			}
		}
	}
	return lines
}

// gone returns, for each finding, whether it is gone in a later text.
func (s *analysis) gone(now *analysis) []bool {
	left := map[mark]int{}
	spare := [rule.Count]int{} // findings that moved to another line
	for i := range now.findings {
		finding := &now.findings[i]
		left[mark{s.lineAt(now.back(finding.Start, s)), finding.Code}]++
		spare[finding.Code]++
	}
	gone := make([]bool, len(s.findings))
	for i := range s.findings {
		finding := &s.findings[i]
		if at := (mark{s.lineAt(finding.Start), finding.Code}); left[at] > 0 {
			left[at]--
			spare[finding.Code]--
			continue
		}
		gone[i] = true
	}
	for i := range s.findings {
		if code := s.findings[i].Code; gone[i] && spare[code] > 0 {
			spare[code]--
			gone[i] = false
		}
	}
	return gone
}

// parse parses tokenized text. The tree stays valid.
func parse(text string, tokens []tokenizer.Token, target source.Version) (*ast.Module, bool) {
	var p parser.Parser
	return p.Parse(text, tokens, parser.Options{Target: target})
}

// sortEdits sorts edits and removes duplicates.
func sortEdits(edits []Edit) []Edit {
	slices.SortStableFunc(edits, func(a, b Edit) int {
		if a.Start != b.Start {
			return int(a.Start) - int(b.Start)
		}
		return int(a.End) - int(b.End)
	})
	return slices.Compact(edits)
}
