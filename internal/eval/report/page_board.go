package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"codelinter/evaluator"
)

// savedSpreads bounds the tasks that separate runs on a page.
const savedSpreads = 5000

// boardData is a page's data of a leaderboard.
type boardData struct {
	Size  string          `json:"size"`
	Steps bool            `json:"steps"`
	Board json.RawMessage `json:"board"` // see [Leaderboard.JSON]
	Ways  []boardWay      `json:"ways"`
	Codes []codeNamed     `json:"codes"` // of the marks
	// Files can be saved from the page. They have the bytes that the command line
	// writes.
	Files map[string]string `json:"files"`
}

// Page writes the leaderboard as one file of HTML that loads nothing else: charts of the
// intervals, and of pass@k by step, tables of scores that can be sorted, the p-values of
// each two, and the tasks that separate the runs. Charts can be saved as SVG, tables as
// CSV, and everything as JSON. Names of runs and tasks reach the browser as text, as
// those of a [Page] do.
func (l *Leaderboard) Page(w io.Writer) error {
	saved := *l
	saved.Verdicts = slices.Clone(l.Verdicts)
	for v := range saved.Verdicts {
		s := &saved.Verdicts[v]
		s.Spreads = s.Spreads[:min(len(s.Spreads), savedSpreads)]
	}
	ways := boardWays(l.Entries, l.ids, mostFrequent)
	data := &boardData{Size: l.size(), Steps: l.Steps, Board: saved.JSON(), Ways: ways, Codes: namedCodes(ways), Files: map[string]string{}}
	for name, write := range map[string]func(io.Writer) error{
		"scores.csv": saved.CSV, "pairs.csv": saved.pairsCSV, "tasks.csv": saved.spreadsCSV, "scores.tex": saved.LaTeX,
	} {
		var text bytes.Buffer
		if err := write(&text); err != nil {
			return err
		}
		data.Files[name] = text.String()
	}
	var runs []evaluator.About
	var plain []string
	for i := range l.Entries {
		runs = append(runs, l.Entries[i].Run.About)
	}
	for v := range l.Verdicts {
		s := &l.Verdicts[v]
		for i := range s.Ranked {
			plain = append(plain, fmt.Sprintf("%s pass@1 of %s: %s", s.Verdict, l.Entries[s.Ranked[i].Entry].Name, percent(s.Ranked[i].PassAt[0].Formula)))
		}
	}
	return renderPage(w, pageData{Title: "CodeLinterEval, " + l.size(), Board: data}, nil, plain, runs...)
}
