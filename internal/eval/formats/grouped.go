package formats

import (
	"bufio"
	"cmp"
	"io"
	"slices"

	"codelinter/evaluator/task"
	"codelinter/internal/rows"
	"codelinter/internal/util/atomicfile"
)

// Many tools write a row a sample, and a task's rows need not be together. So all rows are
// read and checked first, and their answers written to a temporary file. Then the answers are
// fetched from it task by task. Memory holds a place for each sample.

// An answer is one sample. Without a text it says only that its task was asked.
type answer struct {
	id task.ID
	// task is the task for id; if it is empty, idMap.find finds the task.
	task task.ID
	// order is the position among the task's answers. Answers with equal order keep
	// the file's order.
	order int32
	text  []byte // a JSON string, or nil
}

// A rowReader reads the rows of a format with answers in any order.
type rowReader interface {
	// answers calls f for the answers in a row, until f returns an error.
	answers(row rows.Row, f func(answer) error) error
	// asked returns the ids of the tasks that were asked, as far as the file lists them apart
	// from its rows. It is called after the last row.
	asked() []task.ID
	// notes returns the notes, without those about ids.
	notes() []string
}

// grouped makes rows of our own format from the answers in rows.
type grouped struct {
	rowReader
	ownRows
	rows rows.Reader
	// unique, if not "", is the name of order in errors; a task's answers must then
	// differ in it.
	unique string
	spool  *atomicfile.File // the answers

	groups []group // nil until the first Next
	next   int
	list   []byte
	text   []byte
	ids    idMap
}

// A group is the samples of one task.
type group struct {
	id    task.ID
	first rows.Row // without text
	bytes int
	rows  []place
}

// A place is that of an answer in the spool.
type place struct {
	offset int64
	order  int32
	length int32
}

// group makes a reader that groups the answers in rows by task.
func (s *File) group(rows rows.Reader, format rowReader, unique string, tasks *task.Set) error {
	spool, err := s.temporary()
	s.reader = &grouped{rowReader: format, rows: rows, unique: unique, spool: spool, ids: idMap{tasks: tasks}}
	return err
}

// Next returns the answers to the next task as a row of our own format, in the order
// of the tasks' first rows.
func (g *grouped) Next() (row rows.Row, err error) {
	if g.groups == nil {
		if err := g.index(); err != nil {
			return row, err
		}
	}
	if g.next == len(g.groups) {
		return row, io.EOF
	}
	group := g.groups[g.next]
	g.groups[g.next].rows = nil
	g.next++
	row = group.first
	slices.SortStableFunc(group.rows, func(a, b place) int { return cmp.Compare(a.order, b.order) })
	g.list = append(g.list[:0], '[')
	for i, part := range group.rows {
		if i > 0 {
			if g.unique != "" && part.order == group.rows[i-1].order {
				return row, row.Errorf("task %s has two samples with the same %s: expected one", group.id, g.unique)
			}
			g.list = append(g.list, ',')
		}
		from := len(g.list)
		g.list = slices.Grow(g.list, int(part.length)+1)[:from+int(part.length)]
		if _, err := g.spool.ReadAt(g.list[from:], part.offset); err != nil {
			return row, &rows.Error{File: row.File, Err: err}
		}
	}
	g.list = append(g.list, ']')
	g.text = ownRow(g.text[:0], group.id, g.list)
	row.Text = g.text
	return row, nil
}

func (g *grouped) index() error {
	g.groups = []group{}
	index := indexer{grouped: g, places: map[task.ID]int{}, spool: bufio.NewWriterSize(g.spool, 64<<10)}
	var last rows.Row
	for row, err := range rows.All(g.rows) {
		if err != nil {
			return err
		}
		if err := g.answers(row, func(a answer) error { return index.add(row, a) }); err != nil {
			return err
		}
		last = row
	}
	for _, id := range g.asked() {
		if err := index.add(last, answer{id: id}); err != nil {
			return err
		}
	}
	return index.spool.Flush()
}

// An indexer writes answers to the spool and notes their places.
type indexer struct {
	*grouped
	places map[task.ID]int // of groups
	spool  *bufio.Writer
	offset int64
}

func (x *indexer) add(row rows.Row, a answer) (err error) {
	if a.task == "" {
		if a.task, err = x.ids.find(row, a.id); err != nil {
			return err
		}
	}
	i, ok := x.places[a.task]
	if !ok {
		i = len(x.groups)
		x.places[a.task] = i
		row.Text = nil
		x.groups = append(x.groups, group{id: a.task, first: row})
	}
	if a.text == nil {
		return nil
	}
	group := &x.groups[i]
	if group.bytes += len(a.text); group.bytes > rows.MaxLength {
		return row.Errorf("expected samples of %d MiB at most for one task, found more for %s", rows.MaxLength>>20, a.task)
	}
	group.rows = append(group.rows, place{x.offset, a.order, int32(len(a.text))})
	x.offset += int64(len(a.text))
	_, err = x.spool.Write(a.text)
	return err
}

func (g *grouped) notes() []string { return append(g.rowReader.notes(), g.ids.notes()...) }
