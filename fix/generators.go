package fix

import (
	"sort"

	"codelinter/rule"
)

// A generator makes the edits for a code's findings.
type generator struct {
	// edits returns the edits for one finding, or none.
	edits func(*sight, *rule.Finding, *Fixer) []Edit
	// meaning says that the tree changes, and a rule of the judge must prove it.
	meaning bool
	// other makes edits that a rule must prove, for a code whose edits keep the tree.
	other func(*sight, *rule.Finding, *Fixer) []Edit
	// variants is the number of alternative edits, which are tried in turn; 0 means one.
	variants int
	// ordered says that if one of several edits is refused, the later ones are too.
	ordered bool
}

// generators has the generator of each code.
var generators = [rule.Count]generator{
	rule.E201: {edits: dropGap},
	rule.E202: {edits: dropGap},
	rule.E203: {edits: dropGap},
	rule.E204: {edits: dropGap},
	rule.E211: {edits: dropGap},
	rule.E221: {edits: oneBlank},
	rule.E222: {edits: oneBlank},
	rule.E223: {edits: oneBlank},
	rule.E224: {edits: oneBlank},
	rule.E225: {edits: spaceOperator},
	rule.E226: {edits: spaceOperator},
	rule.E227: {edits: spaceOperator},
	rule.E228: {edits: spaceOperator},
	rule.E231: {edits: spaceAfter},
	rule.E241: {edits: oneBlank},
	rule.E242: {edits: oneBlank},
	rule.E251: {edits: dropGap},
	rule.E252: {edits: putBlank},
	rule.E261: {edits: twoBlanks},
	rule.E262: {edits: mendComment},
	rule.E265: {edits: mendComment},
	rule.E266: {edits: mendComment},
	rule.E271: {edits: oneBlank},
	rule.E272: {edits: oneBlank},
	rule.E273: {edits: oneBlank},
	rule.E274: {edits: oneBlank},
	rule.E275: {edits: putBlank},

	rule.E301: {edits: blankRows},
	rule.E302: {edits: blankRows},
	rule.E303: {edits: fewerBlankRows},
	rule.E304: {edits: fewerBlankRows},
	rule.E305: {edits: blankRows},
	rule.E306: {edits: blankRows},

	rule.E101: {edits: indentation},
	rule.E111: {edits: indentation},
	rule.E114: {edits: indentation},
	rule.E115: {edits: indentation},
	rule.E116: {edits: indentation},
	rule.E117: {edits: indentation},
	rule.W191: {edits: indentation},

	rule.E121: {edits: realign},
	rule.E122: {edits: realign},
	rule.E123: {edits: realign},
	rule.E124: {edits: realign},
	rule.E125: {edits: realign},
	rule.E126: {edits: realign},
	rule.E127: {edits: realign},
	rule.E128: {edits: realign},
	rule.E129: {edits: realign},
	rule.E131: {edits: realign},
	rule.E133: {edits: realign},

	rule.E401: {edits: splitImports},
	rule.E501: {edits: shorten, other: shortenDocstring},
	rule.E502: {edits: dropBackslash},
	rule.E701: {edits: splitBlock},
	rule.E702: {edits: splitBlock},
	rule.E703: {edits: dropSemicolon},
	rule.E704: {edits: splitBlock},

	rule.W291: {edits: dropFound, other: trim},
	rule.W292: {edits: finalNewline},
	rule.W293: {edits: dropFound, other: trim},
	rule.W391: {edits: finalBlankRows},
	rule.W605: {edits: mendEscape},

	rule.E402: {edits: moveImport, meaning: true, ordered: true},
	rule.E711: {edits: singleton, meaning: true},
	rule.E712: {edits: singleton, meaning: true},
	rule.E713: {edits: negated, meaning: true},
	rule.E714: {edits: negated, meaning: true},
	rule.E721: {edits: compareTypes, meaning: true},
	rule.E722: {edits: bareExcept, meaning: true},
	rule.E731: {edits: namedLambda, meaning: true},
	rule.E741: {edits: rename, meaning: true},
	rule.E742: {edits: rename, meaning: true},
	rule.E743: {edits: rename, meaning: true},
	rule.F401: {edits: dropImport, meaning: true},
	rule.F541: {edits: plainString, meaning: true},
	rule.F632: {edits: literalIdentity, meaning: true},
	rule.F811: {edits: redefinition, meaning: true, variants: 2},
	rule.F824: {edits: dropDeclaration},
	rule.F841: {edits: dropVariable, meaning: true},
	rule.F842: {edits: dropAnnotation, meaning: true},
}

// maxAsked bounds the edits that the judge is asked about at once, as it compares some of them
// with all imports of a file. maxCrowded bounds how often there may be more.
const (
	maxAsked   = 256
	maxCrowded = 8
)

// propose returns the proposals for a text's findings, or for those of some codes.
func (f *Fixer) propose(s *sight, meaning bool, codes *rule.Set) []proposal {
	var list []proposal
	f.done = map[place]bool{}
	s.work = 0
	for i := range s.findings {
		finding := &s.findings[i]
		g := &generators[finding.Code]
		edits := g.edits
		if meaning && !g.meaning {
			edits = g.other
		}
		if edits == nil || g.meaning && !meaning || f.variant >= max(g.variants, 1) || codes != nil && !codes.Has(finding.Code) {
			continue
		}
		if f.wanted != nil && f.depth == 0 && !f.wanted(finding) {
			continue
		}
		if meaning && len(f.refused) > 0 && f.refused[place{int(s.back(finding.Start, f.first)), finding.Code, ""}] {
			continue
		}
		f.also = nil
		if edits := edits(s, finding, f); len(edits) > 0 {
			if meaning && len(list) == maxAsked {
				f.cut = true
				f.crowded++
				break
			}
			list = append(list, proposal{code: finding.Code, at: finding.Start, mends: append(f.also, i), edits: edits})
		}
	}
	return list
}

// mends records the other findings, in some rows, that the proposal for a finding mends.
func (f *Fixer) mends(s *sight, finding *rule.Finding, from, to int, is func(*rule.Finding) bool) {
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
		return false
	}
	f.done[p] = true
	return true
}
