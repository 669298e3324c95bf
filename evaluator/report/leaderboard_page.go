package report

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"codelinter/evaluator"
	"codelinter/evaluator/stats"
	"codelinter/internal/terminal"
)

var (
	//go:embed page/leaderboard.html
	leaderboardText string
	//go:embed page/leaderboard.css
	leaderboardStyle string
)

const (
	// pageSpreads is how many of the tasks that separate runs a page has a row for.
	pageSpreads = 100
	// savedSpreads is how many it has in the tables that can be saved.
	savedSpreads = 5000
)

// boardPage is what page/leaderboard.html shows.
type boardPage struct {
	pageHead
	Size, How      string
	Notes          []string
	Data           template.JS // JSON, with "<" as \u003c
	Steps, Several bool
	Pairs          int

	Heads    []column // of the scores
	Forests  []forest
	Curves   []stepCurves
	Verdicts []boardVerdict
	Rows     []boardRow
}

// A boardVerdict is what a page shows of one verdict.
type boardVerdict struct {
	Name    string
	Columns int   // of its scores
	Numbers []int // of the runs, from 1
	Pairs   []pairRow
	Tasks   []spreadRow
	More    int    // tasks without a row that can be saved
	Shown   string // what Tasks are; "" of none
	Nothing string // what separates nothing
}

// A boardRow is a run in the table of scores.
type boardRow struct {
	Number     int
	Name, File string
	Step       string
	Verdicts   []boardCells
}

// boardCells are a run's scores by one verdict.
type boardCells struct {
	First  int
	Places string
	Scores []boardScore
}

type boardScore struct {
	Exact, Value, Interval string
}

type pairRow struct {
	Number int
	Key    int // of the run's column in the table of tasks
	Name   string
	Cells  []pairCell
}

// A pairCell is by how much the row's run is better than the column's; Class is
// "better" or "worse" where the p-value is small, and Title says it in words.
type pairCell struct{ Class, By, P, Title string }

type spreadRow struct {
	Number                 int
	ID, Share, SharePoints string
	Rates                  []spreadCell
}

type spreadCell struct{ Class, Exact, Text string }

// Page writes the leaderboard as one file of HTML that loads nothing else: charts of the
// intervals, and of pass@k by step, tables of scores that can be sorted, the p-values of
// each two, and the tasks that separate the runs. Charts can be saved as SVG, tables as
// CSV, and everything as JSON. Names of runs and tasks reach the browser as text, as
// those of a [Page] do.
func (l *Leaderboard) Page(w io.Writer) error {
	data, err := l.pageData()
	if err != nil {
		return err
	}
	var runs []evaluator.About
	for i := range l.Entries {
		runs = append(runs, l.Entries[i].Run.About)
	}
	page := boardPage{
		pageHead: newPageHead("CodeLinterEval, "+l.size(), pageStyle+leaderboardStyle, scriptOf("elements", "tables", "leaderboard"), runs...),
		Size:     l.size(), How: l.how(), Notes: l.Notes, Data: template.JS(data),
		Steps: l.Steps, Several: len(l.Verdicts) > 1, Pairs: len(l.Verdicts[0].Pairings),
	}
	shown := l.order(&l.Verdicts[0])
	page.Forests = []forest{l.newForest("wide", shown), l.newForest("narrow", shown)}
	if l.Steps {
		for v := range l.Verdicts {
			page.Curves = append(page.Curves, l.newStepCurves(&l.Verdicts[v]))
		}
	}
	for i, place := range shown {
		entry := l.Verdicts[0].Ranked[place].Entry
		e := &l.Entries[entry]
		row := boardRow{Number: i + 1, Name: e.Name, File: e.File, Step: e.step()}
		for v := range l.Verdicts {
			standing := l.Verdicts[v].of(entry)
			cells := boardCells{First: standing.First, Places: standing.places()}
			for _, a := range standing.PassAt {
				cells.Scores = append(cells.Scores, boardScore{
					exact(a.Formula), fmt.Sprintf("%.1f", 100*a.Formula), interval(a.Interval),
				})
			}
			row.Verdicts = append(row.Verdicts, cells)
		}
		page.Rows = append(page.Rows, row)
	}
	key := 0 // what a column is sorted by: its place in a row
	if l.Steps {
		key++
	}
	for v := range l.Verdicts {
		page.Verdicts = append(page.Verdicts, l.boardVerdict(&l.Verdicts[v]))
		for i, k := range l.Verdicts[v].K {
			class := "n"
			if i == 0 {
				class = "n begins"
			}
			key++
			page.Heads = append(page.Heads, column{fmt.Sprintf("pass@%d", k), strconv.Itoa(key), "-", class})
		}
		key++
		page.Heads = append(page.Heads, column{"place", strconv.Itoa(key), "", "n"})
	}
	templates, err := template.New("leaderboard").Parse(headText + leaderboardText)
	if err != nil {
		return err
	}
	return templates.Execute(w, &page)
}

func interval(i stats.Interval) string { return fmt.Sprintf("%.1f to %.1f", 100*i.Low, 100*i.High) }

// pageData returns the files that can be saved from the page, as JSON.
func (l *Leaderboard) pageData() ([]byte, error) {
	saved := *l
	saved.Verdicts = slices.Clone(l.Verdicts)
	for v := range saved.Verdicts {
		s := &saved.Verdicts[v]
		s.Spreads = s.Spreads[:min(len(s.Spreads), savedSpreads)]
	}
	files := map[string]any{"leaderboard.json": json.RawMessage(saved.JSON())}
	for name, write := range map[string]func(io.Writer) error{
		"scores.csv": saved.CSV, "pairs.csv": saved.pairsCSV, "tasks.csv": saved.spreadsCSV, "scores.tex": saved.LaTeX,
	} {
		var text bytes.Buffer
		if err := write(&text); err != nil {
			return nil, err
		}
		files[name] = text.String()
	}
	return json.Marshal(files)
}

func (l *Leaderboard) boardVerdict(s *Standings) boardVerdict {
	order := l.order(s)
	v := boardVerdict{Name: string(s.Verdict), Columns: len(s.K) + 1}
	name := func(place int) string { return l.Entries[s.Ranked[place].Entry].Name }
	pairing := map[[2]int]*stats.Pairing{}
	for i := range s.Pairings {
		pairing[[2]int{s.Pairings[i].A, s.Pairings[i].B}] = &s.Pairings[i]
	}
	for i, place := range order {
		v.Numbers = append(v.Numbers, i+1)
		row := pairRow{Number: i + 1, Key: i + 2, Name: name(place)}
		for _, other := range order {
			p, by := pairing[[2]int{place, other}], 0.0
			if p != nil {
				by = s.by(p)
			} else if p = pairing[[2]int{other, place}]; p != nil {
				by = -s.by(p)
			} else {
				row.Cells = append(row.Cells, pairCell{Class: "same", By: "–"})
				continue
			}
			cell := pairCell{By: points(by), P: shortChance(p.Adjusted)}
			cell.Title = fmt.Sprintf("%s against %s: %s points, p = %s corrected, %s alone", name(place), name(other), cell.By, chance(p.Adjusted), chance(p.P))
			switch {
			case p.Adjusted >= Significance:
			case by > 0:
				cell.Class = "better"
			default:
				cell.Class = "worse"
			}
			row.Cells = append(row.Cells, cell)
		}
		v.Pairs = append(v.Pairs, row)
	}
	sum := 0.0
	for i := range s.Spreads[:min(len(s.Spreads), pageSpreads)] {
		spread := &s.Spreads[i]
		sum += spread.Share
		row := spreadRow{
			Number: i + 1, ID: spread.ID.String(),
			Share: exact(spread.Share), SharePoints: fmt.Sprintf("%.2f", 100*spread.Share),
		}
		for _, place := range order {
			r := spread.Rates[place]
			const levels = 5
			row.Rates = append(row.Rates, spreadCell{
				fmt.Sprintf("level%d", int(math.Round(rate(r)*levels))), exact(rate(r)), fmt.Sprintf("%d/%d", r.C, r.N),
			})
		}
		v.Tasks = append(v.Tasks, row)
	}
	v.More = min(len(s.Spreads), savedSpreads) - len(v.Tasks)
	if len(v.Tasks) > 0 {
		v.Shown = fmt.Sprintf("%s, together %.1f %% of the variance", count(len(v.Tasks), "task"), 100*sum)
	}
	v.Nothing = fmt.Sprintf("All samples of all runs pass on %s, none on %d: these separate nothing.", count(s.Solved, "task"), s.Unsolved)
	return v
}

// A forest is a chart of the intervals of pass@1, a line a run, drawn for a wide or a
// narrow screen. Coordinates are texts with as many digits as are seen.
type forest struct {
	Class, Label  string
	Width, Height int
	Top, Bottom   int
	Levels        []forestLevel
	Rows          []forestRow
	Legend        []forestKey
}

type (
	forestLevel struct{ X, Text string }
	forestRow   struct {
		Name, Short string
		X, Y        int
		Marks       []forestMark
	}
	forestMark struct {
		N                     int
		X1, X2, X             string
		Y, TextX, TextY       int
		Square                bool
		SquareX, SquareY      string
		Value, Title, Verdict string
	}
	forestKey struct {
		N, X, Y          int
		Square           bool
		SquareX, SquareY int
		Text             string
	}
)

// newForest draws the runs in the order of the places in shown.
func (l *Leaderboard) newForest(class string, shown []int) forest {
	f := forest{Class: class}
	left, right, rowHeight, first := 264.0, 810.0, 12+14*len(l.Verdicts), 34
	f.Width = 880
	if class == "narrow" {
		left, right, rowHeight, first = 13.0, 337.0, 26+15*len(l.Verdicts), 44
		f.Width = 350
	}
	f.Top = first - 8
	f.Bottom = first + rowHeight*len(shown)
	f.Height = f.Bottom + 24
	low, high := 1.0, 0.0
	for v := range l.Verdicts {
		for _, standing := range l.Verdicts[v].Ranked {
			low, high = min(low, standing.PassAt[0].Interval.Low), max(high, standing.PassAt[0].Interval.High)
		}
	}
	low, high, step := scale(low, high)
	x := func(value float64) float64 { return left + (right-left)*(value-low)/(high-low) }
	text := func(x float64) string { return fmt.Sprintf("%.1f", x) }
	for _, value := range marks(low, high, step) {
		f.Levels = append(f.Levels, forestLevel{text(x(value)), fmt.Sprintf("%.0f", 100*value)})
	}
	var label []string
	for i, place := range shown {
		entry := l.Verdicts[0].Ranked[place].Entry
		e := &l.Entries[entry]
		top := first + i*rowHeight
		row := forestRow{Name: e.Name, X: 0, Y: top + rowHeight/2 + 4}
		room := 32
		if class == "narrow" {
			row.Y = top + 12
		}
		row.Short = terminal.Shorten(terminal.Printable(e.Name), room)
		for v := range l.Verdicts {
			s := &l.Verdicts[v]
			a := &s.of(entry).PassAt[0]
			y := top + rowHeight/2 + 7*(2*v-len(l.Verdicts)+1)
			m := forestMark{
				N: v, X1: text(x(a.Interval.Low)), X2: text(x(a.Interval.High)), X: text(x(a.Formula)), Y: y,
				TextX: f.Width - 4, TextY: y + 4, Value: fmt.Sprintf("%.1f", 100*a.Formula), Square: v > 0,
				SquareX: text(x(a.Formula) - 4), SquareY: strconv.Itoa(y - 4),
				Title: fmt.Sprintf("%s: %spass@1 %s, %s", e.Name, l.verdict(s), percent(a.Formula), interval(a.Interval)),
			}
			if class == "narrow" {
				m.Y = top + 24 + 14*v
				m.SquareY = strconv.Itoa(m.Y - 4)
				m.TextY = top + 12
				m.TextX = f.Width - 52*(len(l.Verdicts)-1-v)
			}
			row.Marks = append(row.Marks, m)
		}
		f.Rows = append(f.Rows, row)
		label = append(label, fmt.Sprintf("%s %s", e.Name, percent(l.Verdicts[0].Ranked[place].PassAt[0].Formula)))
	}
	f.Label = "pass@1 with its interval of each run: " + strings.Join(label, ", ")
	at := int(left)
	for v := range l.Verdicts {
		f.Legend = append(f.Legend, forestKey{v, at + 4, 12, v > 0, at, 8, string(l.Verdicts[v].Verdict)})
		at += 100
	}
	return f
}

// scale returns ends that are round and hold low and high, shares both, and the distance
// of marks between them.
func scale(low, high float64) (from, to, step float64) {
	for _, step = range []float64{0.01, 0.02, 0.05, 0.1, 0.2} {
		from, to = math.Floor(low/step+1e-9)*step, math.Ceil(high/step-1e-9)*step
		if to-from <= 7.5*step {
			break
		}
	}
	if to <= from {
		from, to = max(from-step, 0), min(to+step, 1)
	}
	return from, to, step
}

// marks returns the values to mark on a scale.
func marks(from, to, step float64) (values []float64) {
	for i := 0; ; i++ {
		value := from + float64(i)*step
		if value > to+step/2 {
			return values
		}
		values = append(values, value)
	}
}

// stepCurves are pass@k against the step, by one verdict.
type stepCurves struct {
	Verdict, Label string
	Width, Height  int
	Levels         []level
	Ticks          []tick
	Drawn          []drawn
}

func (l *Leaderboard) newStepCurves(s *Standings) stepCurves {
	const (
		width, height = 500, 300
		left, right   = 40.0, 408.0
		top, bottom   = 14.0, 262.0
		apart         = 17.0 // of names
		curveStyles   = 5    // that the style has
	)
	c := stepCurves{Verdict: string(s.Verdict), Width: width, Height: height}
	order := l.order(s)
	low, high := 1.0, 0.0
	for _, place := range order {
		for _, a := range s.Ranked[place].PassAt {
			low, high = min(low, a.Interval.Low), max(high, a.Interval.High)
		}
	}
	low, high, step := scale(low, high)
	firstStep, lastStep := l.Entries[0].Step, l.Entries[len(l.Entries)-1].Step
	x := func(step float64) float64 {
		if lastStep == firstStep {
			return left
		}
		return left + (right-left)*(step-firstStep)/(lastStep-firstStep)
	}
	y := func(value float64) float64 { return bottom - (bottom-top)*(value-low)/(high-low) }
	text := func(value float64) string { return fmt.Sprintf("%.1f", value) }
	for _, value := range marks(low, high, step) {
		c.Levels = append(c.Levels, level{text(left), text(right), text(y(value)), text(left - 8), text(y(value) + 4), fmt.Sprintf("%.0f", 100*value)})
	}
	// Steps get a number from the last on, where there is room.
	room := math.Inf(1)
	for i := len(l.Entries) - 1; i >= 0; i-- {
		e := &l.Entries[i]
		if at, wide := x(e.Step), 5.0*float64(len(e.step())); at+wide < room {
			room = at - wide - 8
			c.Ticks = append(c.Ticks, tick{text(at), text(bottom + 20), e.step()})
		}
	}
	var label []string
	var names []float64
	for i, k := range s.K {
		curve := drawn{N: i % curveStyles, Name: fmt.Sprintf("pass@%d", k), NameX: text(right + 10)}
		var line, band, back []string
		for _, place := range order {
			standing := &s.Ranked[place]
			e, a := &l.Entries[standing.Entry], &standing.PassAt[i]
			at := text(x(e.Step))
			line = append(line, at+","+text(y(a.Formula)))
			band = append(band, at+","+text(y(a.Interval.High)))
			back = append(back, at+","+text(y(a.Interval.Low)))
			curve.Dots = append(curve.Dots, dot{at, text(y(a.Formula)), fmt.Sprintf("step %s: pass@%d %s, %s", e.step(), k, percent(a.Formula), interval(a.Interval))})
		}
		slices.Reverse(back)
		curve.Line, curve.Band = strings.Join(line, " "), strings.Join(append(band, back...), " ")
		lastScore := func(of func(evaluator.Average) float64) float64 { return of(s.Ranked[order[len(order)-1]].PassAt[i]) }
		end := y(lastScore(func(a evaluator.Average) float64 { return a.Formula }))
		names = append(names, end)
		label = append(label, fmt.Sprintf("pass@%d from %s at step %s to %s at step %s", k,
			percent(s.Ranked[order[0]].PassAt[i].Formula), l.Entries[0].step(),
			percent(s.Ranked[order[len(order)-1]].PassAt[i].Formula), l.Entries[len(l.Entries)-1].step()))
		c.Drawn = append(c.Drawn, curve)
	}
	// Larger k stand higher: a name that would cover the one below moves up.
	for i := range names {
		if i > 0 {
			names[i] = min(names[i], names[i-1]-apart)
		}
		c.Drawn[i].NameY = text(names[i] + 4)
	}
	c.Label = string(s.Verdict) + ": " + strings.Join(label, "; ")
	return c
}
