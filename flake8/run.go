// Package flake8 is flake8's face: its command line and configuration files,
// which files they mean, what is printed for them and in which order.
//
//	code := flake8.Main(ctx, flake8.Command{
//		Name: "flake8", Args: os.Args[1:],
//		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
//	})
//
// [LintText] lints a text that is in memory, and [NewPlan] tells which files a command line
// names, with the options for each.
//
// # How the work is shared out
//
// The files are sorted by name, because that is the order of flake8's report. Then each
// worker takes a few at a time and renders their findings into buffers. The output of the
// file whose turn it is gets written at once. Other outputs wait in a ring of limited
// size, and a worker that is too far ahead waits too. So memory depends on the number of
// workers, not on the number of files.
//
// Output is written in whole lines: whenever the process ends, the last line is complete.
package flake8

import (
	"bytes"
	"context"
	"errors"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
	"unicode/utf8"

	"codelinter/internal/newfindings"
	"codelinter/internal/python/pytext"
	"codelinter/lint"
	"codelinter/rule"
	"codelinter/source"
)

// runOptions configure lintPaths.
type runOptions struct {
	*settings
	format   formatter
	warn     func(error)           // called for folders that cannot be read
	progress func(done, total int) // called from time to time; may be nil
	brief    bool                  // there is one small file
}

// A runResult is the result of a run.
type runResult struct {
	Found      int         // findings
	Failed     int         // files that plugins could not check
	Files      int         // files linted
	Statistics []statistic // in the order of their codes, if asked for
	Sizes      lint.Sizes  // if asked for
	Written    int         // findings, to a baseline
	Silenced   silenced    // what --add-noqa did
}

// A statistic is the number of findings of a code.
type statistic struct {
	Code    string
	Count   int
	Message string // of the first finding
	first   int    // the input that has it
}

const (
	ring       = 16      // files in flight for each worker
	keptOutput = 1 << 18 // bytes of output that may wait for their turn, a file
	chunk      = 1 << 16 // bytes to write at once
	pause      = 100 * time.Millisecond
)

// lintPaths lints the files that the options name and writes the findings to stdout in
// flake8's order. A file that cannot be read gives a finding. An error means that the
// options are wrong, that writing failed, or that ctx ended. Unless stdout failed, all
// lines written are whole.
func lintPaths(ctx context.Context, o runOptions, stdin io.Reader, stdout io.Writer) (runResult, error) {
	files, err := o.files(o.warn)
	if err != nil {
		return runResult{}, err
	}
	r := &run{
		runOptions: o,
		ctx:        ctx,
		files:      files,
		frame:      o.format.frame(),
		source:     o.showSource && showsSource(o.format),
		stdin:      sync.OnceValues(func() ([]byte, error) { return readAll(stdin, nil, source.MaxSize+1) }),
		stdout:     stdout,
	}
	if err := r.prepare(ctx, stdin); err != nil {
		return runResult{}, err
	}
	if r.past != nil {
		defer r.past.close()
	}
	jobs := max(1, min(o.workers(), len(r.inputs)))
	r.slots = make([]slot, jobs*ring)
	r.out = append(r.out, r.frame.Start...)
	r.turn.L = &r.mutex
	if o.brief {
		r.work() // a goroutine and a timer take three threads, which is a tenth of a start
	} else {
		r.startWorkers(ctx, jobs)
	}
	result, err := r.end(context.Cause(ctx))
	if err == nil && r.baseline != nil && r.baseline.writing {
		result.Written, err = r.baseline.write()
	}
	return result, err
}

// startWorkers runs so many workers until they are done, or ctx ends.
func (r *run) startWorkers(ctx context.Context, n int) {
	r.clock = time.AfterFunc(pause, func() { r.paused.Store(true) })
	defer r.clock.Stop()
	var workers sync.WaitGroup
	for range n {
		workers.Go(r.work)
	}
	done := make(chan struct{})
	go func() { workers.Wait(); close(done) }()
	select {
	case <-done:
	case <-ctx.Done(): // a worker may be waiting for standard input: leave it
	}
}

// prepare sets the inputs, and what they are compared with.
func (r *run) prepare(ctx context.Context, stdin io.Reader) (err error) {
	if r.baseline, err = r.openBaseline(r.folder); err != nil {
		return err
	}
	if r.past, err = r.openPast(ctx, r.folder, stdin); err != nil {
		return err
	}
	if r.past != nil {
		r.among = r.past.among
	}
	inputs := r.expand(r.paths)
	if n := len(inputs); r.comparison.old != "" && n != 1 {
		return usageErrorf("argument --old: expected one file to compare, found %d", n)
	}
	r.inputs = r.since(inputs)
	if r.addNoqa {
		r.inputs = withoutLinks(r.inputs)
	}
	return nil
}

// showsSource reports whether a format has lines between which a line of a file can be
// shown.
func showsSource(format formatter) bool {
	switch format.(type) {
	case defaultFormat, *template:
		return true
	}
	return false
}

// A run is the state that the workers share.
type run struct {
	runOptions
	ctx context.Context // for plugins
	*files
	inputs []input
	frame  frame
	source bool // lines are shown after the findings
	stdin  func() ([]byte, error)
	stdout io.Writer

	// What the files are compared with; nil for nothing.
	past      past
	baseline  *baseline
	pastMutex sync.Mutex

	// Output is shown after each pause. A timer says when: asking for the time after each
	// file took 1 % of the time of small ones.
	clock  *time.Timer
	paused atomic.Bool

	mutex   sync.Mutex
	turn    sync.Cond // written rose, or err was set
	taken   int       // inputs that workers took
	written int       // inputs whose output is in out, all in front of the others
	slots   []slot    // of input i at i % len(slots), for written <= i < written+len(slots)
	spare   [][]byte  // memory for outputs; the last one used, still in the cache, is reused first
	out     []byte
	between bool   // there was output of a file
	last    []byte // output of the last file, if names are shown once
	found   int
	counts  rule.Table[statistic] // if asked for
	failed  int                   // files that plugins could not check
	sizes   lint.Sizes
	noqa    silenced
	err     error // ends the run
}

// A slot is the result of an input.
type slot struct {
	output []byte
	begun  bool // a part of the output was written
	done   bool
}

// A worker is the memory of one.
type worker struct {
	linters []*lint.Linter // clones of the guides'; nil for a guide that no file has had
	contents
	plugins PluginWorker // nil before the first file for them
	older   older
	file    lintedFile // one for all: a formatter has it only while it renders
	output  []byte     // for the next file
}

func (r *run) work() {
	w := worker{linters: make([]*lint.Linter, len(r.guides))}
	defer w.close()
	for {
		i, end := r.take()
		if i == end {
			return
		}
		// Go preempts a worker that ran for 10 ms. If that happens in a system call, the
		// worker loses its processor, and Go's monitor polls every 20 us for a while. That
		// took 1 % of the time of small files, so the worker yields here.
		runtime.Gosched()
		for i < end {
			for _, c := range w.read(r, r.inputs[i:end]) {
				if ok := r.lint(&w, i, c); !ok {
					return
				}
				i++
			}
		}
	}
}

func (w *worker) close() {
	for _, plugins := range [...]PluginWorker{w.plugins, w.older.plugins} {
		if plugins != nil {
			plugins.Close()
		}
	}
}

// take returns the indices of a worker's next inputs, from i to before end. It waits for
// the slot of the first. i == end means that no inputs are left. Near the end it hands
// out fewer, so that each worker gets some of the last ones.
func (r *run) take() (i, end int) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	free := func() int { return r.written + len(r.slots) - r.taken }
	for r.taken < len(r.inputs) && free() == 0 && r.err == nil {
		r.turn.Wait()
	}
	if r.err != nil {
		return 0, 0
	}
	left := len(r.inputs) - r.taken
	i = r.taken
	r.taken += min(filesAhead, max(1, left*ring/(4*len(r.slots))), free(), left)
	return i, r.taken
}

// lint lints input i. It reports whether the run continues.
func (r *run) lint(w *worker, i int, c content) bool {
	t := &r.inputs[i]
	g := r.guideFor(t.name)
	linter := w.linters[g]
	if linter == nil {
		linter = r.guides[g].linter.Clone()
		w.linters[g] = linter
	}
	w.file = lintedFile{Name: t.name}
	var sizes lint.Sizes
	switch {
	case c.err != nil:
		if linter.Enabled(rule.E902) {
			w.file.Findings = []rule.Finding{rule.Finding{Column: 1, Code: rule.E902}.With(rule.Values{Text: osErrorText(c.err, t.name)})}
		}
	default:
		err := r.findings(w, g, t, c.data)
		if err == nil && r.addNoqa {
			err = r.silence(w, g, t, c.data)
		}
		if err != nil {
			r.mutex.Lock()
			defer r.mutex.Unlock()
			r.fail(err)
			return false
		}
		if r.benchmark {
			sizes = w.file.linted().Sizes()
		}
	}
	ok := r.finish(w, i, sizes)
	if len(c.data) > keptInput {
		w.memory, w.linters[g], w.file = nil, nil, lintedFile{}
		w.older.comparer, w.older.kept = newfindings.Comparer{}, nil
	}
	return ok
}

// findings sets the findings of the worker's file, whose text is given.
func (r *run) findings(w *worker, g int, t *input, data []byte) error {
	w.file = lintedFile{Name: t.name}
	text := lint.Input{Name: t.name, Data: data, Stdin: t.stdin}
	if t.stdin {
		text.Saved = func(name string) ([]byte, error) { return r.read(input{name: name}, nil) }
	}
	var said PluginResult
	w.file.result, said = r.check(w.linters[g], &w.plugins, text)
	w.file.Findings = w.file.result.Findings
	r.note(&w.file, &said)
	return r.compare(w, g, t, data)
}

// check lints a text, and has plugins check it, by a worker that is made when it is needed.
func (r *run) check(linter *lint.Linter, worker *PluginWorker, text lint.Input) (result lint.Result, said PluginResult) {
	result = linter.Lint(text)
	var (
		foreign  []lint.Foreign
		reported []rule.Finding // before selection and comments
	)
	if r.plugins != nil && result.RunsPlugins() {
		said = r.runPlugins(worker, text)
		for i := range said.Findings {
			reported = append(reported, said.Findings[i].Finding)
		}
		if r.pluginWhole && !said.isFailed() {
			result.Findings = nil
		}
		if foreign = said.Findings; !r.pluginDecided {
			foreign, _ = result.Admit(foreign)
		}
	}
	result.Merge(appendNoqa(foreign, &result, reported))
	return result, said
}

// finish renders the findings of input i and writes all outputs that are due. It reports
// whether the run continues.
func (r *run) finish(w *worker, i int, sizes lint.Sizes) bool {
	s := &r.slots[i%len(r.slots)]
	s.output = append(w.output[:0], w.file.said...)
	err := r.render(i, s, &w.file)
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.fail(err)
	s.done = true
	r.found += len(w.file.Findings)
	if w.file.failed {
		r.failed++
	}
	if r.statistics {
		r.count(i, w.file.Findings)
	}
	r.sizes.LogicalLines += sizes.LogicalLines
	r.sizes.PhysicalLines += sizes.PhysicalLines
	r.sizes.Tokens += sizes.Tokens
	if i == r.written {
		r.writeDue()
	}
	w.output = nil
	if n := len(r.spare); n > 0 {
		w.output, r.spare = r.spare[n-1], r.spare[:n-1]
	}
	return r.err == nil
}

func (r *run) writeDue() {
	for r.written < len(r.inputs) && r.slots[r.written%len(r.slots)].done {
		due := &r.slots[r.written%len(r.slots)]
		r.write(due)
		if cap(due.output) <= 2*keptOutput {
			r.spare = append(r.spare, due.output)
		}
		due.output, due.done, due.begun = nil, false, false
		r.written++
	}
	if r.paused.Load() {
		r.paused.Store(false)
		r.clock.Reset(pause)
		r.flush()
		if r.progress != nil {
			r.progress(r.written, len(r.inputs))
		}
	}
	r.turn.Broadcast()
}

// render renders file into s, and writes output that is too long to wait.
func (r *run) render(i int, s *slot, file *lintedFile) (err error) {
	s.output = r.format.appendStart(s.output, file)
	for k := range file.Findings {
		if s.output, err = r.format.appendFinding(s.output, file, k); err != nil {
			return err
		}
		if r.source {
			s.output = appendSource(s.output, file, &file.Findings[k])
		}
		if len(s.output) > keptOutput {
			r.writeInTurn(i, s)
		}
	}
	s.output = r.format.appendEnd(s.output, file)
	return nil
}

// appendSource appends the line of a finding and a mark below its column. The
// line may be of many rows; flake8 puts the mark after their last.
func appendSource(dst []byte, file *lintedFile, finding *rule.Finding) []byte {
	line, found := file.Line(finding)
	if !found {
		return dst
	}
	dst = append(dst, line...)
	before := int(finding.Column) - 1
	if before < 0 {
		before = max(0, utf8.RuneCountInString(line)+before)
	}
	for _, c := range line {
		if before == 0 {
			break
		}
		before--
		if pytext.IsSpace(c) {
			dst = utf8.AppendRune(dst, c)
		} else {
			dst = append(dst, ' ')
		}
	}
	return append(dst, "^\n"...)
}

// writeInTurn writes the output so far of input i, a long one, after all outputs before
// it. The first unfinished input never waits here, so there is always progress.
func (r *run) writeInTurn(i int, s *slot) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	for i != r.written && r.err == nil {
		r.turn.Wait()
	}
	r.write(s)
	s.output = s.output[:0]
}

// write puts the output of an input, or a part of it, into out. After an error,
// nothing is written any more.
func (r *run) write(s *slot) {
	if r.err != nil || len(s.output) == 0 {
		return
	}
	if r.frame.Once {
		if bytes.Equal(s.output, r.last) {
			return
		}
		r.last = append(r.last[:0], s.output...)
	}
	if r.between && !s.begun {
		r.out = append(r.out, r.frame.Between...)
	}
	r.between, s.begun = true, true
	r.out = append(r.out, s.output...)
	if len(r.out) >= chunk {
		r.flush()
	}
}

func (r *run) flush() {
	if len(r.out) == 0 {
		return
	}
	_, err := r.stdout.Write(r.out)
	r.out = r.out[:0]
	if cap(r.out) > 4*chunk {
		r.out = nil
	}
	r.fail(err)
}

// fail ends the run, unless it has ended.
func (r *run) fail(err error) {
	if err != nil && r.err == nil {
		r.err = err
		r.turn.Broadcast()
	}
}

// end closes the output. interrupted is why the run ended early, nil if it did
// not.
func (r *run) end(interrupted error) (runResult, error) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	failed := r.err
	if r.written == len(r.inputs) {
		interrupted = nil
	}
	if failed == nil {
		if part := &r.slots[r.written%len(r.slots)]; part.begun { // a file whose output is incomplete
			r.out = r.format.appendEnd(r.out, &lintedFile{Name: r.inputs[r.written].name})
		}
		r.out = append(r.out, r.frame.End...)
		r.flush()
		failed = r.err
	}
	if failed == nil {
		failed = interrupted
	}
	r.fail(errEnded) // for workers that are still running
	result := runResult{Found: r.found, Failed: r.failed, Files: len(r.inputs), Sizes: r.sizes, Silenced: r.noqa}
	for _, s := range r.counts.All() {
		if s.Count > 0 {
			result.Statistics = append(result.Statistics, *s)
		}
	}
	slices.SortFunc(result.Statistics, func(a, b statistic) int { return strings.Compare(a.Code, b.Code) })
	return result, failed
}

var errEnded = errors.New("the run has ended")

// count adds the findings of input i to the statistics. Inputs come in any order.
func (r *run) count(i int, findings []rule.Finding) {
	for k := range findings {
		s := r.counts.At(findings[k].Code)
		if s.Count == 0 || i < s.first {
			s.Code, s.Message, s.first = findings[k].Code.String(), findings[k].Message(), i
		}
		s.Count++
	}
}

// IsClosedPipe reports whether writing failed because the reader has gone away,
// which ends a program quietly.
func IsClosedPipe(err error) bool {
	return errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe)
}
