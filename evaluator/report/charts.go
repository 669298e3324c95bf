package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"codelinter/evaluator"
	"codelinter/rule"
)

// This file draws. Coordinates are texts with as many digits as are seen; bars have
// percentages, and grow with the page. No style is in a chart but by classes: a page's
// policy lets no other apply, and the script finds each in the page's style when it
// saves a chart as a file of its own.

// A part is a stretch of a bar, in percent.
type part struct{ Class, X, Width string }

func newPart(class string, x, width float64) part {
	return part{class, fmt.Sprintf("%.2f%%", x), fmt.Sprintf("%.2f%%", width)}
}

// A curve is pass@k of one run or verdict, with its standard error.
type curve struct {
	name string // "" of the only one
	at   func(k int) (value, stderr float64)
}

// curves are drawn in SVG.
type curves struct {
	Name          string // the verdict's and a blank, if the page has several of these
	Width, Height float64
	Label         string
	Levels        []level
	Ticks         []tick
	Drawn         []drawn
	// Where the axes' names stand.
	Middle, Bottom, Up string
}

type (
	level struct{ X1, X2, Y, TextX, TextY, Text string }
	tick  struct{ X, Y, Text string }
	drawn struct {
		N                int
		Name, Band, Line string
		NameX, NameY     string
		Dots             []dot
	}
	dot struct{ X, Y, Title string }
)

// axes are where a chart's axes stand.
type axes struct{ left, right, top, bottom float64 }

func (a axes) x(share float64) string { return fmt.Sprintf("%.1f", a.left+(a.right-a.left)*share) }

func (a axes) y(share float64) string {
	return fmt.Sprintf("%.1f", a.bottom-(a.bottom-a.top)*min(max(share, 0), 1))
}

// levels are the lines at each quarter of the height, with percents at some distance
// beside them.
func (a axes) levels(distance float64) (levels []level) {
	for quarter := range 5 {
		share := float64(quarter) / 4
		at := a.bottom - (a.bottom-a.top)*share
		levels = append(levels, level{
			fmt.Sprint(a.left), fmt.Sprint(a.right), a.y(share), fmt.Sprint(a.left - distance), fmt.Sprintf("%.1f", at+4), fmt.Sprint(25 * quarter),
		})
	}
	return levels
}

// up is where the name of the upright axis stands, turned to read upwards.
func (a axes) up() string { return fmt.Sprintf("%.1f", -(a.top+a.bottom)/2) }

// newCurves draws pass@k for each k that all tasks have samples for, up to 50.
func newCurves(fewest int, lines ...curve) curves {
	last := min(fewest, 50)
	if last < 2 {
		return curves{}
	}
	const (
		width, height      = 460.0, 222.0
		confidence         = 1.96
		labelled, dotRange = 10, 20
	)
	axes := axes{52, 446, 22, 182}
	x := func(k int) string { return axes.x(float64(k-1) / float64(last-1)) }
	c := curves{Width: width, Height: height, Levels: axes.levels(8), Middle: axes.x(0.5), Bottom: fmt.Sprint(height - 4), Up: axes.up()}
	var label []string
	for i, line := range lines {
		d := drawn{N: i, Name: line.name, NameX: fmt.Sprint(axes.left + 6 + 90*float64(i)), NameY: "12"}
		var points, band, back []string
		for k := 1; k <= last; k++ {
			value, stderr := line.at(k)
			if math.IsNaN(stderr) {
				stderr = 0
			}
			switch k {
			case 1:
				label = append(label, fmt.Sprintf("%s rises from %s", cmp.Or(line.name, "pass@k"), percent(value)))
			case last:
				label[i] += fmt.Sprintf(" at k = 1 to %s at k = %d", percent(value), last)
			}
			points = append(points, x(k)+","+axes.y(value))
			band = append(band, x(k)+","+axes.y(value+confidence*stderr))
			back = append(back, x(k)+","+axes.y(value-confidence*stderr))
			if last <= dotRange {
				d.Dots = append(d.Dots, dot{x(k), axes.y(value), fmt.Sprintf("%spass@%d: %s", strings.TrimLeft(line.name+" ", " "), k, percent(value))})
			}
		}
		slices.Reverse(back)
		d.Line, d.Band = strings.Join(points, " "), strings.Join(append(band, back...), " ")
		c.Drawn = append(c.Drawn, d)
	}
	c.Label = strings.Join(label, "; ")
	step := max(1, int(math.Ceil(float64(last)/labelled)))
	for k := 1; k <= last; k += step {
		c.Ticks = append(c.Ticks, tick{x(k), fmt.Sprint(axes.bottom + 20), fmt.Sprint(k)})
	}
	return c
}

// A scatter has a dot for each pair of shares that some of the tasks have in two
// runs: where many have the same, the dot is larger.
type scatter struct {
	Verdict int // its place
	Name    string
	Size    float64
	Label   string
	Levels  []level
	Ticks   []tick
	From    string // ends of the line of equals
	To      string
	Middle  string
	End     string
	Up      string
	Dots    []scatterDot
}

type scatterDot struct {
	Class, X, Y, R string
	Title          string
	A, B           string // the shares, as rows of tasks have them
}

// newScatter draws the tasks by the shares of samples that pass by the verdict in place v,
// which has a name if there are several.
func newScatter(d *Difference, v int, verdict string) scatter {
	if len(d.pairs) == 0 {
		return scatter{}
	}
	const size = 360.0
	axes := axes{56, size - 14, 14, size - 48}
	s := scatter{
		Verdict: v, Name: verdict, Size: size, Levels: axes.levels(14), From: axes.x(0) + "," + axes.y(0), To: axes.x(1) + "," + axes.y(1),
		Middle: axes.x(0.5), End: fmt.Sprint(size - 4), Up: axes.up(),
		Label: fmt.Sprintf("%sshare of samples that pass, of each task: better with B on %s, worse on %d, the same on %d",
			verdict, count(d.Better, "task"), d.Worse, d.Same),
	}
	for quarter := range 5 {
		s.Ticks = append(s.Ticks, tick{axes.x(float64(quarter) / 4), fmt.Sprint(axes.bottom + 24), fmt.Sprint(25 * quarter)})
	}
	type place struct{ a, b float64 }
	tasks := map[place]int{}
	var places []place
	most := 1
	for _, pair := range d.pairs {
		at := place{rate(pair.A), rate(pair.B)}
		if tasks[at]++; tasks[at] == 1 {
			places = append(places, at)
		}
		most = max(most, tasks[at])
	}
	slices.SortFunc(places, func(x, y place) int { return cmp.Or(cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b)) })
	for _, at := range places {
		change := cmp.Compare(at.b, at.a)
		s.Dots = append(s.Dots, scatterDot{
			Class: [...]string{"worse", "same", "better"}[change+1],
			X:     axes.x(at.a), Y: axes.y(at.b),
			R:     fmt.Sprintf("%.1f", 3+8*math.Sqrt(float64(tasks[at]-1)/float64(most))),
			Title: fmt.Sprintf("%s: A %s, B %s", count(tasks[at], "task"), percent(at.a), percent(at.b)),
			A:     exact(at.a), B: exact(at.b),
		})
	}
	return s
}

// A number is a cell with a number in it, rounded for people and exact for files.
type number struct {
	Class, Text     string
	Value           string // exact; "" where there is none
	Low, High, Sure string // an interval of 95 %, exact, and for people
}

func whole(class string, n int) number {
	return number{Class: class, Text: fmt.Sprint(n), Value: fmt.Sprint(n)}
}

// shareNumber is a share in percent, or a dash.
func shareNumber(class string, value float64) number {
	if math.IsNaN(value) {
		return number{Class: class, Text: "-"}
	}
	return number{Class: class, Text: fmt.Sprintf("%.1f", 100*value), Value: exact(value)}
}

// A codeChart has a row for each code, after a row for each of their families.
type codeChart struct {
	Heading string
	Legend  []cellText
	Heads   []column
	Rows    []codeRow
	Aside   string
}

// A cellText is a text and its class.
type cellText struct{ Class, Text string }

type codeRow struct {
	Family     string // "E2"; the code's, or the row's own
	Code, Name string // no Code: a row of a family
	Label      string
	Parts      []float64 // what its bars show
	Bars       [][]part  // one with several stretches, or several
	Cells      []number
}

// Values are the row's parts for the script.
func (r *codeRow) Values() string {
	var values []string
	for _, value := range r.Parts {
		values = append(values, exact(value))
	}
	return strings.Join(values, " ")
}

// sum is the length of the row's stretches.
func (r *codeRow) sum() (sum float64) {
	for _, value := range r.Parts {
		sum += value
	}
	return sum
}

// families are what the first two characters of codes stand for.
var families = map[string]string{
	"C9": "complexity", "E1": "indentation", "E2": "whitespace", "E3": "blank lines", "E4": "imports, by layout", "E5": "line length",
	"E7": "statements", "E9": "not Python", "F4": "imports, by use", "F5": "formatting of strings", "F6": "tests and literals",
	"F7": "control flow", "F8": "names", "F9": "raise", "W1": "tabs", "W2": "trailing whitespace", "W3": "blank lines at the end",
	"W5": "line breaks at operators", "W6": "deprecated syntax",
}

// byFamily gives each of codes' families its row, made by row from the family's codes,
// followed by a row for each of these.
func byFamily(codes []rule.Code, row func(family codeRow, codes []rule.Code) codeRow) (rows []codeRow) {
	members := map[string][]rule.Code{}
	var order []string
	for _, code := range codes {
		family := code.String()[:2]
		if members[family] == nil {
			order = append(order, family)
		}
		members[family] = append(members[family], code)
	}
	for _, family := range order {
		rows = append(rows, row(codeRow{Family: family, Name: families[family]}, members[family]))
		for _, code := range members[family] {
			rows = append(rows, row(codeRow{Family: family, Code: code.String(), Name: strings.ReplaceAll(code.Rule().Name, "-", " ")}, []rule.Code{code}))
		}
	}
	return rows
}

// newCodeChart is the chart of findings; nil if there are none.
func newCodeChart(s *evaluator.Summary) *codeChart {
	codes := changed(s)
	if len(codes) == 0 {
		return nil
	}
	passing := map[string]float64{}
	score := ""
	if averages := s.Official().PassAt; len(averages) > 0 {
		score = averages[0].Name()
		for _, g := range s.Given {
			passing[g.Name] = g.Totals[0].PassAt[0].Value
		}
	}
	sum := func(codes []rule.Code) (all evaluator.Changes) {
		for _, code := range codes {
			c := &s.Codes[code]
			all.Given += c.Given
			all.Fixed += c.Fixed
			all.Left += c.Left
			all.Introduced += c.Introduced
		}
		return all
	}
	chart := &codeChart{
		Heading: "Findings by code",
		Legend:  []cellText{{"fixed", "fixed"}, {"left", "left"}, {"introduced", "introduced"}},
		Heads: []column{{"given", "given", "-", "n more"}, {"fixed", "fixed", "-", "n"}, {"left", "left", "-", "n"},
			{"introduced", "introduced", "-", "n long"}},
		Aside: "given = fixed + left. ",
	}
	if score != "" {
		chart.Heads = append(chart.Heads, column{score, score, "", "n more"})
		chart.Aside += score + ", in %, is of the tasks whose program has the code, by the official verdict."
	}
	chart.Rows = byFamily(codes, func(row codeRow, codes []rule.Code) codeRow {
		c := sum(codes)
		row.Label = fmt.Sprintf("%d fixed, %d left, %d introduced", c.Fixed, c.Left, c.Introduced)
		row.Parts = []float64{float64(c.Fixed), float64(c.Left), float64(c.Introduced)}
		row.Cells = []number{whole("n more", c.Given), whole("n", c.Fixed), whole("n", c.Left), whole("n long", c.Introduced)}
		if score != "" {
			value, ok := passing[row.Code]
			if !ok {
				value = math.NaN()
			}
			cell := shareNumber("n more", value)
			if row.Code == "" {
				cell.Text = "" // families overlap: a task is in several
			}
			row.Cells = append(row.Cells, cell)
		}
		return row
	})
	largest := 1.0
	for i := range chart.Rows {
		largest = max(largest, chart.Rows[i].sum())
	}
	for i := range chart.Rows {
		at := 0.0
		var bar []part
		for j, n := range chart.Rows[i].Parts {
			bar = append(bar, newPart(chart.Legend[j].Class, at, 100*n/largest))
			at += 100 * n / largest
		}
		chart.Rows[i].Bars = [][]part{bar}
	}
	return chart
}
