package fix

import (
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"codelinter/lint"
	"codelinter/pep8"
	"codelinter/rule"
	"codelinter/source"
	"codelinter/tokenizer"
)

// A proposal has one or more edits that are made together or not at all.
type proposal struct {
	code  rule.Code
	at    int32  // offset of the finding
	mends []int  // indices of all findings that it mends
	edits []Edit // sorted
	// byRule says that the tree changes by a rule.
	byRule bool
	// The logical lines that change.
	from, to int
}

// A cluster is some logical lines whose proposals are judged together, with the progress so
// far.
type cluster struct {
	from, to int
	good     []int   // proposals that no trial has blamed
	sure     int     // how many of them a trial has accepted
	groups   [][]int // groups to try in turn
	trying   []int
}

// maxTrials bounds the trials that search for bad proposals.
const maxTrials = 24

// try makes the proposals that are proven and cause no finding. It returns the text after
// them, or s itself.
//
// It makes all proposals at once and judges the result once. If the judgement fails, it names
// the lines to blame, and the proposals there are halved until the bad ones are alone. All
// these lines are halved in the same trials. So a text with many bad proposals takes few
// trials more than one with a single one.
func (f *Fixer) try(s *analysis, proposals []proposal, meaning bool) *analysis {
	clusters := s.cluster(proposals)
	if len(clusters) == 0 {
		return s
	}
	var best *analysis
	for trials := 1; ; trials++ {
		if f.read > f.budget {
			f.cut = true
			break
		}
		pending := false
		var chosen, trying []int
		for i := range clusters {
			c := &clusters[i]
			c.trying = nil
			if n := len(c.groups); n > 0 {
				c.trying, c.groups = c.groups[n-1], c.groups[:n-1]
				pending = true
			}
			chosen = append(append(chosen, c.good...), c.trying...)
			trying = append(trying, c.trying...)
		}
		if !pending && best != nil || len(chosen) == 0 {
			break
		}
		next, blamed := f.trial(s, proposals, chosen, meaning)
		hit := false
		for i := range clusters {
			c := &clusters[i]
			switch {
			case !overlaps(blamed, c):
				continue
			case !pending: // good alone, but not with the others
				c.good, c.sure, hit = nil, 0, true
			case len(c.trying) > 0:
				c.split()
				hit = true
			}
		}
		if next == nil && !hit { // while others were blamed, these were taken for good
			for i := range clusters {
				if c := &clusters[i]; len(c.good) > c.sure && overlaps(blamed, c) {
					c.trying, c.good = c.good[c.sure:], slices.Clip(c.good[:c.sure])
					c.split()
					hit = true
				}
			}
		}
		if next == nil && (!hit || trials == maxTrials) { // no line is to blame, or too many
			if best != nil || !pending || f.whole {
				break // make the good ones; the next pass goes on
			}
			if f.misses++; f.misses > maxMisses {
				break
			}
			return f.tryHalves(s, proposals, trying, meaning)
		}
		best = next
		for i := range clusters {
			c := &clusters[i]
			if c.good = append(c.good, c.trying...); next != nil {
				c.sure = len(c.good)
			}
		}
		if trials == maxTrials {
			break
		}
	}
	if best == nil {
		return s
	}
	return best
}

// maxMisses bounds the failed trials of a code without lines to blame. An edit that the judge
// refuses, it mostly refuses everywhere in a file.
const maxMisses = 16

// tryHalves tries one half of the proposals, and the other if the first has no good ones. The
// next pass goes on from there.
func (f *Fixer) tryHalves(s *analysis, proposals []proposal, trying []int, meaning bool) *analysis {
	if len(trying) < 2 {
		if meaning {
			p := &proposals[trying[0]]
			f.refused[place{int(s.back(p.at, f.first)), p.code, ""}] = true
		}
		return s
	}
	half := make([]proposal, 0, len(trying))
	for _, part := range [...][]int{trying[:len(trying)/2], trying[len(trying)/2:]} {
		half = half[:0]
		for _, i := range part {
			half = append(half, proposals[i])
		}
		if next := f.try(s, half, meaning); next != s {
			return next
		}
		if generators.Get()[proposals[trying[0]].code].ordered {
			break
		}
	}
	return s
}

// split halves the proposals that were tried. It drops a single one.
func (c *cluster) split() {
	if n := len(c.trying); n > 1 {
		c.groups = append(c.groups, c.trying[n/2:], c.trying[:n/2])
	}
	c.trying = nil
}

func overlaps(blamed []int, c *cluster) bool {
	i := sort.SearchInts(blamed, c.from)
	return i < len(blamed) && blamed[i] <= c.to
}

// cluster groups the proposals by the lines that they change. A proposal that overlaps with
// another waits for the next pass.
func (s *analysis) cluster(proposals []proposal) []cluster {
	order := make([]int, 0, len(proposals))
	for i := range proposals {
		p := &proposals[i]
		if len(p.edits) == 0 {
			continue
		}
		p.edits = sortEdits(p.edits)
		p.from = s.lineAt(p.edits[0].Start)
		p.to = max(p.from, s.lineAt(p.edits[len(p.edits)-1].End-1))
		order = append(order, i)
	}
	slices.SortStableFunc(order, func(a, b int) int { return proposals[a].from - proposals[b].from })
	var clusters []cluster
	for _, i := range order {
		p := &proposals[i]
		if n := len(clusters); n > 0 && clusters[n-1].to >= p.from {
			c := &clusters[n-1]
			c.to = max(c.to, p.to)
			c.groups[0] = append(c.groups[0], i)
			continue
		}
		clusters = append(clusters, cluster{from: p.from, to: p.to, groups: [][]int{{i}}})
	}
	return clusters
}

// maxLayers bounds the work of merge. Further proposals wait for the next pass.
const maxLayers = 8

// merge returns the edits of the chosen proposals. It omits a proposal that overlaps with an
// earlier one, and duplicate edits. made are the proposals that it did not omit.
//
// Most proposals come after all edits so far. Others, such as those for the rows of a
// reindented block, begin a new layer, whose edits are sorted too.
func merge(proposals []proposal, chosen []int) (edits []Edit, made []int) {
	order := slices.Clone(chosen)
	slices.SortStableFunc(order, func(a, b int) int {
		p, q := &proposals[a], &proposals[b]
		if p.late() != q.late() {
			if p.late() {
				return 1
			}
			return -1
		}
		return int(p.edits[0].Start) - int(q.edits[0].Start)
	})
	var layers [][]Edit
	for _, i := range order {
		p := &proposals[i]
		if slices.ContainsFunc(layers, func(layer []Edit) bool { return p.conflicts(layer) }) {
			continue
		}
		k := slices.IndexFunc(layers, func(layer []Edit) bool { return layer[len(layer)-1].End <= p.edits[0].Start })
		if k < 0 {
			if len(layers) == maxLayers {
				continue
			}
			layers, k = append(layers, nil), len(layers)
		}
		layers[k] = append(layers[k], p.edits...)
		made = append(made, i)
	}
	return sortEdits(slices.Concat(layers...)), made
}

// late reports whether a proposal gives way to all others, because it replaces the text that
// they edit.
func (p *proposal) late() bool { return p.code == rule.E501 }

// changesTree reports whether a proposal changes what the rules about the tree look at.
func (p *proposal) changesTree() bool {
	return generators.Get()[p.code].tree || generators.Get()[p.code].meaning
}

// conflicts reports whether a proposal overlaps with sorted edits.
func (p *proposal) conflicts(edits []Edit) bool {
	if edits[len(edits)-1].End < p.edits[0].Start {
		return false
	}
	for _, e := range p.edits {
		at := sort.Search(len(edits), func(i int) bool { return edits[i].End >= e.Start })
		for ; at < len(edits) && edits[at].Start <= e.End; at++ {
			other := edits[at]
			insertions := other.Start == other.End || e.Start == e.End
			apart := other.End <= e.Start || e.End <= other.Start
			switch {
			case other == e:
			case p.code == rule.E402 && other.Start == other.End && e.Start == e.End: // insertions at one place, one below the other
			case !apart || insertions || other.Start == e.Start:
				return true
			}
		}
	}
	return false
}

// trial makes the chosen proposals. It returns the new text if that is good, else the lines to
// blame in order.
func (f *Fixer) trial(s *analysis, proposals []proposal, chosen []int, meaning bool) (next *analysis, blamed []int) {
	used := f.used
	defer func() {
		if next == nil {
			f.used = used // what was read in the trial is not needed
		}
	}()
	edits, made := merge(proposals, chosen)
	s.trimTop(edits)
	next, accepted := f.analyze(f.name, Apply(nil, s.text, edits), s, edits, meaning, func(next *analysis) bool {
		if meaning {
			if !f.proves(s, next, mended(s, proposals, made)) {
				return false
			}
		} else if next.parsable {
			// The tree is the same.
		} else if at := differ(s, next); at != nil {
			blamed = []int{s.near(s.lineAt(at.Bounds().Start), edits)}
			return false
		} else {
			next.keepsTree = !slices.ContainsFunc(made, func(i int) bool { return proposals[i].changesTree() })
		}
		var same bool
		blamed, same = s.sameComments(next, edits, meaning)
		return same
	})
	if !accepted {
		return nil, blamed
	}
	if !next.isPython() {
		if meaning {
			return nil, nil
		}
		return nil, s.brokenLine(next, edits)
	}
	for _, i := range made {
		if proposals[i].byRule {
			next.ruled = append(next.ruled, proposals[i].edits...)
		}
	}
	if !meaning {
		next.facts = s.facts
	}
	if blamed := s.changesSilenced(next, edits); len(blamed) > 0 {
		return nil, blamed
	}
	if meaning { // edits may not move findings of the codes that they mend
		var mended rule.Set
		for _, i := range made {
			mended.Add(proposals[i].code)
		}
		if blamed := s.moved(next, edits, &mended); len(blamed) > 0 {
			return nil, blamed
		}
	}
	next = f.follow(s, next)
	grown := s.growth(next)
	more := s.changes(s.findings, next, next.findings)
	blamed = s.blame(more, edits, func(at mark, n int) bool { return n > 0 && grown[at.code] > 0 })
	if len(blamed) == 0 {
		blamed = s.useless(more, proposals, made)
	}
	if len(blamed) > 0 {
		return nil, blamed
	}
	return next, nil
}

// mended returns the findings that the chosen proposals mend.
func mended(s *analysis, proposals []proposal, chosen []int) (list []rule.Finding) {
	for _, i := range chosen {
		for _, k := range proposals[i].mends {
			list = append(list, s.findings[k])
		}
	}
	return list
}

// brokenLine returns the line to blame for a text that is not Python.
func (s *analysis) brokenLine(next *analysis, edits []Edit) []int {
	for i := range next.findings {
		if finding := &next.findings[i]; finding.Code == rule.E999 || finding.Code == rule.E902 {
			return []int{s.near(s.lineAt(next.back(finding.Start, s)), edits)}
		}
	}
	return nil
}

// trimTop extends edits that remove all from the top of the text on to the blank rows below.
func (s *analysis) trimTop(edits []Edit) {
	at, n := int32(0), 0
	for n < len(edits) && edits[n].Start == at && edits[n].New == "" {
		at = edits[n].End
		n++
	}
	if at == 0 || at != s.file.LineStart(s.file.Row(at)) {
		return
	}
	for row := s.file.Row(at); row <= s.file.Lines() && s.isBlankRow(row); row++ {
		end := s.file.LineStart(row + 1)
		if n < len(edits) && edits[n].Start <= end {
			return
		}
		edits[n-1].End = end
	}
}

// useless returns the lines of proposals whose finding is not gone, by what changes returns.
func (s *analysis) useless(more map[mark]int, proposals []proposal, chosen []int) []int {
	var lines []int
	for _, i := range chosen {
		if p := &proposals[i]; more[mark{s.lineAt(p.at), p.code}] >= 0 {
			lines = append(lines, p.from)
		}
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}

// changes returns how many more findings of a code a line has in a later text.
func (s *analysis) changes(before []rule.Finding, next *analysis, after []rule.Finding) map[mark]int {
	more := map[mark]int{}
	for i := range before {
		more[mark{s.lineAt(before[i].Start), before[i].Code}]--
	}
	for i := range after {
		more[mark{s.lineAt(next.back(after[i].Start, s)), after[i].Code}]++
	}
	return more
}

// blame returns the lines to blame for changes that are bad.
func (s *analysis) blame(changes map[mark]int, edits []Edit, isBad func(at mark, n int) bool) (blamed []int) {
	for at, n := range changes {
		if isBad(at, n) {
			blamed = append(blamed, s.near(at.line, edits))
		}
	}
	slices.Sort(blamed)
	return slices.Compact(blamed)
}

// changesSilenced returns the lines to blame for findings that a comment has silenced and now does
// not, or the reverse.
func (s *analysis) changesSilenced(next *analysis, edits []Edit) (blamed []int) {
	if len(s.hidden)+len(next.hidden) == 0 {
		return nil
	}
	shown := s.changes(s.findings, next, next.findings)
	return s.blame(s.changes(s.hidden, next, next.hidden), edits, func(at mark, n int) bool { return n*shown[at] < 0 })
}

// moved returns the lines to blame for findings of the codes that edits mend, on lines that have
// more of them than before. A finding in a line without an edit was there before, hidden by
// another: of two unused imports of submodules, pyflakes reports one.
func (s *analysis) moved(next *analysis, edits []Edit, mended *rule.Set) (blamed []int) {
	grown := s.growth(next)
	return s.blame(s.changes(s.findings, next, next.findings), edits, func(at mark, n int) bool {
		return n > 0 && mended.Has(at.code) && (grown[at.code] > 0 || s.near(at.line, edits) == at.line && s.isTouched(at.line, edits))
	})
}

// isTouched reports whether an edit changes a line.
func (s *analysis) isTouched(line int, edits []Edit) bool {
	l := &s.lines[line]
	i := sort.Search(len(edits), func(i int) bool { return edits[i].End >= l.start })
	return i < len(edits) && edits[i].Start < l.end
}

// maxFollows bounds the rounds of repairs for findings that edits cause.
const maxFollows = 3

// follow repairs findings that edits cause, such as rows that no longer line up, or missing
// blank rows around a new def.
func (f *Fixer) follow(s, next *analysis) *analysis {
	if f.depth == maxFollows {
		return next
	}
	f.depth++
	defer func() { f.depth-- }()
	defer func(variant int) { f.variant = variant }(f.variant)
	f.variant = 0
	for range maxFollows {
		var grown rule.Set
		count := s.growth(next)
		any := false
		for code := range count {
			if count[code] > 0 {
				grown.Add(rule.Code(code))
				any = true
			}
		}
		if !any {
			break
		}
		after := next
		for _, meaning := range [...]bool{false, true} {
			after = f.try(after, f.propose(after, meaning, &grown), meaning)
		}
		if after == next {
			break
		}
		next = after
	}
	return next
}

// growth returns the increase of each code's findings.
func (s *analysis) growth(next *analysis) (count [rule.Count]int) {
	for i := range s.findings {
		count[s.findings[i].Code]--
	}
	for i := range next.findings {
		count[next.findings[i].Code]++
	}
	return count
}

// near returns a line if edits change it, else the line of the last edit before.
func (s *analysis) near(line int, edits []Edit) int {
	i := sort.Search(len(edits), func(i int) bool { return edits[i].Start >= s.lines[line].end })
	if i == 0 {
		return line
	}
	return s.lineAt(max(edits[i-1].Start, edits[i-1].End-1))
}

// sameComments reports whether the comments are the same but for blanks and hashes. If not, it
// returns the lines to blame. Edits that remove a whole statement remove its comment too.
func (s *analysis) sameComments(next *analysis, edits []Edit, meaning bool) (blamed []int, same bool) {
	if s.equalComments(next) {
		return nil, true
	}
	before, after := s.changedComments(next)
	if meaning { // moved imports take their comments along
		is := map[string]int{}
		for i := range after {
			is[after[i].Text(next.text)]++
		}
		moved := true
		for i := range before {
			text := before[i].Text(s.text)
			is[text]--
			moved = moved && (is[text] >= 0 || isWithin(edits, before[i].Start, before[i].End))
		}
		if moved {
			return nil, true
		}
	}
	if meaning {
		before = slices.DeleteFunc(before, func(t tokenizer.Token) bool { return isWithin(edits, t.Start, t.End) })
	}
	was, is := words{text: s.text, tokens: before, at: -1}, words{text: next.text, tokens: after, at: -1}
	for {
		switch a, b := was.next(), is.next(); {
		case a != b && a != "":
			return []int{s.near(s.lineAt(before[was.at].Start), edits)}, false
		case a == "":
			return nil, b == ""
		}
	}
}

// equalComments reports whether the comments are equal one by one, but for blanks and hashes.
func (s *analysis) equalComments(next *analysis) bool {
	if len(next.spans) == 0 {
		return equalComments(s, next, s.tokens, next.tokens)
	}
	return !slices.ContainsFunc(next.spans, func(span pep8.Span) bool {
		return !equalComments(s, next, s.tokens[span.OldFirst:span.OldEnd], next.tokens[span.First:span.End])
	})
}

func equalComments(s, next *analysis, before, after []tokenizer.Token) bool {
	k := 0
	for i := range before {
		if before[i].Kind != tokenizer.COMMENT {
			continue
		}
		for k < len(after) && after[k].Kind != tokenizer.COMMENT {
			k++
		}
		if k == len(after) || !sameWords(before[i].Text(s.text), after[k].Text(next.text)) {
			return false
		}
		k++
	}
	return !slices.ContainsFunc(after[k:], func(t tokenizer.Token) bool { return t.Kind == tokenizer.COMMENT })
}

// changedComments returns the comments of a text, and of one that edits made of it, besides those
// that have only moved.
func (s *analysis) changedComments(next *analysis) (before, after []tokenizer.Token) {
	if len(next.spans) == 0 {
		return comments(s.tokens), comments(next.tokens)
	}
	for _, span := range next.spans {
		before = append(before, comments(s.tokens[span.OldFirst:span.OldEnd])...)
		after = append(after, comments(next.tokens[span.First:span.End])...)
	}
	return before, after
}

// sameWords reports whether two comments are equal but for blanks and hashes.
func sameWords(a, b string) bool {
	if a == b {
		return true
	}
	was, is := words{rest: strings.TrimLeft(a, "#")}, words{rest: strings.TrimLeft(b, "#")}
	for {
		switch a, b := was.next(), is.next(); {
		case a != b:
			return false
		case a == "":
			return true
		}
	}
}

// words reads comments without the hashes at their beginnings and without blanks.
type words struct {
	rest   string // of the current comment
	text   string
	tokens []tokenizer.Token
	at     int // index of the current comment
}

// next returns the next character, "" at the end.
func (w *words) next() string {
	for {
		if w.rest = strings.TrimLeftFunc(w.rest, unicode.IsSpace); w.rest != "" {
			_, size := utf8.DecodeRuneInString(w.rest)
			c := w.rest[:size]
			w.rest = w.rest[size:]
			return c
		}
		if w.at++; w.at >= len(w.tokens) {
			return ""
		}
		w.rest = strings.TrimLeft(w.tokens[w.at].Text(w.text), "#")
	}
}

// isWithin reports whether an edit removes text[start:end] and more.
func isWithin(edits []Edit, start, end int32) bool {
	i := sort.Search(len(edits), func(i int) bool { return edits[i].End >= end })
	return i < len(edits) && edits[i].Start <= start && edits[i].New == ""
}

// isEdited reports whether an edit begins at an offset.
func isEdited(edits []Edit, start int32) bool {
	_, found := slices.BinarySearchFunc(edits, start, func(e Edit, start int32) int { return int(e.Start) - int(start) })
	return found
}

// proves reports whether the judge proves that a later text is the same program, given the findings
// that ask for the edits. While unproven edits are made, it reports whether a run does not
// refute it.
func (f *Fixer) proves(s, next *analysis, findings []rule.Finding) bool {
	f.read += len(next.text)
	f.proofs++
	if f.runs > 0 {
		findings = nil // what findings ask for is no proof of what a run shows
	}
	slices.SortStableFunc(findings, func(a, b rule.Finding) int { return int(a.Start) - int(b.Start) })
	if f.isSame(s, next, findings) {
		return true
	}
	if f.runs == 0 {
		return false
	}
	f.runs--
	_, same := f.compare(s.text, next.text)
	return same
}

// A comparison is what the runner said of two texts.
type comparison struct {
	program, text string
	proof         Proof
	same          bool
}

// compare asks the runner about two texts, unless it was asked about them last: if only one of a
// text's edits is left to a run, all edits together are that one.
func (f *Fixer) compare(program, text string) (Proof, bool) {
	c := &f.compared
	if c.program != program || c.text != text {
		*c = comparison{program: strings.Clone(program), text: strings.Clone(text)}
		c.proof, c.same = f.runner(program, text)
	}
	return c.proof, c.same
}

// isSame asks the judge, who reads programs as the newest Python does.
func (f *Fixer) isSame(s, next *analysis, findings []rule.Finding) bool {
	isNewest := f.options.Target == source.Newest
	switch {
	case s.program != nil:
		s.program.Ask(findings)
	case isNewest:
		s.program = f.checker.ProgramOfTree(s.file, s.module, findings)
	default:
		var err error
		if s.program, err = f.checker.ProgramOf([]byte(s.text), findings); err != nil {
			return false
		}
	}
	if isNewest {
		return f.checker.IsSame(s.program, next.file, next.module)
	}
	return f.checker.Check(s.program, []byte(next.text), lint.Facts{}).SameTree
}
