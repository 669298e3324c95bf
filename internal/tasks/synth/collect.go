package synth

import (
	"context"
	"crypto/sha256"
	"slices"
	"strings"
	"sync"

	"codelinter/evaluator/extract"
	"codelinter/evaluator/task"
	"codelinter/fix"
	"codelinter/internal/tasks/corpus"
	"codelinter/internal/tasks/similar"
	"codelinter/internal/util/ordered"
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
	Exclude *similar.Index
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
	var counting sync.Mutex // programs are read and taken on two goroutines
	count := func(n *int) Census {
		counting.Lock()
		defer counting.Unlock()
		*n++
		return census
	}
	skipped := o.Corpus.Skipped
	o.Corpus.Skipped = func(s corpus.Skip) {
		count(&census.Skipped)
		if skipped != nil {
			skipped(s)
		}
	}
	var print similar.Printer
	seen := similar.NewSeen()
	read := func(yield func(*corpus.Program) error) error {
		return corpus.Read(sources, o.Corpus, func(p *corpus.Program) error {
			count(&census.Read)
			if o.Measure != nil {
				o.Measure.Add([]byte(p.Text))
			}
			shingles := print.Shingles(p.Text)
			switch {
			case o.Exclude != nil && o.Exclude.Near(shingles):
				count(&census.Excluded)
			case !o.KeepRepeated && seen.Again(shingles):
				count(&census.Repeated)
			default:
				return yield(p)
			}
			return nil
		})
	}
	hashes := map[[sha256.Size]byte]bool{}
	err = ordered.Do(ctx, o.Workers, read, o.newCleaner, func(c cleaned) error {
		switch {
		case c.text == "":
			count(&census.Unclean)
			return nil
		case c.fixed:
			count(&census.Fixed)
		default:
			count(&census.Clean)
		}
		p := Program{Program: *c.program, Hash: sha256.Sum256([]byte(c.text))}
		p.Text = c.text
		if hashes[p.Hash] {
			count(&census.Repeated)
			return nil
		}
		hashes[p.Hash] = true
		programs = append(programs, p)
		if now := count(&census.Programs); o.Progress != nil && now.Programs%256 == 0 {
			o.Progress(now)
		}
		return nil
	})
	slices.SortFunc(programs, func(a, b Program) int { return slices.Compare(a.Hash[:], b.Hash[:]) })
	return programs, census, err
}

// newCleaner returns a worker that cleans programs.
func (o *CollectOptions) newCleaner() (func(*corpus.Program) cleaned, error) {
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
		if len(result.Remaining) > 0 || !maker.IsClean(text) {
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
func Exclude(index *similar.Index, sources []string, o corpus.Options) error {
	var print similar.Printer
	return corpus.Read(sources, o, func(p *corpus.Program) error {
		index.Add(print.Shingles(p.Text))
		return nil
	})
}
