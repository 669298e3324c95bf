package formats

import (
	"fmt"
	"strings"

	"codelinter/evaluator/task"
	"codelinter/internal/rows"
)

// maxUnknown bounds the unknown ids that are kept, for formats whose reader must keep
// them apart.
const maxUnknown = 1 << 20

// An idMap maps the ids of another tool to tasks: an id means the task of that id, or
// the one that its last part names, as in HumanEval/7. No two ids may mean the same
// task.
type idMap struct {
	tasks   *task.Set
	from    map[task.ID]task.ID // what each task was called
	unknown int
}

// resolve returns the id of the task that id means, or id itself.
func resolve(tasks *task.Set, id task.ID) task.ID {
	if _, ok := tasks.Find(id); ok {
		return id
	}
	if slash := strings.LastIndexByte(string(id), '/'); slash >= 0 {
		if _, ok := tasks.Find(id[slash+1:]); ok {
			return id[slash+1:]
		}
	}
	return id
}

// find returns the id of the task that id means, or id itself.
func (m *idMap) find(row rows.Row, id task.ID) (task.ID, error) {
	if first, ok := m.from[id]; ok && first == id {
		return id, nil // as nearly always
	}
	meant := resolve(m.tasks, id)
	return meant, m.add(row, id, meant)
}

// add notes that id means the task called meant.
func (m *idMap) add(row rows.Row, id, meant task.ID) error {
	first, ok := m.from[meant]
	switch {
	case ok && first != id:
		return row.Errorf("id %s means task %s, but so does %s: expected one name for a task", id, meant, first)
	case ok:
		return nil
	case m.from == nil:
		m.from = map[task.ID]task.ID{}
	}
	if _, known := m.tasks.Find(meant); !known {
		if m.unknown++; m.unknown > maxUnknown {
			return row.Errorf("expected samples of these tasks, found more than %d ids that are none of them", maxUnknown)
		}
	}
	m.from[meant] = id
	return nil
}

func (m *idMap) notes() []string {
	n := 0
	var example task.ID
	for task, id := range m.from {
		if task != id {
			if n++; n == 1 || id < example {
				example = id
			}
		}
	}
	if n == 0 {
		return nil
	}
	var means task.ID
	for task, id := range m.from {
		if id == example {
			means = task
		}
	}
	return []string{fmt.Sprintf("ids that are no task's, but whose last part is and is taken: %d, as %s for task %s", n, example, means)}
}
