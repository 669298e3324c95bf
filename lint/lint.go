// Package lint turns a file's bytes into the findings that flake8 would print.
//
//	linter, err := lint.New(lint.Options{})
//	if err != nil {
//		return err
//	}
//	result := linter.Lint(lint.Input{Data: []byte("import os \n")})
//	for _, finding := range result.Findings {
//		fmt.Printf("%d:%d: %s %s\n", finding.Row, finding.Column, finding.Code, finding.Message())
//	}
//	// 1:1: F401 'os' imported but unused
//	// 1:10: W291 trailing whitespace
//
// # Order of work
//
// flake8 reads a file, asks whether a comment exempts all of it, runs the
// plugins that want the tree, then tokenizes and runs pycodestyle line by line;
// at the end it sorts, and only then drops what was not selected and what a
// "# noqa" silences. Here the same steps stand in another order, which changes
// no output and saves most of the work:
//
//   - What is selected depends on the code alone. [New] decides it for every
//     code, and rules whose codes nobody wants do not run.
//   - The whole-file comment and the "# noqa" comments are found in one search
//     for a rare letter, before any token is made. A file without them, and a
//     file without findings, pays nothing more.
//   - The tokens are made once, for the rules and for the map from rows to the
//     lines that a "# noqa" governs. flake8 makes them twice.
//   - Findings are appended rule after rule in the order of flake8's plugins and
//     sorted by row and column. The sort is stable, so findings at one place
//     keep that order.
//
// A text that Python does not parse gets one E999 in place of all else, as the
// exception ends flake8's work on the file.
package lint

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"codelinter/ast"
	"codelinter/checks/mccabe"
	"codelinter/checks/pyflakes"
	"codelinter/internal/noqa"
	"codelinter/internal/python/pytext"
	"codelinter/parser"
	"codelinter/pep8"
	"codelinter/rule"
	"codelinter/source"
	"codelinter/tokenizer"
)

// Options are flake8's settings under flake8's names. The zero Options lint as flake8 does. A
// number that is 0 stands for flake8's default, unless the Options began as [DefaultOptions], where
// every number is meant.
type Options struct {
	// Select and Ignore are prefixes of codes. nil stands for flake8's
	// defaults; an empty list is a list, and selects or ignores nothing.
	Select, Ignore []string
	// ExtendSelect and ExtendIgnore add to Select and Ignore.
	ExtendSelect, ExtendIgnore []string

	MaxLineLength int      // characters; E501
	MaxDocLength  int      // characters; W505, off at NoLimit
	IndentSize    int      // columns; at 0, where flake8 dies, nothing is E111
	HangClosing   bool     // E133 in place of E123
	MaxComplexity int      // C901, off below 0
	Builtins      []string // names to take as defined, beside Python's
	Doctests      bool     // check the examples in docstrings too; F721 and others
	DisableNoqa   bool     // "# noqa" silences nothing

	// ReportNoqa is for [Result.NoqaFindings], the findings of the plugin flake8-noqa. It makes a
	// text with such comments be checked for all codes. The other two are options of this plugin:
	// comments must name codes, and messages begin with the plugin's name.
	ReportNoqa, NoqaRequireCode, NoqaIncludeName bool

	// PluginSelect and PluginIgnore are what plugins add to flake8's defaults of Select and Ignore.
	PluginSelect, PluginIgnore []string

	// Release and Target are the flake8 and the CPython to follow. [rule.Resolve] chooses
	// those that are zero.
	Release rule.Release
	Target  source.Version

	explicit bool // numbers that are 0 are meant
}

// NoLimit is a MaxDocLength that allows comments and docstrings of any length. A negative
// one allows none, not even an empty line in them.
const NoLimit = pep8.NoLimit

// DefaultOptions returns what flake8 does without options.
func DefaultOptions() Options {
	return Options{MaxLineLength: 79, MaxDocLength: NoLimit, IndentSize: 4, MaxComplexity: -1, explicit: true}
}

// WithDefaults returns the options as a Linter takes them: with flake8's defaults in place of zero
// numbers, which are meant from then on.
func (o Options) WithDefaults() Options {
	if !o.explicit {
		standard := DefaultOptions()
		o.MaxLineLength = cmp.Or(o.MaxLineLength, standard.MaxLineLength)
		o.MaxDocLength = cmp.Or(o.MaxDocLength, standard.MaxDocLength)
		o.IndentSize = cmp.Or(o.IndentSize, standard.IndentSize)
		o.MaxComplexity = cmp.Or(o.MaxComplexity, standard.MaxComplexity)
		o.explicit = true
	}
	return o
}

// A Linter lints one file after the other. Its memory is reused: once it has
// grown to the size of the files, linting allocates nothing. It is not for
// concurrent use.
type Linter struct {
	options Options
	enabled rule.Set
	names   bool      // some F code is enabled
	all     rule.Set  // of the release
	few     rule.Set  // those of enabled that Input.Codes has
	checked *rule.Set // the codes to check the current text for: enabled, few or, for [Options.ReportNoqa], all

	file      source.File
	parsed    source.File // file as Python's parser takes it, if that differs
	tokenizer tokenizer.Tokenizer
	parser    parser.Parser
	pep8      pep8.Checker
	pyflakes  pyflakes.Checker
	mccabe    mccabe.Checker

	tokens    []tokenizer.Token // of file
	joined    []tokenizer.Token // memory of splice
	spans     []pep8.Span       // of tokens, if the text was made of another, see [Input.Edited]
	shifts    []shift           // of the text after each of the spans
	tokenized bool              // tokens are the whole of file, not cut short by an error
	unparsed  bool              // file is not Python
	skipped   bool              // it was not parsed, see [Input.SkipTree]
	findings  []rule.Finding
	silenced  []rule.Finding // of input.Silenced
	merged    []rule.Finding // with those of plugins
	words     pytext.Words   // of E999, and of E902 where tokens end

	input    Input // of the last call
	tree     *ast.Module
	failed   bool  // the text cannot be read or is not Python
	facts    Facts // the facts known early: all but the encoding
	tooLarge bool
	comment  int             // offset of the first "# noqa" that counts, -1 for none
	located  int             // findings whose extents are offsets in the bytes given
	beyond   [rule.Count]int // findings that were dropped for the bounds, by code
	dropped  int             // all of these
	reports  []noqa.Report   // all that was found, for [Options.ReportNoqa]
}

// New returns a Linter. It refuses options that have no meaning. Codes that do not
// exist are accepted, as flake8 accepts the codes of plugins that it does not have.
func New(options Options) (*Linter, error) {
	l := &Linter{}
	if err := l.SetOptions(options); err != nil {
		return nil, err
	}
	return l, nil
}

// SetOptions sets other options from the next file on, and keeps the Linter's memory.
// Options that [New] refuses change nothing.
func (l *Linter) SetOptions(options Options) error {
	options = options.WithDefaults()
	for _, number := range [...]*int{&options.MaxLineLength, &options.MaxDocLength, &options.IndentSize} {
		if *number != NoLimit {
			*number = min(max(*number, -math.MaxInt32), math.MaxInt32) // as columns and messages have 32 bits
		}
	}
	var err error
	if options.Release, options.Target, err = rule.Resolve(options.Release, options.Target); err != nil {
		return err
	}
	l.options = options
	l.enabled = selected(&options)
	l.all = rule.Set{}
	for code := range rule.Codes() {
		if options.Release.Has(code) {
			l.all.Add(code)
		}
	}
	l.names = hasNames(&l.enabled)
	return nil
}

// hasNames reports whether a set has codes of pyflakes.
func hasNames(codes *rule.Set) bool {
	for code := range codes.All() {
		if code.Rule().Tool == rule.Pyflakes {
			return true
		}
	}
	return false
}

// Clone returns a Linter of the same options with no memory in common, for
// another goroutine.
func (l *Linter) Clone() *Linter {
	return &Linter{options: l.options, enabled: l.enabled, names: l.names, all: l.all}
}

// Options returns the options. Versions that were zero are those that New chose.
func (l *Linter) Options() Options { return l.options }

// Enabled reports whether findings of code are reported.
func (l *Linter) Enabled(code rule.Code) bool { return l.enabled.Has(code) }

// Lint lints a text. The result is valid until the next call, and as long as input.Data
// is unchanged.
func (l *Linter) Lint(input Input) Result {
	l.begin(input)
	if err := l.load(); err != nil {
		l.refuse(err)
		return l.result()
	}
	if !l.options.DisableNoqa {
		exempt, comment := findNoqa(l.file.Text)
		if exempt {
			l.exempted(comment)
			return l.result()
		}
		l.comment = comment
	}
	if l.options.ReportNoqa && mentionsNoqa(l.file.Text) {
		l.checked = &l.all
	}
	l.check(!input.CodesOnly || l.comment >= 0)
	l.settle()
	if input.Stdin && !l.options.DisableNoqa && input.Saved != nil {
		l.readSaved()
	}
	return l.result()
}

// begin forgets the last text.
func (l *Linter) begin(input Input) {
	l.input = input
	l.findings, l.silenced, l.tokens = l.findings[:0], l.silenced[:0], l.tokens[:0]
	l.words.Reset()
	l.forget()
	l.tree, l.tokenized, l.unparsed, l.skipped, l.tooLarge, l.failed = nil, true, false, false, false, false
	l.spans, l.shifts = l.spans[:0], l.shifts[:0]
	l.comment, l.facts = -1, Facts{}
	l.checked, l.reports = &l.enabled, l.reports[:0]
	if input.Codes != nil {
		l.few, l.checked = l.enabled.Intersection(input.Codes), &l.few
	}
	l.file.Target = l.options.Target
}

// load decodes the text.
func (l *Linter) load() (err error) {
	if l.input.Stdin {
		err = l.file.LoadStdin(l.input.Data)
	} else {
		err = l.file.Load(l.input.Data)
	}
	if err == nil && l.file.Lines() > MaxLines {
		err = errManyLines
	}
	return err
}

// result returns the findings. The memory remains the Linter's.
func (l *Linter) result() Result {
	r := Result{Findings: l.findings, Silenced: l.silenced, Omitted: l.dropped, Invalid: l.unparsed, TooLarge: l.tooLarge, linter: l}
	if l.input.Facts {
		r.Facts = l.facts
		r.Facts.Encoding, r.Facts.FellBack = l.file.Encoding, l.file.FellBack
	}
	if l.tree != nil || l.skipped {
		r.Tree, r.File = l.tree, &l.file
		if l.file.CarriageReturns {
			r.File = &l.parsed
		} else {
			r.Tokens, r.Spans = l.tokens, l.spans
		}
	}
	return r
}

// exempted handles a text that the comment at an offset exempts. flake8 does not lint it. The
// findings that the comment silences are computed only on request.
func (l *Linter) exempted(comment int) {
	l.facts.Exempt, l.facts.NoqaLine = true, l.file.Row(int32(comment))
	if l.input.Facts {
		l.check(false)
		l.facts.Silenced = len(l.findings) > 0 || l.dropped > 0
		l.findings, l.tree, l.tooLarge = l.findings[:0], nil, false
		l.forget()
	}
}

// readSaved drops the findings that are silenced by comments in the file that was saved.
func (l *Linter) readSaved() {
	unmapped, n := l.firstUnmapped(), len(l.findings)
	for n > 0 && l.findings[n-1].Row >= unmapped {
		n--
	}
	if n == len(l.findings) {
		return
	}
	saved, err := l.input.Saved(l.input.Name)
	if err != nil {
		return
	}
	var file source.File // the findings' texts may lie in that of l.file
	if file.Load(saved) != nil || file.FellBack {
		return
	}
	letters := letterScan{text: file.Text, lower: -1, upper: -1}
	if comment := nextNoqa(&letters, 0); comment >= 0 {
		given, tokenized := l.file, l.tokenized
		l.file, l.tokenized = file, false
		l.findings = l.findings[:n+len(l.dropSilenced(l.findings[n:], comment))]
		l.file, l.tokenized = given, tokenized
	}
}

// settle puts the findings in order, and drops those that comments silence and those
// beyond the bounds.
func (l *Linter) settle() {
	slices.SortStableFunc(l.findings, byPosition)
	if l.checked == &l.all {
		l.noteReports()
	}
	if l.comment >= 0 && len(l.findings) > 0 && l.readsNoqa() {
		l.findings = l.dropSilenced(l.findings, l.comment)
	}
	if most := l.input.Bounds.Findings; most > 0 && len(l.findings) > most {
		for i := range l.findings[most:] {
			l.beyond[l.findings[most+i].Code]++
		}
		l.dropped += len(l.findings) - most
		l.findings = l.findings[:most]
	}
}

// room is how many findings are collected before those beyond the bounds are dropped: 4 MB.
const room = 1 << 16

// makeRoom is settle for a list that is not complete. A finding that it drops would be dropped at
// the end too: the findings before it stay before it.
func (l *Linter) makeRoom(findings []rule.Finding) []rule.Finding {
	l.findings = findings
	locate(l.findings[l.located:], &l.file)
	l.settle()
	l.located = len(l.findings)
	return l.findings
}

// forget resets the counts of the last file.
func (l *Linter) forget() {
	if l.dropped > 0 {
		l.beyond, l.dropped = [rule.Count]int{}, 0
	}
}

// check appends the findings of the file's text, in the order of flake8's
// plugins. Unless diagnosed is set, an E999 is not worded and has no place.
func (l *Linter) check(diagnosed bool) {
	file := &l.file
	if l.file.CarriageReturns {
		l.parsed.LoadUniversal(&l.file)
		file = &l.parsed
	}
	var err *tokenizer.Error
	if !l.splice() {
		err = l.tokenize(file, tokenizer.Options{Target: l.options.Target, MaxTokens: cmp.Or(l.input.Bounds.Tokens, MaxTokens)})
	}
	if l.tokenizer.Exceeded() {
		if l.input.Bounds.Tokens > 0 {
			l.tooLarge = true
		} else {
			l.refuse(errManyTokens)
		}
		return
	}
	var module *ast.Module
	if l.skipped = err == nil && l.skips(); !l.skipped {
		var ok bool
		if module, ok = l.parse(file, diagnosed); !ok {
			l.unparsed = true
			locate(l.findings, file)
			return
		}
	}
	if l.input.Tree || l.input.Proceed != nil {
		l.tree = module
	}
	if (module != nil || l.skipped) && !l.proceeds() {
		return
	}
	if module != nil && !(l.keepsTree() && l.moveTreeFindings()) {
		l.checkTree(file, module)
	}
	if len(file.Text) > largeText {
		l.parser, l.pyflakes = parser.Parser{}, pyflakes.Checker{}
	}
	locate(l.findings, file)
	l.located = len(l.findings)
	if l.file.CarriageReturns {
		err = l.tokenize(&l.file, tokenizer.Options{Target: l.options.Target, CarriageReturns: true})
	}
	l.checkTokens(err)
	locate(l.findings[l.located:], &l.file)
}

// skips reports whether the input keeps the text from being parsed.
func (l *Linter) skips() bool {
	if l.input.SkipTree == nil || l.file.CarriageReturns || !l.options.Target.Features().PEP701 {
		return false
	}
	l.skipped = true
	r := l.result()
	return l.input.SkipTree(&r) && (len(l.spans) == 0 || l.moveTreeFindings())
}

// proceeds asks the input whether the rules should run.
func (l *Linter) proceeds() bool {
	if l.input.Proceed == nil {
		return true
	}
	r := l.result()
	if l.input.Proceed(&r) {
		return true
	}
	l.tree, l.findings = nil, l.findings[:0]
	return false
}

// keepsTree asks the input whether the rules about the tree find the same as in the text before.
func (l *Linter) keepsTree() bool {
	return len(l.spans) > 0 && l.input.KeepsTree != nil && l.input.KeepsTree()
}

// tokenize sets the tokens.
func (l *Linter) tokenize(file *source.File, o tokenizer.Options) (err *tokenizer.Error) {
	l.tokens, err = l.tokenizer.Tokenize(file.Text, o)
	l.tokenized = err == nil
	return err
}

// parse returns the file's tree. If the file is not Python it returns false, and its E999 is the
// only finding. For a file that is Python but nests too deep for our parser it returns nil and
// true.
func (l *Linter) parse(file *source.File, diagnosed bool) (module *ast.Module, ok bool) {
	if l.options.Target.Features().PEP701 {
		module, ok = l.parser.Parse(file.Text, l.tokens, parser.Options{Target: l.options.Target})
	} else {
		module, ok = l.parser.ParseText(file.Text, parser.Options{Target: l.options.Target})
	}
	if ok {
		return module, true
	}
	failure := l.parser.Diagnose(file, parser.Options{Target: l.options.Target}, diagnosed)
	switch {
	case failure == nil:
		return nil, true
	case diagnosed:
		l.fail(l.syntaxError(file, failure))
	default:
		l.fail(rule.Finding{Row: 1, Column: 1, End: int32(len(file.Text)), Code: rule.E999})
	}
	return nil, false
}

// checkTree appends the findings of mccabe and pyflakes.
func (l *Linter) checkTree(file *source.File, module *ast.Module) {
	l.findings = l.mccabe.Check(file, module, l.options.MaxComplexity, l.checked, l.findings)
	if l.checked == &l.enabled && l.names || l.checked != &l.enabled && hasNames(l.checked) {
		l.findings = l.pyflakes.Check(file, module, pyflakes.Options{
			Filename: l.input.Name,
			Builtins: l.options.Builtins,
			Doctests: l.options.Doctests,
			Release:  l.options.Release,
			Target:   l.options.Target,
		}, l.checked, l.findings)
	}
}

// checkTokens appends the findings of pycodestyle, and of the tokenizer's error if there
// is one. Before 3.12 tokenize fails on a few texts that the parser takes:
//
//	if x:
//	    y
//	  \
//
//	z
func (l *Linter) checkTokens(err *tokenizer.Error) {
	if err == nil {
		l.checkLines(l.tokens)
		return
	}
	l.checkLines(wholeLines(l.tokens))
	code := rule.E999
	if err.Type == "TokenError" {
		code = rule.E902
	}
	column := err.Offset + 1
	if code == rule.E999 && !l.options.Target.Features().PEP701 && l.options.Release.Features().ShiftsIndentationErrors {
		column--
	}
	if l.checked.Has(code) {
		l.findings = append(l.findings, rule.Finding{
			Row: int32(err.Row), Column: int32(column), Code: code,
		}.With(rule.Values{Text: l.words.Format("%s: %s", err.Type, err.Message)}))
		placeInRow(&l.findings[len(l.findings)-1], &l.file, err.Row, err.Offset)
	}
}

// checkLines appends the findings of pycodestyle.
func (l *Linter) checkLines(tokens []tokenizer.Token) {
	options := pep8.Options{
		MaxLineLength: l.options.MaxLineLength,
		MaxDocLength:  l.options.MaxDocLength,
		IndentSize:    l.options.IndentSize,
		HangClosing:   l.options.HangClosing,
		Release:       l.options.Release,
		Target:        l.options.Target,
		Repeatable:    l.input.Repeatable,
	}
	if l.recheckLines(options) {
		return
	}
	switch bound := l.input.Bounds.Findings; {
	case bound == 0 && len(l.file.Text) > largeText:
		l.checkManyLines(tokens, options)
		return
	case bound > 0 && len(l.file.Text) > room/4:
		options.Full, options.Room = l.makeRoom, max(room, 2*bound)
	}
	l.findings = l.pep8.Check(&l.file, tokens, options, l.checked, l.findings)
}

// checkManyLines is checkLines for a large text, which may have more than one finding for each
// byte. A finding takes 64 bytes, and three times as much while the list grows. So very many
// findings are first only counted.
func (l *Linter) checkManyLines(tokens []tokenizer.Token, options pep8.Options) {
	counted := 0
	options.Room = veryMany
	options.Full = func(findings []rule.Finding) []rule.Finding {
		counted += len(findings)
		return findings[:0]
	}
	findings := l.pep8.Check(&l.file, tokens, options, l.checked, nil)
	if counted == 0 {
		l.findings = append(l.findings, findings...)
		return
	}
	counted += len(findings)
	l.findings = append(make([]rule.Finding, 0, len(l.findings)+counted+1), l.findings...) // 1: of tokens that end
	options.Full = nil
	l.findings = l.pep8.Check(&l.file, tokens, options, l.checked, l.findings)
}

// A text with more tokens or lines than these is not linted, and gets an E902. Source code has a
// token for every four bytes, which take some 70 bytes of memory for tokens, tree and names, and
// 300 in the worst text found. Texts in a string have findings for each of their lines. So a file
// takes at most 1.2 GB, besides three times its size; flake8 takes as much for a file of 10 MB.
const (
	MaxTokens = 1 << 22
	MaxLines  = 1 << 22
)

var (
	errManyTokens error = tooMany{MaxTokens, "tokens"}
	errManyLines  error = tooMany{MaxLines, "lines"}
)

// tooMany is the error for a file with more than so many parts.
type tooMany struct {
	most int
	of   string
}

func (e tooMany) Error() string { return fmt.Sprintf("file has more than %d %s", e.most, e.of) }

// veryMany findings of pycodestyle are counted first. They are 32 MB. It varies in tests alone, as
// largeText does.
var veryMany = 1 << 19

// largeText is the length from which on the memory of a text's tree and names is freed after the
// checks, and not kept for the next file. Tree and names can take 60 bytes for each byte of the
// text, and the findings need memory too.
var largeText = 1 << 20

// locate turns the extents of findings, which are offsets in the file's text,
// into offsets in the bytes that the file was loaded from.
func locate(findings []rule.Finding, file *source.File) {
	if file.IsGiven() {
		return
	}
	for i := range findings {
		f := &findings[i]
		f.Start, f.End = file.GivenRange(f.Start, f.End)
	}
}

// wholeLines returns the tokens of whole logical lines: those that flake8 has
// checked when the tokenizer fails.
func wholeLines(tokens []tokenizer.Token) []tokenizer.Token {
	depth, end := 0, 0
	for i := range tokens {
		depth += tokens[i].Kind.Nesting()
		if depth == 0 && endsLine(tokens[i].Kind) {
			end = i + 1
		}
	}
	return tokens[:end]
}

// syntaxError returns the E999 that flake8 makes of an exception. CPython counts columns from 1 and
// flake8 takes them for counted from 0, so flake8's column is too large by one. The extent begins
// at the right column. An exception without a position is reported at the beginning, with the whole
// file as its extent.
func (l *Linter) syntaxError(file *source.File, failure *parser.SyntaxError) rule.Finding {
	finding := rule.Finding{Row: 1, Column: 1, End: int32(len(file.Text)), Code: rule.E999}.With(rule.Values{Text: l.words.Format("%s: %s", failure.Type, failure.Message)})
	if !failure.NoDetails && !failure.Fatal {
		finding.Row, finding.Column = int32(failure.Row), int32(failure.Offset)+1
		placeInRow(&finding, file, failure.Row, failure.Offset-1)
	}
	return finding
}

// placeInRow makes the rest of a row, from a column in characters on, the extent
// of a finding. Python may name a row after the last.
func placeInRow(finding *rule.Finding, file *source.File, row, column int) {
	if row < 1 || row > file.Lines() {
		finding.Start, finding.End = int32(len(file.Text)), int32(len(file.Text))
		return
	}
	finding.End = file.LineStart(row) + int32(len(strings.TrimRight(file.Line(row), "\r\n")))
	finding.Start = min(file.Offset(row, column), finding.End)
}

// refuse makes the finding of a file that cannot be read the only one.
func (l *Linter) refuse(err error) {
	l.fail(rule.Finding{Column: 1, End: int32(len(l.input.Data)), Code: rule.E902}.With(rule.Values{Text: "OSError: " + err.Error()}))
}

// fail makes finding the only one, if it is wanted.
func (l *Linter) fail(finding rule.Finding) {
	l.failed = true
	l.findings = l.findings[:0]
	if l.checked.Has(finding.Code) {
		l.findings = append(l.findings, finding)
	}
}

// readsNoqa reports whether flake8 gets to see the line of a finding, as it does
// where a row is mapped to a line, see firstUnmapped. Others it reads from the file
// again, with Python's linecache, which finds nothing in a file that it cannot
// decode. For standard input see [Input].
func (l *Linter) readsNoqa() bool { return l.tokenized || l.readsFile() }

// readsFile reports whether flake8 can read a row from the file again.
func (l *Linter) readsFile() bool { return !l.input.Stdin && !l.file.FellBack }

// byPosition orders findings as flake8 does.
func byPosition(a, b rule.Finding) int {
	if a.Row != b.Row {
		return int(a.Row) - int(b.Row)
	}
	return int(a.Column) - int(b.Column) // of 33 bits: columns may be far below 0
}
