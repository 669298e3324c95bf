package behaviour

import (
	"cmp"
	"context"
	"crypto/sha256"
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"

	"codelinter/ast"
	"codelinter/sandbox"
)

// What calls do not show was not compared:
//
//	def f(a):
//	    if a % 9973 == 7 and a > 5000:    # never true
//	        return 0                      # never reached
//	    odd = len(str(a)[16:17])          # always 0
//	    return a + 1
//
// So a program is watched: it runs once more, in a text in which what is watched is passed
// through functions of watch.py. Places of three kinds are watched. Code must come to its end:
// each statement, and each expression that may not be evaluated. Conditions must have both
// outcomes. And values must be seen to matter (vouch.go).

//go:embed watch.py
var watchPy string

// watchBudget is the budget of a run that is watched, where the program used so many counts.
func watchBudget(used int64) int64 { return 100*used + 50_000_000 }

// looks is how often a run looks at the state.
const looks = 4

// maxWatched bounds the nesting of watched expressions. CPython accepts 200 open parentheses.
const maxWatched = 40

// A siteKind is the kind of a site.
type siteKind uint8

const (
	siteEnd     siteKind = iota // must come to its end, or be seen
	siteOutcome                 // must be true, and be false
	siteValue                   // must be seen to matter
)

// A site is a place of a program that is watched, and what the calls showed of it.
type site struct {
	kind     siteKind
	at       ast.Range
	key      string           // the part, the same in every program; of a condition without negations; "": it need not come to its end
	negated  bool             // of a condition: it is the opposite of the key
	turned   bool             // of a condition: it makes true what it is a part of if it is false
	one      bool             // of a condition: one outcome is enough
	loops    int              // around it, 9 at most
	counts   bool             // two copies of it are not the same as one
	function *ast.FunctionDef // nobody may call it

	expr     ast.Expr // of a value, or of an outcome that is used
	operands []ast.Expr
	same     ast.Expr // of these: no call tells it from the value

	yes, no  bool   // its outcomes; yes if it came to its end, or has a value
	varies   bool   // of a value: it has more than one
	constant string // its first value for people, or ""
}

// A watch is a program that is watched.
type watch struct {
	*module  // its tree may have other names than its text
	name     string
	keeps    bool // its functions make functions, whose state is recorded
	sites    []*site
	wraps    []wrap
	ofAnswer bool     // of an answer, not of the program
	again    bool     // other processes will watch the same
	others   string   // in Python, sizes of objects that are made before those of the program
	ended    bool     // the runs came to their end, so the sites are known
	changed  []string // what the calls have changed of the state, for people

	made map[*sandbox.Call]bool // calls of earlier runs
}

// A wrap is what stands around a part of a program in the text that runs.
type wrap struct {
	at            ast.Range
	before, after string
}

// newWatch returns a watch of a program or an answer m. Functions of the task's program are not
// inlined. Values are watched that are not known. With all, so are conditions and expressions
// without a variable.
func (p *Plan) newWatch(m, program *module, known names, all bool) *watch {
	w := &watch{module: m, name: "watched_program", keeps: m.makesFunctions(), made: map[*sandbox.Call]bool{}}
	if m != program { // an answer must not know the name
		sum := sha256.Sum256([]byte(fmt.Sprint(p.seeds, m.text)))
		w.name = fmt.Sprintf("watched_%x", sum[:8])
	}
	f := siteFinder{watch: w, known: known, all: all, helpers: m.helpers(definitions(program.body))}
	f.inliner = m.newInliner(nil, nil, f.helpers)
	f.block(m.body)
	return w
}

// add adds a site; its number is that of w.sites.
func (w *watch) add(s *site) *site {
	w.sites = append(w.sites, s)
	return s
}

// call returns the beginning of a call of a method of Watched for the last site that was added.
func (w *watch) call(method string, numbers ...int) string {
	text := fmt.Sprintf("%s.%s(%d", w.name, method, len(w.sites)-1)
	for _, n := range numbers {
		text += fmt.Sprintf(", %d", n)
	}
	return text
}

// mark returns a statement which says that the last site that was added has come to its end.
// The names with _yes and _no are the methods add of sets, which take a fifth of the time of a
// function in Python.
func (w *watch) mark() string { return fmt.Sprintf("%s_yes(%d)", w.name, len(w.sites)-1) }

// end records that an expression has come to its end.
func (w *watch) end(e ast.Expr, site int) {
	if w.keeps {
		w.around(e, fmt.Sprintf("%s.end(%d", w.name, site))
	} else {
		w.wraps = append(w.wraps, wrap{e.Bounds(), "((", fmt.Sprintf("), %s_yes(%d))[0]", w.name, site)})
	}
}

// recordOutcome records the truth of a condition whose value is used.
func (w *watch) recordOutcome(e ast.Expr, site int) {
	w.around(e, fmt.Sprintf("%s.outcome(%d", w.name, site))
}

// recordTruth records the truth of a condition of which only this is used.
func (w *watch) recordTruth(e ast.Expr, site int) {
	w.wraps = append(w.wraps, wrap{e.Bounds(), "((", fmt.Sprintf(") and not %s_yes(%d) or %[1]s_no(%[2]d))", w.name, site)})
}

// makesFunctions reports whether functions or lambdas of a program may make functions.
func (m *module) makesFunctions() (found bool) {
	table := m.names()
	each(m.body, func(n ast.Node) bool {
		switch n.Kind() {
		case ast.KindLambda:
			found = true
		case ast.KindFunctionDef, ast.KindAsyncFunctionDef:
			found = found || table.InFunction(table.Scopes[table.ScopeOf(n)].Parent)
		}
		return !found
	})
	return found
}

// around passes an expression through a call.
func (w *watch) around(e ast.Expr, call string) {
	before, after := call+", ", ")"
	switch e.(type) {
	case *ast.Tuple, *ast.Yield, *ast.YieldFrom, *ast.NamedExpr:
		before, after = before+"(", "))"
	}
	w.wraps = append(w.wraps, wrap{e.Bounds(), before, after})
}

// insert inserts a text.
func (w *watch) insert(at int32, text string) {
	w.wraps = append(w.wraps, wrap{ast.Range{Start: at, End: at}, text, ""})
}

// source returns the text that runs.
func (w *watch) source() string {
	// At one place outer ones begin first and end last, and what ends comes before what begins.
	// Of two around one expression the first is the inner one.
	type insert struct {
		splice
		begins, other, order int
	}
	at, indent, _ := w.row(w.begin())
	start := fmt.Sprintf("watched('%s', globals(), (%s))\n%s", w.name, w.others, indent)
	inserts := []insert{{splice{int(at), int(at), start}, 0, 0, -1}}
	for i, wrap := range w.wraps {
		start, end := int(wrap.at.Start), int(wrap.at.End)
		if start == end {
			inserts = append(inserts, insert{splice{start, start, wrap.before}, 0, 0, i})
			continue
		}
		inserts = append(inserts, insert{splice{start, start, wrap.before}, 1, -end, -i}, insert{splice{end, end, wrap.after}, 0, -start, i})
	}
	slices.SortStableFunc(inserts, func(a, b insert) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.begins, b.begins), cmp.Compare(a.other, b.other), cmp.Compare(a.order, b.order))
	})
	list := make([]splice, len(inserts))
	for i := range inserts {
		list[i] = inserts[i].splice
	}
	return spliced(w.text, list) + "\n" + w.name + ".state.begin()\n"
}

// begin returns the first statement that does anything. Before it, watch.py gets a name that no
// program can know.
func (w *watch) begin() ast.Stmt {
	at := slices.IndexFunc(w.body, func(s ast.Stmt) bool {
		from, is := s.(*ast.ImportFrom)
		return !ast.IsText(s) && (!is || from.Module != "__future__")
	})
	return w.body[max(at, 0)]
}

// row returns where the row of a statement begins, and the blanks before; ok is false if the
// statement does not begin its row.
func (m *module) row(s ast.Node) (at int32, indent string, ok bool) {
	at = s.Bounds().Start
	if first, decorated := firstDecorator(s); decorated {
		at = first
	}
	indent = m.text[strings.LastIndexByte(m.text[:at], '\n')+1 : at]
	return at, indent, strings.Trim(indent, " ") == ""
}

// runWatch runs a program, and records what the calls of sessions show of its sites, without those
// that show nothing. Calls that an earlier run has made are not made again.
func (p *Plan) runWatch(ctx context.Context, w *watch, sessions []*session, without map[*expectation]apart) error {
	program := sandbox.Program{Source: w.source(), Once: true, Unfinished: true, Keep: w.again, Before: watchPy}
	used := int64(len(program.Source)+len(program.Before)) * compileCounts
	for _, s := range sessions {
		used += s.used
		for i, call := range s.calls {
			of := ofNone
			if i < len(s.want) {
				of = without[&s.want[i]]
			}
			if s.steps[i].standing == ofCall && of != ofBoth && !(of == ofAnswer && w.ofAnswer) && !w.made[&s.calls[i]] {
				w.made[&s.calls[i]] = true
				call.Return = nil
				program.Calls = append(program.Calls, call)
			}
		}
	}
	if w.ended && len(program.Calls) == 0 {
		return nil
	}
	w.ended = false
	w.look(program.Calls)
	program.Calls = append(program.Calls, sandbox.Call{Expr: w.name + ".seen()"})
	program.Budget = watchBudget(used)
	r, err := p.engine.Run(ctx, program)
	if err != nil || r.End != sandbox.Done || len(r.Calls) < len(program.Calls) {
		return err
	}
	w.ended = w.note(r.Calls[len(r.Calls)-1].Value.Items)
	return nil
}

// watchSession runs a session on a watched program. The program does there what it does without a watch,
// unless it is too slow. w.ended says whether it is known what the calls show.
func (p *Plan) watchSession(ctx context.Context, w *watch, s *session) (*sandbox.Result, error) {
	program := sandbox.Program{Source: w.source(), Once: true, Keep: w.again, Before: watchPy}
	calls := slices.Clone(s.calls)
	w.look(calls[:s.watched])
	program.Calls = slices.Insert(calls, s.watched, sandbox.Call{Expr: w.name + ".seen()"})
	program.Budget = answerBudget(s.used) + compileCounts*int64(len(program.Source)+len(program.Before))
	r, err := p.engine.Run(ctx, program)
	if err == nil && len(r.Calls) > s.watched {
		w.ended = w.note(r.Calls[s.watched].Value.Items)
		r.Calls = slices.Delete(r.Calls, s.watched, s.watched+1)
	}
	return &r, err
}

// look has some calls look at the state first: in the end it may be again what it was.
func (w *watch) look(calls []sandbox.Call) {
	for i := 1; i < looks && len(calls) > looks; i++ {
		call := &calls[i*len(calls)/looks]
		call.Exec = w.name + ".state.look()\n" + call.Exec
	}
}

// note adds what a run showed, as Watched.seen of watch.py says it. It reports whether that makes sense.
func (w *watch) note(seen []sandbox.Value) bool {
	if len(seen) != 4 || slices.ContainsFunc(seen, func(v sandbox.Value) bool { return v.Kind != sandbox.List }) {
		return false
	}
	of := func(v *sandbox.Value) *site { // v is its number, or begins with it
		if len(v.Items) > 0 {
			v = &v.Items[0]
		}
		if v.Int == nil || !v.Int.IsUint64() || v.Int.Uint64() >= uint64(len(w.sites)) {
			return new(site)
		}
		return w.sites[v.Int.Uint64()]
	}
	for i := range seen[0].Items {
		of(&seen[0].Items[i]).yes = true
	}
	for i := range seen[1].Items {
		of(&seen[1].Items[i]).no = true
	}
	for i := range seen[2].Items {
		of(&seen[2].Items[i]).add(seen[2].Items[i].Items)
	}
	for i := range seen[3].Items {
		if place := seen[3].Items[i].Str; !slices.Contains(w.changed, place) {
			w.changed = append(w.changed, place)
		}
	}
	return true
}

// add adds what a run showed of a value.
func (s *site) add(seen []sandbox.Value) {
	text := seen[2].Str
	s.varies = s.varies || seen[1].Int.Sign() != 0 || s.constant != "" && text != "" && text != s.constant
	s.constant = cmp.Or(s.constant, text)
}

// isConstant reports whether a value was the same in all calls.
func (s *site) isConstant() bool { return s.constant != "" && !s.varies }

// clone returns a copy to which further calls can be added.
func (w *watch) clone() *watch {
	c := *w
	c.sites, c.made, c.changed = make([]*site, len(w.sites)), maps.Clone(w.made), slices.Clone(w.changed)
	for i, s := range w.sites {
		copied := *s
		c.sites[i] = &copied
	}
	return &c
}
