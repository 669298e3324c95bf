package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	udiff "github.com/aymanbagabas/go-udiff"
	"github.com/spf13/cobra"

	"codelinter/evaluator/judge"
	"codelinter/fix"
	"codelinter/flake8"
	"codelinter/internal/python/pyjson"
	"codelinter/internal/util/atomicfile"
	"codelinter/internal/util/ordered"
	"codelinter/internal/util/terminal"
	"codelinter/lint"
	"codelinter/rule"
)

func newFixCommand() *cobra.Command {
	return &cobra.Command{
		Use:        "fix [options] [PATH...]",
		Short:      "Repair what check finds, by edits proven to keep the meaning",
		SuggestFor: []string{"format", "fmt", "autofix", "mend", "repair"},
		Long: `Repairs what check finds in files and folders, in place. An edit is made only if
it is proven to keep the program's meaning: its syntax tree stays the same, or
a rule of CodeLinterEval's judge proves the edit. No edit causes a new finding.
Comments, line ends and encodings stay, and findings that a "# noqa" silences
are not touched. Imports that their file does not use are removed, unless they
are in a try. docs/fixing.md has the rules.

Files, options and configuration files are those of check. If the file is -, fix
reads standard input and writes to standard output. These options are fix's own:

  --diff      write nothing, and print the changes as a unified diff
  --check     write nothing, and print nothing but errors
  --only CODES
              repair only these codes or beginnings of codes, such as F401,E7;
              findings that the edits cause are repaired too
  --unsafe    also make edits without a proof, unless a run in the sandbox
              shows that the program then does something else
  --json      report as JSON, a line for each file

The exit code is 1 if findings are left, if a file cannot be written, or, with
--diff or --check, if a file would change.`,
		Example:            "  codelinter fix src\n  codelinter fix --diff --select=E,W,F401 app.py\n  codelinter fix - <app.py >fixed.py",
		DisableFlagParsing: true,
		ValidArgsFunction:  completeFix,
		RunE: interruptible(func(command *cobra.Command, args []string) error {
			o, args, err := fixOptions(args)
			if asksHelp(args) {
				return printHelp(command)
			}
			if err != nil {
				return err
			}
			plan, code := flake8.NewPlan(command.Context(), flake8.Command{
				Name: command.CommandPath(), Args: args, Stdin: command.InOrStdin(), Stdout: command.OutOrStdout(), Stderr: command.ErrOrStderr(), FindsTOML: true,
				Meant: map[string]string{"--dry-run": "--diff", "--output-format": "--json", "--unsafe-fixes": "--unsafe"},
			})
			if plan == nil {
				return exitCode(code)
			}
			r := fixRun{fixingOptions: o, plan: plan, stdout: command.OutOrStdout(), stderr: command.ErrOrStderr()}
			if err := r.run(command.Context()); err != nil {
				return err
			}
			if code := r.exitCode(); code != exitOK {
				return exitCode(code)
			}
			return nil
		}),
	}
}

// asksHelp reports whether a command line asks for help. It is for commands that parse their
// options themselves.
func asksHelp(args []string) bool {
	return slices.Contains(args, "-h") || slices.Contains(args, "--help")
}

func printHelp(command *cobra.Command) error {
	_, err := fmt.Fprintf(command.OutOrStdout(), "%s\n\nUsage:\n  %s\n\nExamples:\n%s\n", command.Long, command.UseLine(), command.Example)
	return err
}

// ownFixOptions are the options that check does not have.
var ownFixOptions = []string{"--diff\twrite nothing, and print what would change", "--check\twrite nothing; the exit code tells", "--only=\trepair only these codes", "--unsafe\tmake edits too that nothing proves and no run refutes", "--json\treport as JSON, a line for each file"}

func completeFix(command *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	words, directive := completeCheck(command, args, typed)
	if strings.HasPrefix(typed, "-") && !strings.Contains(typed, "=") {
		words = append(withPrefix(slices.Clone(ownFixOptions), typed), words...)
	}
	return words, directive
}

type fixingOptions struct {
	diff, check, json, unsafe bool
	only                      *rule.Set // nil for all
}

// fixOptions separates fix's own options from a command line.
func fixOptions(args []string) (o fixingOptions, rest []string, err error) {
	for i := 0; i < len(args); i++ {
		arg, value, given := strings.Cut(args[i], "=")
		switch {
		case args[i] == "--diff":
			o.diff = true
		case args[i] == "--check":
			o.check = true
		case args[i] == "--json":
			o.json = true
		case args[i] == "--unsafe":
			o.unsafe = true
		case arg == "--only":
			if !given {
				if i++; i == len(args) {
					return o, rest, misuse{errors.New("--only: expected codes, as in --only=F401,E7")}
				}
				value = args[i]
			}
			if o.only, err = codesOf(value); err != nil {
				return o, rest, err
			}
		case args[i] == "--":
			return o, append(rest, args[i:]...), nil
		default:
			rest = append(rest, args[i])
		}
	}
	return o, rest, nil
}

// codesOf returns the codes of a list of codes and beginnings of codes.
func codesOf(list string) (*rule.Set, error) {
	var set rule.Set
	for part := range strings.FieldsFuncSeq(list, func(c rune) bool { return c == ',' || c == ' ' }) {
		found := false
		for code := range rule.Codes() {
			if strings.HasPrefix(code.String(), part) {
				set.Add(code)
				found = true
			}
		}
		if !found {
			return nil, misuse{fmt.Errorf("--only: no code begins with %q", part)}
		}
	}
	return &set, nil
}

// A fixRun fixes the files of a plan.
type fixRun struct {
	fixingOptions
	plan           *flake8.Plan
	stdout, stderr io.Writer
	project        *fix.Project
	judges         *judge.Judges // with --unsafe

	files, changed int
	failed         int             // files that could not be read or written
	folders        map[string]bool // that have changed files
	fixed, left    map[string]int  // findings by their codes
	unproven       int             // those left that have an edit with --unsafe
	meant          int             // others that are left on purpose
}

// A fixOutcome is the result for a file.
type fixOutcome struct {
	file   *flake8.Planned
	info   fs.FileInfo // before the text was read
	before []byte
	result fix.Result
	err    error

	unjudged error // why the judge could not be asked; the edits that it was asked about are not made
}

// fixGarbage is how much garbage a fix may leave between collections, in bytes. Of CPython's Lib,
// 20 MB are in use.
const fixGarbage = 64 << 20

// run fixes the files concurrently, and reports them in order.
func (r *fixRun) run(ctx context.Context) error {
	allowGarbage(fixGarbage)
	progress := terminal.NewProgress(r.stderr, "files")
	defer progress.Clear()
	r.project, r.folders = fix.NewProject(), map[string]bool{}
	if r.unsafe {
		r.judges = judge.New(judge.Options{})
		defer r.judges.Close()
	}
	var folders map[string]string
	r.plan.Files, folders = withoutLinks(r.plan.Files)
	if !r.diff && !r.check {
		r.sweep(slices.Sorted(maps.Keys(folders)))
	}
	files := len(r.plan.Files)
	jobs := min(r.plan.Jobs, files)
	size := min(max(files/max(8*jobs, 1), 1), maxBatch)
	var writers []*atomicfile.Rewriter
	newWorker := func() (func(int) []fixOutcome, error) {
		fixers := map[*lint.Options]*fix.Fixer{}
		writer := &atomicfile.Rewriter{}
		writers = append(writers, writer)
		return func(i int) []fixOutcome {
			return r.fixAll(ctx, r.plan.Files[i*size:min((i+1)*size, files)], fixers, writer)
		}, nil
	}
	err := ordered.Do(ctx, jobs, ordered.Numbers(0, (files+size-1)/size), newWorker, func(batch []fixOutcome) error {
		progress.Clear()
		for i := range batch {
			if err := r.report(&batch[i]); err != nil {
				return err
			}
		}
		progress.Set(r.files, files)
		return nil
	})
	progress.Clear()
	for _, writer := range writers {
		writer.Close()
	}
	r.syncFolders()
	if err != nil {
		return err
	}
	if r.plan.Passes && !r.diff && !r.check {
		if err := r.pass(); err != nil {
			return err
		}
	}
	return r.summary()
}

// sweep removes what killed runs left in some folders.
func (r *fixRun) sweep(folders []string) {
	for _, folder := range folders {
		kept, err := atomicfile.Sweep(folder)
		for _, path := range kept {
			fmt.Fprintf(r.stderr, "%s: warning: left by a run that was killed; it may be what another program saved then, so look at it and remove it\n", path)
		}
		if err != nil {
			fmt.Fprintf(r.stderr, "%s: warning: what a killed run may have left was not removed: %v\n", folder, err)
		}
	}
}

// syncFolders writes the folders with changed files to the disk: each once, as that takes as long
// as to fix a file.
func (r *fixRun) syncFolders() {
	for _, folder := range slices.Sorted(maps.Keys(r.folders)) {
		if err := atomicfile.SyncFolder(folder); err != nil {
			r.failed++
			fmt.Fprintf(r.stderr, "%s: error: %v\n", folder, err)
		}
	}
}

// pass writes standard input as it is.
func (r *fixRun) pass() error {
	text, err := r.plan.Read(&flake8.Planned{Stdin: true})
	if err != nil {
		return err
	}
	_, err = r.stdout.Write(text)
	return err
}

// withoutLinks removes files that are the same as an earlier one, by way of a link. It returns the
// folders of files that are no links, with their real paths.
func withoutLinks(files []flake8.Planned) (kept []flake8.Planned, folders map[string]string) {
	seen, folders := map[string]bool{}, map[string]string{}
	kept = slices.DeleteFunc(files, func(file flake8.Planned) bool {
		if file.Stdin {
			return false
		}
		path, err := realPath(folders, &file)
		if err != nil {
			return false
		}
		again := seen[path]
		seen[path] = true
		return again
	})
	return kept, folders
}

// realPath is [filepath.EvalSymlinks], which asks for a folder once.
func realPath(folders map[string]string, file *flake8.Planned) (string, error) {
	path := file.Name
	if isLink(file) {
		return filepath.EvalSymlinks(path)
	}
	folder := filepath.Dir(path)
	is, known := folders[folder]
	if !known {
		var err error
		if is, err = filepath.EvalSymlinks(folder); err != nil {
			return "", err
		}
		folders[folder] = is
	}
	return filepath.Join(is, filepath.Base(path)), nil
}

// isLink reports whether the name of a file is a link, or nothing.
func isLink(file *flake8.Planned) bool {
	if file.Direct {
		return false
	}
	info, err := os.Lstat(file.Name)
	return err != nil || info.Mode()&fs.ModeSymlink != 0
}

// maxBatch bounds the files that a worker fixes before it writes them.
const maxBatch = 32

// fixAll fixes some files, and writes them unless only differences are wanted. They are written
// together at the end. After a write that waits for the disk, Go's runtime looks for work 20,000
// times a second for some time: a tenth of the processor time of a fix of CPython's Lib.
func (r *fixRun) fixAll(ctx context.Context, files []flake8.Planned, fixers map[*lint.Options]*fix.Fixer, writer *atomicfile.Rewriter) []fixOutcome {
	batch := make([]fixOutcome, len(files))
	for i := range files {
		if ctx.Err() != nil {
			return nil // what is not fixed is not written either, and nobody reads the results
		}
		batch[i] = r.fix(ctx, &files[i], fixers)
	}
	if r.diff || r.check {
		return batch
	}
	var changed []*fixOutcome
	var texts []atomicfile.Rewriting
	for i := range batch {
		if o := &batch[i]; o.err == nil && o.result.Changed() && !o.file.Stdin {
			changed = append(changed, o)
			texts = append(texts, atomicfile.Rewriting{Name: o.file.Name, Direct: o.file.Direct, Was: atomicfile.Known{Info: o.info, Data: o.before}, Text: o.result.Text})
		}
	}
	if ended := context.Cause(ctx); ended != nil {
		for i := range texts {
			texts[i].Err = ended
		}
	} else {
		writer.Rewrite(texts)
	}
	for i, o := range changed {
		o.err = texts[i].Err
	}
	return batch
}

// fix fixes a file, and does not write it.
func (r *fixRun) fix(ctx context.Context, file *flake8.Planned, fixers map[*lint.Options]*fix.Fixer) fixOutcome {
	outcome := fixOutcome{file: file}
	fixer := fixers[file.Options]
	if fixer == nil {
		if fixer, outcome.err = fix.New(*file.Options); outcome.err != nil {
			return outcome
		}
		fixer.Share(r.project)
		if !r.json && r.isSilent() {
			fixer.WithoutReasons()
		}
		if r.only != nil {
			fixer.Only(r.only)
		}
		fixers[file.Options] = fixer
	}
	if r.unsafe {
		fixer.Unsafe((&fixJudge{Judges: r.judges, ctx: ctx, options: *file.Options, err: &outcome.unjudged}).runs)
	}
	if outcome.before, outcome.info, outcome.err = r.plan.ReadState(file); outcome.err != nil {
		return outcome
	}
	outcome.result = fixer.FixFile(file.Name, outcome.before)
	return outcome
}

// lines returns the writer for lines to people: standard error if standard output has the
// differences or the text, which is standard input's.
func (r *fixRun) lines(stdin bool) io.Writer {
	if r.diff || stdin {
		return r.stderr
	}
	return r.stdout
}

func (r *fixRun) report(o *fixOutcome) error {
	r.files++
	if o.err != nil {
		r.failed++
		if _, err := fmt.Fprintf(r.stderr, "%s: error: %v\n", o.file.Name, o.err); err != nil || !r.json {
			return err
		}
		_, err := r.lines(o.file.Stdin).Write(o.json())
		return err
	}
	if o.result.Changed() {
		r.changed++
		if !r.diff && !r.check && !o.file.Stdin {
			r.folders[folderOf(o.file)] = true
		}
	}
	codes := map[string]int{} // fixed in this file
	if r.fixed == nil {
		r.fixed, r.left = map[string]int{}, map[string]int{}
	}
	for i := range o.result.Fixed {
		code := o.result.Fixed[i].Finding.Code.String()
		codes[code]++
		r.fixed[code]++
	}
	for i := range o.result.Remaining {
		left := &o.result.Remaining[i]
		r.left[left.Finding.Code.String()]++
		if left.Reason.IsUnsafe() {
			r.unproven++
		} else if left.Reason.IsOnPurpose() {
			r.meant++
		}
	}
	var text []byte // of standard output, if the lines are not
	switch {
	case r.diff:
		text = []byte(unifiedDiff(o.file.Name, o.before, o.result.Text))
	case o.file.Stdin && !r.check:
		text = o.result.Text
	}
	if _, err := r.stdout.Write(text); err != nil {
		return err
	}
	if _, err := r.lines(o.file.Stdin).Write(r.describe(o, codes)); err != nil || o.unjudged == nil {
		return err
	}
	r.failed++
	_, err := fmt.Fprintf(r.stderr, "%s: error: edits that a run must check were not made: %v\n", o.file.Name, o.unjudged)
	return err
}

// folderOf returns the folder of a file that was written: that of the file which a link leads to.
func folderOf(file *flake8.Planned) string {
	name := file.Name
	if isLink(file) {
		if path, err := filepath.EvalSymlinks(name); err == nil {
			name = path
		}
	}
	return filepath.Dir(name)
}

// describe returns the lines for a file, as JSON or for people.
func (r *fixRun) describe(o *fixOutcome, codes map[string]int) (out []byte) {
	switch {
	case r.json:
		return o.json()
	case r.isSilent():
		return nil
	}
	if o.result.Changed() {
		out = fmt.Appendf(out, "%s: %s %d (%s)\n", o.file.Name, r.verb("fix", "fixed"), len(o.result.Fixed), codeCounts(codes))
	}
	for i := range o.result.Fixed {
		if fixed := &o.result.Fixed[i]; fixed.Proof == fix.NoProof {
			finding := &fixed.Finding
			out = fmt.Appendf(out, "%s:%d:%d: %s %s: %s without a proof\n", o.file.Name, finding.Row, finding.Column, finding.Code.String(), finding.Message(), r.verb("fix", "fixed"))
		}
	}
	for i := range o.result.Remaining {
		left := &o.result.Remaining[i]
		finding := &left.Finding
		out = fmt.Appendf(out, "%s:%d:%d: %s %s: left, %s\n", o.file.Name, finding.Row, finding.Column, finding.Code.String(), finding.Message(), left.Reason)
	}
	return out
}

// isSilent reports whether no findings are printed.
func (r *fixRun) isSilent() bool { return r.plan.Quiet > 0 || r.check }

// verb says what was done, or with --diff would be.
func (r *fixRun) verb(would, did string) string {
	if r.diff {
		return "would " + would
	}
	return did
}

// codeCounts lists codes with their numbers: "E225 5, F401".
func codeCounts(counts map[string]int) string {
	var parts []string
	for _, code := range slices.SortedFunc(maps.Keys(counts), byTool) {
		if n := counts[code]; n > 1 {
			code = fmt.Sprintf("%s %d", code, n)
		}
		parts = append(parts, code)
	}
	return strings.Join(parts, ", ")
}

// byTool orders codes as rules are, and those of plugins after them.
func byTool(a, b string) int {
	place := func(code string) int {
		if found, is := rule.Find(code); is {
			return int(found)
		}
		return rule.Count
	}
	return cmp.Or(cmp.Compare(place(a), place(b)), cmp.Compare(a, b))
}

// A fixedFinding is a finding in a report as JSON.
type fixedFinding struct {
	Code    string `json:"code"`
	Row     int32  `json:"row"`
	Column  int32  `json:"column"`
	Message string `json:"message"`
	Proof   string `json:"proof,omitempty"`
	Why     string `json:"why,omitempty"`
}

// json returns the result for a file as a line of JSON.
func (o *fixOutcome) json() []byte {
	report := struct {
		Path    string         `json:"path"`
		Changed bool           `json:"changed"`
		Fixed   []fixedFinding `json:"fixed"`
		Left    []fixedFinding `json:"left"`
		Error   string         `json:"error,omitempty"`
	}{Path: o.file.Name, Changed: o.result.Changed(), Fixed: []fixedFinding{}, Left: []fixedFinding{}}
	if o.err != nil { // the file is as it was
		report.Changed, report.Error = false, o.err.Error()
		return pyjson.AppendLine(nil, report)
	}
	for i := range o.result.Fixed {
		f := &o.result.Fixed[i]
		report.Fixed = append(report.Fixed, fixedFinding{f.Finding.Code.String(), f.Finding.Row, f.Finding.Column, f.Finding.Message(), f.Proof.String(), ""})
	}
	for i := range o.result.Remaining {
		f := &o.result.Remaining[i]
		report.Left = append(report.Left, fixedFinding{f.Finding.Code.String(), f.Finding.Row, f.Finding.Column, f.Finding.Message(), "", string(f.Reason)})
	}
	return pyjson.AppendLine(nil, report)
}

// summary prints a table of the fixed and the remaining findings by code.
func (r *fixRun) summary() error {
	fixed, left := sum(r.fixed), sum(r.left)
	if r.json || r.isSilent() || fixed+left == 0 {
		return nil
	}
	var out []byte
	if len(r.plan.Files) > 1 {
		width := len(fmt.Sprint(max(fixed, left)))
		row := func(code, fixed, left any) {
			out = fmt.Appendf(out, "%-5v  %*v  %*v\n", code, max(width, 5), fixed, max(width, 4), left)
		}
		out = append(out, '\n')
		row("code", "fixed", "left")
		codes := maps.Clone(r.fixed)
		maps.Copy(codes, r.left)
		for _, code := range slices.SortedFunc(maps.Keys(codes), byTool) {
			row(code, r.fixed[code], r.left[code])
		}
		row("all", fixed, left)
	}
	out = fmt.Appendf(out, "%d of %d findings fixed, %s %d of %d files\n", fixed, fixed+left, r.verb("change", "changed"), r.changed, r.files)
	if parts := r.leftParts(); len(r.plan.Files) > 1 && parts != "" {
		out = fmt.Appendf(out, "of the %d left, %s\n", left, parts)
	}
	_, err := r.lines(len(r.plan.Files) == 1 && r.plan.Files[0].Stdin).Write(out)
	return err
}

// leftParts says how many of the remaining findings have an edit or stay on purpose.
func (r *fixRun) leftParts() string {
	var parts []string
	if r.unproven > 0 {
		parts = append(parts, fmt.Sprintf("%d have an edit with --unsafe", r.unproven))
	}
	if r.meant > 0 {
		parts = append(parts, fmt.Sprintf("%d stay on purpose", r.meant))
	}
	return strings.Join(parts, " and ")
}

func sum(counts map[string]int) (n int) {
	for _, count := range counts {
		n += count
	}
	return n
}

// exitCode returns the exit code, which says whether findings are left.
func (r *fixRun) exitCode() int {
	switch {
	case r.failed > 0:
		return exitFound
	case r.plan.ExitZero:
		return exitOK
	case (r.diff || r.check) && r.changed > 0, !r.diff && !r.check && sum(r.left) > 0:
		return exitFound
	}
	return exitOK
}

// errNoText is the error of a file whose differences cannot be shown.
var errNoText = errors.New("the file is not UTF-8")

// unifiedDiff returns the differences of a file. Bytes that are not UTF-8 stay as they are.
func unifiedDiff(name string, before, after []byte) string {
	if bytes.Equal(before, after) {
		return ""
	}
	name = diffName(name)
	if !utf8.Valid(before) {
		return fmt.Sprintf("--- %s\n+++ %s\n# %v\n", name, name, errNoText)
	}
	return udiff.Unified(name, name, string(before), string(after))
}

// diffName returns a file's name as git writes it in the head of a difference: with a tab after a
// name that has blanks, and quoted if it has characters that would end it.
func diffName(name string) string {
	tab := ""
	if strings.Contains(name, " ") {
		tab = "\t"
	}
	var quoted strings.Builder
	for i := range len(name) {
		switch b := name[i]; {
		case b == '"' || b == '\\':
			quoted.WriteString("\\" + string(b))
		case b == '\n':
			quoted.WriteString(`\n`)
		case b == '\t':
			quoted.WriteString(`\t`)
		case b < ' ' || b == 0x7f:
			fmt.Fprintf(&quoted, `\%03o`, b)
		default:
			quoted.WriteByte(b)
		}
	}
	if quoted.Len() > len(name) {
		return `"` + quoted.String() + `"` + tab
	}
	return name + tab
}
