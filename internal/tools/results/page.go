package results

import (
	"bytes"
	"cmp"
	_ "embed"
	"fmt"
	"text/template"

	"codelinter/internal/stats"
)

//go:embed page.md.tmpl
var pageText string

// labels describes the answers of each test of package judge.
var labels = map[string]string{
	"TestChanges/changes.jsonl": "changes of logic by hand",
	"TestChanges/unseen.jsonl":  "changes of logic by hand, of other programs",
	"TestMutants/hidden":        "mutants that the programs' tests kill, the tests hidden",
	"TestMutants/half":          "such mutants, half of the tests shown",
	"TestFormatters":            "what formatters, fixers and chains of them write",
}

// page returns the page with the figures.
func page(figures *Figures) []byte {
	functions := template.FuncMap{
		"thousands": thousands,
		"labels":    func(test string) string { return cmp.Or(labels[test], test) },
		"percent":   func(k, n int) string { return fmt.Sprintf("%.1f %%", 100*float64(k)/float64(max(n, 1))) },
		"share":     func(of float64) string { return fmt.Sprintf("%.1f %%", 100*of) },
		"interval":  interval,
		"sum": func(list ...int) (sum int) {
			for _, n := range list {
				sum += n
			}
			return sum
		},
		"megabytes":    func(n int64) string { return fmt.Sprintf("%.1f MB", float64(n)/1e6) },
		"seconds":      func(s float64) string { return fmt.Sprintf("%.2f s", s) },
		"milliseconds": func(s float64) string { return fmt.Sprintf("%.2f ms", 1000*s) },
		"whole":        func(s float64) string { return fmt.Sprintf("%.0f", s) },
		"took":         took,
		"micros":       func(s float64) string { return fmt.Sprintf("%.0f us", 1e6*s) },
		"ratio":        func(r float64) string { return fmt.Sprintf("%.2f", r) },
		"judges":       judges,
		"table":        table,
		"times": func(all []Speed, s float64) string {
			return fmt.Sprintf("%.0f", s/all[0].CPU)
		},
		"right": func(l Labels) int {
			if l.Keep {
				return l.Pass
			}
			return l.Fail
		},
		"wrong": func(l Labels) int {
			if l.Keep {
				return l.Fail
			}
			return l.Pass
		},
	}
	var out bytes.Buffer
	if err := template.Must(template.New("page").Funcs(functions).Parse(pageText)).Execute(&out, figures); err != nil {
		panic(err) // of a template that the tests run
	}
	return out.Bytes()
}

// A peer is a judge and what it passes of all families.
type peer struct {
	Name           string
	Passed, Right  int // answers it passes, and those of them that are honest
	Honest, Number int // all honest answers, and all answers
}

// judges returns the judges of families.
func judges(families []Family) []peer {
	peers := []peer{{Name: "flake8 alone"}, {Name: "flake8 and the task's asserts"}, {Name: "flake8 and EvalPlus"}, {Name: "codelinter's guarded verdict"}}
	for i := range peers {
		p := &peers[i]
		for _, f := range families {
			passed := [...]int{f.Lint, f.Asserts, f.Plus, f.Judge}[i]
			p.Passed += passed
			p.Number += f.Number
			if f.Honest {
				p.Right += passed
				p.Honest += f.Number
			}
		}
	}
	return peers
}

// thousands returns n as 12,345.
func thousands(n int) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// interval returns [stats.Wilson] in percent.
func interval(k, n int) string {
	of := stats.Wilson(k, n)
	return fmt.Sprintf("%.1f to %.1f", 100*of.Low, 100*of.High)
}

// took returns seconds in words.
func took(seconds float64) string {
	if seconds < 90 {
		return fmt.Sprintf("%.0f s", seconds)
	}
	return fmt.Sprintf("%.0f min", seconds/60)
}

// table returns a part's heading on the page.
func table(part string) string {
	for _, k := range kinds() {
		if k.name == part {
			return k.table
		}
	}
	return part
}
