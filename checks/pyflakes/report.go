package pyflakes

import (
	"slices"

	"codelinter/ast"
	"codelinter/checks/internal/extent"
	"codelinter/internal/python/characters"
	"codelinter/internal/python/pytext"
	"codelinter/rule"
)

// A unitID numbers a unit. The module is unit 0.
type unitID int32

// A unit is a text that was parsed on its own: the module, an example of a doctest or an
// annotation in a string. It says where the text's nodes are in the file.
type unit struct {
	kind unitKind
	text string // an example's
	// Where the text begins. A place in an example is added to it. Every place in a
	// string is this one.
	row, column int32
	// The offset of an example, which pyflakes adds to the places of strings in it.
	addedRows, addedColumns int32
	raw                     unitID // the same unit with nothing added

	firstRow, lastRow int32 // an example's rows in c.rows, which are filled on demand

	literal ast.Range // where the literal that holds the text stands in the file
}

type unitKind uint8

const (
	moduleUnit  unitKind = iota
	exampleUnit          // an example of a doctest
	stringUnit           // an annotation in a string
)

// place returns the row, from 1, and the column in bytes, from 0.
func (c *Checker) place(id unitID, start int32) (row, column int32) {
	u := &c.units[id]
	switch u.kind {
	case exampleUnit:
		starts := c.rowsOf(u)
		row, found := slices.BinarySearch(starts, start)
		if found {
			row++
		}
		return int32(row) + u.row, start - starts[row-1] + u.column
	case stringUnit:
		return u.row, u.column
	}
	at := c.file.Row(start)
	return int32(at), int32(c.file.ByteColumn(at, start))
}

// rowsOf returns where the rows of an example begin.
func (c *Checker) rowsOf(u *unit) []int32 {
	if u.firstRow == u.lastRow {
		u.firstRow = int32(len(c.rows))
		c.rows = append(c.rows, 0)
		for i := 0; i < len(u.text); i++ {
			if u.text[i] == '\n' {
				c.rows = append(c.rows, int32(i)+1)
			}
		}
		u.lastRow = int32(len(c.rows))
	}
	return c.rows[u.firstRow:u.lastRow]
}

// enterString makes the unit of an annotation in a string. nested says that pyflakes visited the
// string. In a doctest, it then adds an example's position to the string, and once more to the
// nodes in it.
func (c *Checker) enterString(n *ast.Constant, nested bool) {
	outer := c.units[c.unit]
	u := unit{kind: stringUnit, addedRows: outer.addedRows, addedColumns: outer.addedColumns}
	u.row, u.column = c.place(c.unit, n.Start)
	u.literal = c.extent(c.unit, n.Range)
	if nested {
		u.row += u.addedRows
		u.column += u.addedColumns
	}
	raw := u
	raw.row -= u.addedRows
	raw.column -= u.addedColumns
	c.addUnit(raw)
	c.units[c.unit].raw = c.unit
	u.raw = c.unit
	if u.row != raw.row || u.column != raw.column {
		c.addUnit(u)
	}
}

func (c *Checker) addUnit(u unit) {
	c.unit = unitID(len(c.units))
	c.units = append(c.units, u)
}

// report adds a finding at a node of the current unit. text fills the gap in the
// message's template.
func (c *Checker) report(code rule.Code, at ast.Node, text string) {
	c.reportAt(code, c.unit, c.about(c.unit, at), rule.Values{Text: text})
}

// reportUnvisited is report for a node that has not been visited yet. pyflakes moves the
// places of a doctest only when it visits a node, so this place is not moved.
func (c *Checker) reportUnvisited(code rule.Code, at ast.Node, text string) {
	raw := c.units[c.unit].raw
	c.reportAt(code, raw, c.about(raw, at), rule.Values{Text: text})
}

// reportAt adds a finding at the start of a part of the unit's text, about that
// part.
func (c *Checker) reportAt(code rule.Code, u unitID, about ast.Range, values rule.Values) {
	if !c.enabled.Has(code) {
		return
	}
	row, column := c.place(u, about.Start)
	about = c.extent(u, about)
	if len(c.findings) == cap(c.findings) {
		c.grow(int(about.Start))
	}
	c.findings = append(c.findings, rule.Finding{
		Row: row, Column: column + 1, Start: about.Start, End: about.End, Code: code,
	}.With(values))
}

// grow makes room for more findings. The findings so far are about the text before an
// offset, and grow expects as many per byte of the rest. A text with a finding every
// other byte is then not copied again and again, with the old copies still in memory.
// Unused room costs nothing: the system gives memory only when it is written.
func (c *Checker) grow(offset int) {
	const few, many = 1 << 12, 1 << 20
	n, rest := len(c.findings), len(c.file.Text)-offset
	if n < few || offset <= 0 || rest <= 0 {
		c.findings = slices.Grow(c.findings, 1)
		return
	}
	more := min(int(float64(n)*float64(rest)/float64(offset)*1.02), max(n, many))
	c.findings = append(make([]rule.Finding, 0, n+max(more, n/4)+1), c.findings...)
}

func (c *Checker) textOf(u unitID) string {
	switch c.units[u].kind {
	case exampleUnit:
		return c.units[u].text
	case stringUnit:
		return "" // findings are placed at the string itself
	}
	return c.file.Text
}

// about returns the part of the unit's text that a finding at a node is about.
func (c *Checker) about(u unitID, n ast.Node) ast.Range {
	if c.units[u].kind == stringUnit {
		return n.Bounds()
	}
	return extent.Of(c.textOf(u), n)
}

// aboutRecord is about for a record's node.
func (c *Checker) aboutRecord(r *record) ast.Range { return c.about(r.unit, r.node.(ast.Node)) }

// nameAt returns the part of the unit's text that the name at start takes.
func (c *Checker) nameAt(u unitID, start int32) ast.Range {
	return extent.Name(c.textOf(u), start)
}

// longestExample is the length of the longest part of an example that extent
// looks for in the file, so that its time is bounded.
const longestExample = 128

// extent returns where a part of the unit's text stands in the file. For an annotation in
// a string, that is the whole string. For an example in a docstring, it is the docstring
// unless the file has the part's text at the expected place.
func (c *Checker) extent(u unitID, part ast.Range) ast.Range {
	unit := &c.units[u]
	switch {
	case unit.kind == moduleUnit:
		return part
	case unit.kind == stringUnit || part.End-part.Start > longestExample:
		return unit.literal
	}
	row, column := c.place(u, part.Start)
	if int(row) > c.file.Lines() {
		return unit.literal
	}
	start := c.file.LineStart(int(row)) + column
	end := start + part.End - part.Start
	if start < unit.literal.Start || end > unit.literal.End || c.file.Text[start:end] != unit.text[part.Start:part.End] {
		return unit.literal
	}
	return ast.Range{Start: start, End: end}
}

// mark returns the place in the arena where a new text begins. What is appended
// to c.arena from there on is the text, which written returns:
//
//	mark := c.mark()
//	c.appendKey(key)
//	c.report(rule.F601, n, c.written(mark))
//
// A full arena is replaced by a new one. If it grew by copying, old copies would remain in memory
// while their texts are used, which would take five times the memory.
func (c *Checker) mark() int {
	if len(c.arena) > arenaPage {
		c.arena = make([]byte, 0, arenaPage+arenaPage/4)
	}
	return len(c.arena)
}

// arenaPage is the number of bytes after which a new arena is made.
const arenaPage = 256 << 10

// written returns the text from mark to the arena's end.
func (c *Checker) written(mark int) string {
	return pytext.View(c.arena[mark:])
}

// add appends parts of a text to the arena.
func (c *Checker) add(parts ...string) {
	for _, part := range parts {
		c.arena = append(c.arena, part...)
	}
}

func (c *Checker) repr(text string) string {
	mark := c.mark()
	c.arena = pytext.AppendRepr(c.arena, text, characters.Of(c.features.Version))
	return c.written(mark)
}

// quoted returns repr of the name. Where one name has many findings on end, they share it.
func (c *Checker) quoted(id nameID) string {
	if c.told.text == "" || c.told.name != id {
		c.told.name, c.told.text = id, c.repr(c.names.list[id].text)
	}
	return c.told.text
}

// rowOf returns the row of the record's node.
func (c *Checker) rowOf(r recordID) int32 {
	at := &c.records[r]
	row, _ := c.place(at.unit, at.node.(ast.Node).Bounds().Start)
	return row
}

// reportName reports a message with one name in it.
func (c *Checker) reportName(code rule.Code, u unitID, about ast.Range, id nameID) {
	c.reportAt(code, u, about, rule.Values{Text: c.quoted(id)})
}

// reportFrom reports a message at node with a name and the row that it was
// bound in before.
func (c *Checker) reportFrom(code rule.Code, node recordID, id nameID, source recordID) {
	c.reportRecord(code, node, rule.Values{Text: c.quoted(id), A: c.rowOf(source)})
}

func (c *Checker) reportRecord(code rule.Code, r recordID, values rule.Values) {
	at := &c.records[r]
	c.reportAt(code, at.unit, c.aboutRecord(at), values)
}

// An undefined is a finding about an undefined name, which a global statement
// may take back.
type undefined struct {
	finding  int32
	previous int32 // of the same name
}

func (c *Checker) reportUndefined(id nameID, start int32, shown unitID) {
	if !c.enabled.Has(rule.F821) {
		return
	}
	info := &c.names.more[id]
	c.undefined = append(c.undefined, undefined{int32(len(c.findings)), info.undefined})
	info.undefined = int32(len(c.undefined)) - 1
	c.reportName(rule.F821, shown, c.nameAt(shown, start), id)
}

// forgive removes the findings for an undefined name.
func (c *Checker) forgive(id nameID) {
	info := &c.names.more[id]
	for u := info.undefined; u != none; u = c.undefined[u].previous {
		c.findings[c.undefined[u].finding].Row = withdrawn
		c.withdrawn = true
	}
	info.undefined = none
}

// withdrawn is the row of a finding that was taken back.
const withdrawn = -1

// dropWithdrawn removes the findings from index first on that were taken back.
func (c *Checker) dropWithdrawn(first int) {
	kept := c.findings[:first]
	for _, f := range c.findings[first:] {
		if f.Row != withdrawn {
			kept = append(kept, f)
		}
	}
	c.findings = kept
}
