package formats

import (
	"bufio"
	"cmp"
	"io"
	"slices"

	"codelinter/evaluator"
	"codelinter/evaluator/task"
	"codelinter/internal/rows"
)

// Many tools write a row a sample, and a task's rows need not be together. So the file
// is read once to check every row and record the place of its answer. Then the answers
// are fetched task by task: from the file if it can be read at any offset, otherwise
// from a temporary file that the first reading fills. Memory holds a place for each
// sample.

// An answer is one sample.
type answer struct {
	id task.ID
	// task is the task for id; if it is empty, idMap.find finds the task.
	task task.ID
	// order is the position among the task's answers. Answers with equal order keep
	// the file's order.
	order int32
	text  []byte // a JSON string
	at    int    // offset of text in the row, if it is part of the row
}

// A rowReader reads a format with answers in any order.
type rowReader interface {
	// next calls f for the answers of the next row, whose text is valid until f
	// returns. It returns io.EOF after the last row.
	next(f func(rows.Row, answer) error) error
	// notes returns the notes, without those about ids.
	notes() []string
}

// grouped makes rows of our own format from a rowReader's answers.
type grouped struct {
	rows  rowReader
	tasks *task.Set
	// unique, if not "", is the name of order in errors; a task's answers must then
	// differ in it.
	unique string

	file   io.ReaderAt
	spool  *bufio.Writer // fills file while rows are read; nil if the answers are in file
	offset int64         // in spool

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

type place struct {
	offset int64
	order  int32
	length int32
}

// newGrouped returns a reader of the answers in rows. at is the file with the answers,
// or nil if it cannot be read at any offset or does not contain them.
func (s *File) newGrouped(rows rowReader, at io.ReaderAt, tasks *task.Set) (*grouped, error) {
	g := &grouped{rows: rows, tasks: tasks, file: at, ids: idMap{tasks: tasks}}
	if at == nil {
		spooled, err := s.temporary()
		if err != nil {
			return nil, err
		}
		g.file = spooled
		g.spool = bufio.NewWriterSize(spooled, 64<<10)
	}
	return g, nil
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
		if _, err := g.file.ReadAt(g.list[from:], part.offset); err != nil {
			return row, &rows.Error{File: row.File, Err: err}
		}
	}
	g.list = append(g.list, ']')
	g.text = ownRow(g.text[:0], group.id, g.list)
	row.Text = g.text
	return row, nil
}

// index reads all rows.
func (g *grouped) index() error {
	g.groups = []group{}
	places := map[task.ID]int{}
	add := func(row rows.Row, a answer) error {
		var err error
		if a.task == "" {
			if a.task, err = g.ids.find(row, a.id); err != nil {
				return err
			}
		}
		i, ok := places[a.task]
		if !ok {
			i = len(g.groups)
			places[a.task] = i
			row.Text = nil
			g.groups = append(g.groups, group{id: a.task, first: row})
		}
		group := &g.groups[i]
		if group.bytes += len(a.text); group.bytes > rows.MaxLength {
			return row.Errorf("expected samples of %d MiB at most for one task, found more for %s", rows.MaxLength>>20, a.task)
		}
		offset := row.Offset + int64(a.at)
		if g.spool != nil {
			offset = g.offset
			g.offset += int64(len(a.text))
			if _, err := g.spool.Write(a.text); err != nil {
				return err
			}
		}
		group.rows = append(group.rows, place{offset, a.order, int32(len(a.text))})
		return nil
	}
	for {
		err := g.rows.next(add)
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
	}
	if g.spool != nil {
		return g.spool.Flush()
	}
	return nil
}

func (*grouped) parse(row rows.Row) (evaluator.Samples, error) {
	return evaluator.ParseSamples(row, "outputs")
}

func (g *grouped) notes() []string { return append(g.rows.notes(), g.ids.notes()...) }
