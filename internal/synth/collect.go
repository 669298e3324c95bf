package synth

import (
	"context"
	"crypto/sha256"
	"errors"
	"slices"
	"strings"

	"codelinter/evaluator/extract"
	"codelinter/evaluator/task"
	"codelinter/fix"
	"codelinter/internal/corpus"
	"codelinter/internal/corpus/near"
)

// Census counts the programs of a corpus by what became of them.
type Census struct {
	Read     int // programs read
	Clean    int // clean as they were
	Fixed    int // clean after fixing
	Unclean  int // with findings that no proven edit removes, or that are silenced
	Excluded int // near a program of [CollectOptions.Exclude]
	Repeated int // near another program of the corpus
	Skipped  int // files that could not be read or cut
	Programs int // programs to make tasks of
}

// CollectOptions configure [Collect].
type CollectOptions struct {
	Corpus corpus.Options
	Lint   *task.Options // pinned; see [Options.Lint]
	// Exclude, if set, has programs to stay away from.
	Exclude *near.Index
	// KeepRepeated keeps programs that are near others of the corpus.
	KeepRepeated bool
	// Measure, if set, counts the findings of the programs as they are.
	Measure *Measure
	Workers int // 0: one
	// Progress, if set, is called from time to time.
	Progress func(Census)
}

// Collect reads a corpus and returns the programs for tasks: clean ones, and those that package
// fix makes clean. They are in the order of their hashes, so the first ones are a fair sample of
// all.
func Collect(ctx context.Context, sources []string, o CollectOptions) (programs []Program, census Census, err error) {
	skipped := o.Corpus.Skipped
	o.Corpus.Skipped = func(s corpus.Skip) {
		census.Skipped++
		if skipped != nil {
			skipped(s)
		}
	}
	var print near.Printer
	seen := near.NewSeen()
	read := func(yield func(*corpus.Program) error) error {
		return corpus.Read(sources, o.Corpus, func(p *corpus.Program) error {
			census.Read++
			if o.Measure != nil {
				o.Measure.Add([]byte(p.Text))
			}
			shingles := print.Shingles(p.Text)
			switch {
			case o.Exclude != nil && o.Exclude.Near(shingles):
				census.Excluded++
			case !o.KeepRepeated && seen.Again(shingles):
				census.Repeated++
			default:
				return yield(p)
			}
			return nil
		})
	}
	newCleaner := func() (func(*corpus.Program) cleaned, error) {
		maker, err := NewMaker(Options{Lint: o.Lint})
		if err != nil {
			return nil, err
		}
		fixer, err := fix.New(o.Lint.Lint())
		if err != nil {
			return nil, err
		}
		return func(p *corpus.Program) cleaned { return clean(maker, fixer, p) }, nil
	}
	hashes := map[[sha256.Size]byte]bool{}
	err = inOrder(ctx, o.Workers, read, newCleaner, func(c cleaned) error {
		switch {
		case c.text == "":
			census.Unclean++
			return nil
		case c.fixed:
			census.Fixed++
		default:
			census.Clean++
		}
		p := Program{Program: *c.program, Hash: sha256.Sum256([]byte(c.text))}
		p.Text = c.text
		if hashes[p.Hash] {
			census.Repeated++
			return nil
		}
		hashes[p.Hash] = true
		programs = append(programs, p)
		census.Programs++
		if o.Progress != nil && census.Programs%256 == 0 {
			o.Progress(census)
		}
		return nil
	})
	slices.SortFunc(programs, func(a, b Program) int { return slices.Compare(a.Hash[:], b.Hash[:]) })
	return programs, census, err
}

type cleaned struct {
	program *corpus.Program
	text    string // "" if it cannot be made clean
	fixed   bool
}

// clean returns a program without findings and noqa comments.
func clean(maker *Maker, fixer *fix.Fixer, p *corpus.Program) cleaned {
	c := cleaned{program: p}
	if strings.Contains(strings.ToLower(p.Text), "noqa") {
		return c
	}
	text := strings.TrimLeft(p.Text, "\n")
	if !maker.IsClean(text) {
		result := fixer.Fix([]byte(text))
		text, c.fixed = strings.TrimLeft(string(result.Text), "\n"), true
		if len(result.Left) > 0 || !maker.IsClean(text) {
			return c
		}
	}
	// Code that the benchmark takes from a fence begins with a newline.
	if answer := extract.Code("```python\n" + text + "```\n").Text; answer == "\n"+text && maker.IsClean(answer) {
		c.text = text
	}
	return c
}

// Exclude adds the programs of a corpus to an index.
func Exclude(index *near.Index, sources []string, o corpus.Options) error {
	var print near.Printer
	return corpus.Read(sources, o, func(p *corpus.Program) error {
		index.Add(print.Shingles(p.Text))
		return nil
	})
}

// inOrder makes a result of each item that read yields, with several workers, and passes the
// results to emit in the items' order. newWorker makes the function of each worker.
func inOrder[Item, Result any](ctx context.Context, workers int, read func(yield func(Item) error) error,
	newWorker func() (func(Item) Result, error), emit func(Result) error) error {
	workers = max(workers, 1)
	type job struct {
		item Item
		done chan Result
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	jobs := make(chan job)
	order := make(chan chan Result, 4*workers)
	for range workers {
		work, err := newWorker()
		if err != nil {
			return err
		}
		go func() {
			for j := range jobs {
				j.done <- work(j.item)
			}
		}()
	}
	failed := make(chan error, 1)
	go func() {
		defer close(order)
		defer close(jobs)
		failed <- read(func(item Item) error {
			j := job{item, make(chan Result, 1)}
			for _, send := range [...]func() error{
				func() error {
					select {
					case order <- j.done:
						return nil
					case <-ctx.Done():
						return context.Cause(ctx)
					}
				},
				func() error {
					select {
					case jobs <- j:
						return nil
					case <-ctx.Done():
						close(j.done)
						return context.Cause(ctx)
					}
				},
			} {
				if err := send(); err != nil {
					return err
				}
			}
			return nil
		})
	}()
	var first error
	for done := range order {
		result, ok := <-done
		if !ok || first != nil {
			continue
		}
		if first = emit(result); first != nil {
			cancel(first)
		}
	}
	err := <-failed
	if first == nil {
		first = err
	}
	if errors.Is(first, errEnough) {
		return nil
	}
	return first
}

// errEnough ends inOrder early without an error.
var errEnough = errors.New("enough")
