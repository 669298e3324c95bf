package fix

import (
	"sort"

	"codelinter/internal/util/lazy"
	"codelinter/rule"
)

// A generator makes the edits for a code's findings.
type generator struct {
	// edits returns the edits for one finding, or none.
	edits func(*analysis, *rule.Finding, *Fixer) []Edit
	// meaning says that the tree changes, and a rule of the judge must prove it.
	meaning bool
	// tree says that the tree changes, and differ knows that it means the same.
	tree bool
	// known makes edits of which differ knows that they mean the same. It is asked first, with the
	// edits of layout.
	known func(*analysis, *rule.Finding, *Fixer) []Edit
	// variants is the number of alternative edits, which are tried in turn; 0 means one.
	variants int
	// ordered says that if one of several edits is refused, the later ones are too.
	ordered bool
}

// generators has the generator of each code.
var generators = lazy.Value[*[rule.Count]generator]{Make: func() *[rule.Count]generator {
	var table [rule.Count]generator
	for _, g := range [...]struct {
		generator
		codes []rule.Code
	}{
		{generator{edits: dropGap}, []rule.Code{rule.E201, rule.E202, rule.E203, rule.E204, rule.E211, rule.E251}},
		{generator{edits: widen(" ")}, []rule.Code{
			rule.E221, rule.E222, rule.E223, rule.E224, rule.E241, rule.E242, rule.E271, rule.E272, rule.E273, rule.E274,
		}},
		{generator{edits: widen("  ")}, []rule.Code{rule.E261}},
		{generator{edits: putBlank}, []rule.Code{rule.E252, rule.E275}},
		{generator{edits: spaceAfter}, []rule.Code{rule.E231}},
		{generator{edits: spaceOperator}, []rule.Code{rule.E225, rule.E226, rule.E227, rule.E228}},
		{generator{edits: mendComment}, []rule.Code{rule.E262, rule.E265, rule.E266}},
		{generator{edits: blankRows}, []rule.Code{rule.E301, rule.E302, rule.E305, rule.E306}},
		{generator{edits: fewerBlankRows}, []rule.Code{rule.E303, rule.E304}},
		{generator{edits: indentation}, []rule.Code{rule.E101, rule.E111, rule.E114, rule.E115, rule.E116, rule.E117, rule.W191}},
		{generator{edits: realign}, []rule.Code{
			rule.E121, rule.E122, rule.E123, rule.E124, rule.E125, rule.E126, rule.E127, rule.E128, rule.E129, rule.E131, rule.E133,
		}},
		{generator{edits: splitImports, tree: true}, []rule.Code{rule.E401}},
		{generator{edits: shorten, known: shortenDocstring}, []rule.Code{rule.E501, rule.W505}},
		{generator{edits: dropBackslash}, []rule.Code{rule.E502}},
		{generator{edits: splitBlock}, []rule.Code{rule.E701, rule.E702, rule.E704}},
		{generator{edits: dropSemicolon}, []rule.Code{rule.E703}},
		{generator{edits: moveOperator}, []rule.Code{rule.W503, rule.W504}},
		{generator{edits: dropFound, known: trim}, []rule.Code{rule.W291, rule.W293}},
		{generator{edits: finalNewline}, []rule.Code{rule.W292}},
		{generator{edits: finalBlankRows}, []rule.Code{rule.W391}},
		{generator{edits: mendEscape}, []rule.Code{rule.W605}},
		{generator{edits: nameImports, tree: true}, []rule.Code{rule.F403, rule.F405}},
		{generator{edits: dropArguments, tree: true}, []rule.Code{rule.F504, rule.F522, rule.F523}},
		{generator{edits: dropDeclaration, tree: true}, []rule.Code{rule.F824}},

		{generator{edits: moveImport, meaning: true, ordered: true}, []rule.Code{rule.E402}},
		{generator{edits: singleton, meaning: true}, []rule.Code{rule.E711, rule.E712}},
		{generator{edits: negated, tree: true}, []rule.Code{rule.E713, rule.E714}},
		{generator{edits: compareTypes, meaning: true}, []rule.Code{rule.E721}},
		{generator{edits: bareExcept, tree: true}, []rule.Code{rule.E722}},
		{generator{edits: namedLambda, meaning: true}, []rule.Code{rule.E731}},
		{generator{edits: rename, meaning: true}, []rule.Code{rule.E741, rule.E742, rule.E743}},
		{generator{edits: dropImport, meaning: true}, []rule.Code{rule.F401}},
		{generator{edits: plainString, tree: true}, []rule.Code{rule.F541}},
		{generator{edits: literalIdentity, meaning: true}, []rule.Code{rule.F632}},
		{generator{edits: redefinition, meaning: true, variants: 2}, []rule.Code{rule.F811}},
		{generator{edits: dropVariable, known: dropCapture, meaning: true}, []rule.Code{rule.F841}},
		{generator{edits: dropAnnotation, meaning: true}, []rule.Code{rule.F842}},
	} {
		for _, code := range g.codes {
			table[code] = g.generator
		}
	}
	return &table
}}

// maxAsked bounds the edits that the judge is asked about at once, as it compares some of them
// with all imports of a file. maxOverfull bounds how often there may be more.
const (
	maxAsked    = 256
	maxOverfull = 8
)

// propose returns the proposals for a text's findings, or for those of some codes.
func (f *Fixer) propose(s *analysis, meaning bool, codes *rule.Set) []proposal {
	var list []proposal
	f.done = map[place]bool{}
	s.work = 0
	for i := range s.findings {
		finding := &s.findings[i]
		g := &generators.Get()[finding.Code]
		if g.edits == nil || g.meaning != meaning && (meaning || g.known == nil) || f.variant >= max(g.variants, 1) || codes != nil && !codes.Has(finding.Code) {
			continue
		}
		if f.wanted != nil && f.depth == 0 && !f.wanted(finding) {
			continue
		}
		if f.only != nil && f.depth == 0 && !f.only.Has(finding.Code) || s.isUnformatted(finding) {
			continue
		}
		if meaning && len(f.refused) > 0 && f.refused[place{int(s.back(finding.Start, f.first)), finding.Code, ""}] {
			continue
		}
		s.parse()
		f.also, f.kept, f.repeated = nil, Refused, false
		var edits []Edit
		if g.known != nil && !meaning {
			edits = g.known(s, finding, f)
		}
		byRule := g.tree || g.meaning || len(edits) > 0
		if len(edits) == 0 && g.meaning == meaning {
			edits = g.edits(s, finding, f)
		}
		if f.runs == 0 && f.variant == 0 && !f.repeated && g.meaning == meaning && (g.known == nil || !meaning) {
			s.keeps(i, edits, f.kept)
		}
		if len(edits) > 0 {
			if meaning && len(list) == maxAsked {
				f.cut = true
				f.overfull++
				break
			}
			list = append(list, proposal{code: finding.Code, at: finding.Start, mends: append(f.also, i), edits: edits, byRule: byRule})
		}
	}
	return list
}

// mends records the other findings, in some rows, that the proposal for a finding mends.
func (f *Fixer) mends(s *analysis, finding *rule.Finding, from, to int, is func(*rule.Finding) bool) {
	first := sort.Search(len(s.findings), func(i int) bool { return int(s.findings[i].Row) >= from })
	for i := first; i < len(s.findings) && int(s.findings[i].Row) <= to; i++ {
		if other := &s.findings[i]; other != finding && is(other) {
			f.also = append(f.also, i)
		}
	}
}

// A place is a logical line where one proposal mends all findings of a kind, or of a kind and a
// name.
type place struct {
	line int
	kind rule.Code
	name string
}

// once reports whether a place is asked about for the first time.
func (f *Fixer) once(line int, kind rule.Code, name string) bool {
	p := place{line, kind, name}
	if f.done[p] {
		f.repeated = true
		return false
	}
	f.done[p] = true
	return true
}
