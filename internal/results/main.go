// Command results measures what docs/results.md says and writes that page.
//
//	go run ./internal/results                          # the page, from the figures in docs/results.json
//	go run ./internal/results -measure parity,speed    # these anew, then the page
//
// It is run in the repository's root. To measure it needs what the figures are about:
// CPythons (-pythons), from which it makes environments with the real flake8 and the
// other tools, by pip. Nothing of it is part of the product.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Where the figures and the page are.
const (
	figuresFile = "docs/results.json"
	pageFile    = "docs/results.md"
	chartFile   = "docs/speed.svg"
)

// Figures are all that was measured.
type Figures struct {
	Parity []Parity `json:"parity"`
	Ruff   *Ruff    `json:"ruff,omitempty"`
	Judge  []Labels `json:"judge"`
	Speed  []Speed  `json:"speed"`
	Board  []Run    `json:"board"`
}

// Parity says how the output for one corpus compares with a real flake8's.
type Parity struct {
	Flake8  string `json:"flake8"`
	Python  string `json:"python"`
	Options string `json:"options,omitempty"`
	Files   int    `json:"files"`
	Died    int    `json:"died,omitempty"` // files at which flake8 itself ends with a traceback
	Lines   int    `json:"lines"`          // that flake8 prints
	Differ  int    `json:"differ"`         // lines that only one of the two prints
	Date    string `json:"date"`
}

// Ruff says how ruff's findings for one corpus compare with flake8's, by file, row and
// code.
type Ruff struct {
	Version string `json:"version"`
	Flake8  string `json:"flake8"`
	Files   int    `json:"files"`
	Same    int    `json:"same"`
	Missing int    `json:"missing"` // flake8's alone
	Added   int    `json:"added"`   // ruff's alone
	Date    string `json:"date"`
}

// Labels says what the judge makes of answers that were labelled by others.
type Labels struct {
	Name    string `json:"name"`
	Keep    bool   `json:"keep"` // the logic is kept, so that a pass is right
	Pass    int    `json:"pass"`
	Fail    int    `json:"fail"`
	Unknown int    `json:"unknown"`
	Date    string `json:"date"`
}

// Speed is what one tool took for one corpus.
type Speed struct {
	Tool   string  `json:"tool"`
	Corpus string  `json:"corpus"`
	Files  int     `json:"files"`
	Bytes  int64   `json:"bytes"`
	CPU    float64 `json:"cpu"` // seconds of processor time, the best of some runs
	Date   string  `json:"date"`
}

// Run is a tool or a model and what it scores on the open set.
type Run struct {
	Name    string  `json:"name"`
	Kind    string  `json:"kind"` // tool or model
	Samples int     `json:"samples"`
	Pass    float64 `json:"official"` // pass@1
	Guarded float64 `json:"guarded"`
	Unknown int     `json:"unknown"` // samples of which the guarded verdict is not known
	NoCode  int     `json:"no_code"` // samples without a statement that pass the official verdict
	Date    string  `json:"date"`
}

// A machine has what the figures are measured with.
type machine struct {
	context.Context
	folder  string   // for environments and copies
	pythons []string // interpreters, oldest first
	peers   []string // flake8s that are there: release@python=command
	files   int      // of a standard library that are compared
	binary  string
	today   string
}

func main() {
	measure := flag.String("measure", "", "what to measure anew: parity, ruff, judge, speed, tools, or several with commas")
	pythons := flag.String("pythons", "python3.11,python3.12,python3.13,python3.14", "the CPythons to compare on, with commas")
	peers := flag.String("peers", "", "flake8s that are there already, with commas: RELEASE@PYTHON=COMMAND, such as 7.5.0@3.15.2=/opt/flake8")
	files := flag.Int("files", 300, "how many files of each standard library are compared; 0 is all")
	model := flag.String("model", "", "add a model to the board: NAME=SAMPLES")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *measure, *pythons, *peers, *model, *files); err != nil {
		fmt.Fprintln(os.Stderr, "results:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, measure, pythons, peers, model string, files int) error {
	figures, err := read(figuresFile)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if measure != "" || model != "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return err
		}
		m := &machine{Context: ctx, folder: filepath.Join(cache, "codelinter-results"), pythons: strings.Split(pythons, ","), peers: strings.FieldsFunc(peers, func(r rune) bool { return r == ',' }), files: files, today: time.Now().UTC().Format(time.DateOnly)}
		if err := os.MkdirAll(m.folder, 0o755); err != nil {
			return err
		}
		m.binary, err = filepath.Abs("codelinter")
		if err != nil {
			return err
		}
		if err := m.run("make", "build"); err != nil {
			return err
		}
		parts := map[string]func(*Figures) error{"parity": m.parity, "ruff": m.ruff, "judge": m.judge, "speed": m.speed, "tools": m.tools}
		for part := range strings.SplitSeq(measure, ",") {
			if part == "" {
				continue
			}
			if parts[part] == nil {
				return fmt.Errorf("-measure: expected parity, ruff, judge, speed or tools, found %q", part)
			}
			if err := parts[part](figures); err != nil {
				return fmt.Errorf("%s: %w", part, err)
			}
			if err := write(figures); err != nil {
				return err
			}
		}
		if model != "" {
			name, samples, is := strings.Cut(model, "=")
			if !is {
				return fmt.Errorf("-model: expected NAME=SAMPLES, found %q", model)
			}
			if err := m.score(figures, name, "model", samples); err != nil {
				return err
			}
		}
	}
	return write(figures)
}

func read(name string) (*Figures, error) {
	figures := new(Figures)
	data, err := os.ReadFile(name)
	if err != nil {
		return figures, err
	}
	return figures, json.Unmarshal(data, figures)
}

// write writes the figures, the page and the chart.
func write(figures *Figures) error {
	data, err := json.MarshalIndent(figures, "", " ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(figuresFile, append(data, '\n'), 0o644); err != nil {
		return err
	}
	if err := os.WriteFile(chartFile, chart(figures.Speed), 0o644); err != nil {
		return err
	}
	return os.WriteFile(pageFile, page(figures), 0o644)
}

// put replaces those of list that are like made, or adds it.
func put[T any](list []T, made T, like func(a, b T) bool) []T {
	if i := slices.IndexFunc(list, func(of T) bool { return like(of, made) }); i >= 0 {
		list[i] = made
		return list
	}
	return append(list, made)
}
