// Lines and branches of the program's own code, by sys.monitoring.
//
// Events are set on the program's code objects alone, so that the library runs at full speed, and each place is told of once: a line's event is
// disabled when it came, a branch's when both ways were seen. Between calls all events are enabled again, so that each call has its own coverage.
//
// Code objects that the program makes while it runs (exec, eval) are not followed.
#include "guest.h"

#include <stdlib.h>
#include <string.h>

#include "internal/pycore_instruments.h"
#include "internal/pycore_interp.h"

enum { tool = 3 };

typedef struct {
  uint32_t code, offset, targets[2];
} branch;

static struct {
  addresses codes; // numbers of code objects
  uint32_t count;
  uint8_t *lines; // a bit a line
  uint32_t line_room;
  branch *branches; // a table by (code, offset), open addressing; free where targets[0] is 0: no branch goes to offset 0
  uint32_t branch_count, branch_room, target_count;
  bool on, disabled;
} state;

static PyObject *restart_events, *line_callback, *branch_callback;

static PyObject *on_line(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  long line = count == 2 && PyLong_CheckExact(args[1]) ? PyLong_AsLong(args[1]) : -1;
  if (line >= 0 && (uint32_t)line < state.line_room)
    state.lines[line >> 3] |= (uint8_t)(1 << (line & 7));
  state.disabled = true;
  return Py_NewRef(&_PyInstrumentation_DISABLE);
}

static branch *find_branch(branch *table, uint32_t room, uint32_t code, uint32_t offset) {
  for (uint32_t i = (code * 31 + offset) * 2654435761u >> 8;; i++) {
    branch *at = &table[i & (room - 1)];
    if (!at->targets[0] || (at->code == code && at->offset == offset))
      return at;
  }
}

static PyObject *on_branch(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  bool found;
  uint32_t *code = count == 3 ? addresses_find(&state.codes, args[0], UINT32_MAX, &found) : NULL;
  if (!code || !found || *code == UINT32_MAX)
    Py_RETURN_NONE;
  uint32_t offset = (uint32_t)PyLong_AsLong(args[1]), target = (uint32_t)PyLong_AsLong(args[2]);
  if (2 * state.branch_count >= state.branch_room) {
    uint32_t room = state.branch_room ? 2 * state.branch_room : 128;
    branch *table = calloc(room, sizeof *table);
    if (!table)
      return PyErr_NoMemory();
    for (uint32_t i = 0; i < state.branch_room; i++)
      if (state.branches[i].targets[0])
        *find_branch(table, room, state.branches[i].code, state.branches[i].offset) = state.branches[i];
    free(state.branches);
    state.branches = table;
    state.branch_room = room;
  }
  branch *at = find_branch(state.branches, state.branch_room, *code, offset);
  if (!at->targets[0]) {
    *at = (branch){*code, offset, {target, 0}};
    state.branch_count++;
    state.target_count++;
  } else if (at->targets[0] != target) {
    at->targets[1] = target;
    state.target_count++;
    state.disabled = true;
    return Py_NewRef(&_PyInstrumentation_DISABLE);
  }
  Py_RETURN_NONE;
}

static PyMethodDef line_method = {"line", (PyCFunction)(void (*)(void))on_line, METH_FASTCALL, NULL};
static PyMethodDef branch_method = {"branch", (PyCFunction)(void (*)(void))on_branch, METH_FASTCALL, NULL};

int coverage_boot(void) {
  PyObject *monitoring = PySys_GetObject("monitoring");
  restart_events = monitoring ? PyObject_GetAttrString(monitoring, "restart_events") : NULL;
  line_callback = PyCFunction_New(&line_method, NULL);
  branch_callback = PyCFunction_New(&branch_method, NULL);
  return restart_events && line_callback && branch_callback ? 0 : -1;
}

// follow numbers code and what is nested in it, depth first, and sets events on it.
static int follow(PyCodeObject *code, int depth) {
  bool found;
  if (!addresses_find(&state.codes, code, state.count, &found)) {
    PyErr_NoMemory();
    return -1;
  }
  if (found || depth > 200)
    return 0;
  state.count++;
  if (_PyMonitoring_SetLocalEvents(code, tool, 1 << PY_MONITORING_EVENT_LINE | 1 << PY_MONITORING_EVENT_BRANCH) < 0)
    return -1;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(code->co_consts); i++) {
    PyObject *constant = PyTuple_GET_ITEM(code->co_consts, i);
    if (PyCode_Check(constant) && follow((PyCodeObject *)constant, depth + 1) < 0)
      return -1;
  }
  return 0;
}

static int last_line(PyCodeObject *code) {
  int last = code->co_firstlineno;
  PyCodeAddressRange range;
  _PyCode_InitAddressRange(code, &range);
  while (_PyLineTable_NextAddressRange(&range))
    if (range.ar_line > last)
      last = range.ar_line;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(code->co_consts); i++) {
    PyObject *constant = PyTuple_GET_ITEM(code->co_consts, i);
    if (PyCode_Check(constant)) {
      int inner = last_line((PyCodeObject *)constant);
      last = inner > last ? inner : last;
    }
  }
  return last;
}

int coverage_begin(PyObject *code) {
  state.line_room = (uint32_t)last_line((PyCodeObject *)code) + 1;
  state.lines = calloc((state.line_room + 7) / 8, 1);
  if (!state.lines) {
    PyErr_NoMemory();
    return -1;
  }
  state.on = true;
  PyInterpreterState *interpreter = PyInterpreterState_Get();
  interpreter->monitoring_tool_names[tool] = PyUnicode_InternFromString("coverage");
  Py_XDECREF(_PyMonitoring_RegisterCallback(tool, PY_MONITORING_EVENT_LINE, line_callback));
  Py_XDECREF(_PyMonitoring_RegisterCallback(tool, PY_MONITORING_EVENT_BRANCH, branch_callback));
  return follow((PyCodeObject *)code, 0);
}

void coverage_restart(void) {
  if (!state.on)
    return;
  memset(state.lines, 0, (state.line_room + 7) / 8);
  if (state.branches)
    memset(state.branches, 0, state.branch_room * sizeof *state.branches);
  state.branch_count = state.target_count = 0;
  if (state.disabled) {
    state.disabled = false;
    PyObject *result = PyObject_CallNoArgs(restart_events);
    Py_XDECREF(result);
    PyErr_Clear();
  }
}

static int compare_branches(const void *x, const void *y) {
  const branch *a = *(branch *const *)x, *b = *(branch *const *)y;
  if (a->code != b->code)
    return a->code < b->code ? -1 : 1;
  return a->offset < b->offset ? -1 : a->offset > b->offset;
}

// put_lines writes a set of lines.
static void put_lines(buffer *b, const uint8_t *lines) {
  uint32_t count = 0, previous = 0, bytes = (state.line_room + 7) / 8;
  for (uint32_t i = 0; i < bytes; i++)
    count += (uint32_t)__builtin_popcount(lines[i]);
  put_uvarint(b, count);
  for (uint32_t i = 0; i < bytes; i++)
    for (unsigned rest = lines[i]; rest; rest &= rest - 1) {
      uint32_t line = 8 * i + (uint32_t)__builtin_ctz(rest);
      put_uvarint(b, line - previous);
      previous = line;
    }
}

static void put_way(buffer *b, const branch *at, uint32_t target) {
  put_uvarint(b, at->code);
  put_uvarint(b, at->offset);
  put_uvarint(b, target);
}

void coverage_put(buffer *b) {
  if (!state.on) {
    put_bytes(b, "\0", 2); // no lines, no branches: the program did not compile
    return;
  }
  put_lines(b, state.lines);
  put_uvarint(b, state.target_count);
  if (!state.target_count)
    return;
  branch **sorted = malloc(state.branch_count * sizeof *sorted);
  if (!sorted) {
    b->failed = true;
    return;
  }
  uint32_t n = 0;
  for (uint32_t i = 0; i < state.branch_room; i++)
    if (state.branches[i].targets[0])
      sorted[n++] = &state.branches[i];
  qsort(sorted, n, sizeof *sorted, compare_branches);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t *targets = sorted[i]->targets, low = targets[0], high = targets[1];
    if (high && high < low) {
      low = targets[1];
      high = targets[0];
    }
    put_way(b, sorted[i], low);
    if (high)
      put_way(b, sorted[i], high);
  }
  free(sorted);
}
