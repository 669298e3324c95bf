package formats

import (
	"fmt"
	"strings"

	"codelinter/evaluator/task"
	"codelinter/internal/rows"
)

// maxUnknown bounds the unknown ids that a reader keeps if its format needs them.
const maxUnknown = 1 << 20

// An idMap maps another tool's ids to tasks. An id means the task of that id, or of
// its last part, as in HumanEval/7. No two ids may mean the same task.
type idMap struct {
	tasks   *task.Set
	from    map[task.ID]task.ID // the id that the file uses for each task
	unknown int
}

// resolve returns the id of the task for id, or id itself.
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

// find returns the id of the task for id, or id itself, and checks that no other id
// means it.
func (m *idMap) find(row rows.Row, id task.ID) (task.ID, error) {
	if first, ok := m.from[id]; ok && first == id {
		return id, nil // the usual case
	}
	meant := resolve(m.tasks, id)
	return meant, m.add(row, id, meant)
}

// add records that id means the task meant.
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
	var example, means task.ID
	for task, id := range m.from {
		if task != id {
			if n++; n == 1 || id < example {
				example, means = id, task
			}
		}
	}
	if n == 0 {
		return nil
	}
	return []string{fmt.Sprintf("ids that are no task's, but whose last part is and is taken: %d, as %s for task %s", n, example, means)}
}
