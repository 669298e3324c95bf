// Lines and branches of the program's own code, by sys.monitoring.
//
// Events are set on the program's code objects alone, so that the library runs at full speed, and each place is told of once: a line's event is
// disabled when it came, a branch's when both ways were seen. Between calls all events are enabled again, so that each call has its own coverage; unless
// what is new is all that is wanted, which costs half: CPython looks at all code again when events are enabled.
//
// Code objects that the program makes while it runs (exec, eval) are not followed.
//
// The shape of a program is what there is to be reached of it: the lines that have code, and the conditional jumps with the places of what they are on.
#include "guest.h"

#include <stdlib.h>
#include <string.h>

#include <opcode_ids.h>

#include "internal/pycore_instruments.h"
#include "internal/pycore_interp.h"

enum { tool = 3 };

typedef struct {
  uint32_t code, offset, targets[2]; // in the order in which they came
  uint32_t told;                     // how many of the targets were
} branch;

static struct {
  addresses codes; // numbers of code objects
  uint32_t count;
  uint8_t *lines; // a bit a line
  uint32_t line_room;
  branch *branches; // a table by (code, offset), open addressing; free where targets[0] is 0: no branch goes to offset 0
  uint32_t branch_count, branch_room, untold; // untold: of their targets
  bool on, disabled;
  uint8_t *told_lines;  // as lines; NULL: not only what is new is wanted
  uint8_t *shape_lines; // as lines; NULL: the shape is not wanted
  buffer jumps;
  uint32_t jump_count;
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
    *at = (branch){*code, offset, {target, 0}, 0};
    state.branch_count++;
    state.untold++;
  } else if (at->targets[0] != target) {
    at->targets[1] = target;
    state.untold++;
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

// A place is where an instruction's source stands: first and last row, first and last column. -1: it has none.
enum { first_row, last_row, first_column, last_column, place_numbers };

// A locations reads a code object's location table, whose format Objects/locations.md of CPython describes.
typedef struct {
  const uint8_t *at, *end;
  int row;
} locations;

static unsigned read_varint(locations *l) {
  unsigned value = 0, byte = 64;
  for (int shift = 0; byte & 64 && shift < 30 && l->at < l->end; shift += 6) {
    byte = *l->at++;
    value |= (byte & 63) << shift;
  }
  return value;
}

static int read_signed(locations *l) {
  unsigned value = read_varint(l);
  return value & 1 ? -(int)(value >> 1) : (int)(value >> 1);
}

static uint8_t read_byte(locations *l) { return l->at < l->end ? *l->at++ : 0; }

// next_place reads an entry of the table into place, and returns how many instructions it is of; 0: there are no more.
static int next_place(locations *l, int place[place_numbers]) {
  if (l->at >= l->end)
    return 0;
  int head = *l->at++, kind = head >> 3 & 15;
  place[first_row] = place[last_row] = place[first_column] = place[last_column] = -1;
  switch (kind) {
  case PY_CODE_LOCATION_INFO_NONE:
    break;
  case PY_CODE_LOCATION_INFO_LONG:
    place[first_row] = l->row += read_signed(l);
    place[last_row] = l->row + (int)read_varint(l);
    place[first_column] = (int)read_varint(l) - 1;
    place[last_column] = (int)read_varint(l) - 1;
    break;
  case PY_CODE_LOCATION_INFO_NO_COLUMNS:
    place[first_row] = place[last_row] = l->row += read_signed(l);
    break;
  case PY_CODE_LOCATION_INFO_ONE_LINE0:
  case PY_CODE_LOCATION_INFO_ONE_LINE1:
  case PY_CODE_LOCATION_INFO_ONE_LINE2:
    place[first_row] = place[last_row] = l->row += kind - PY_CODE_LOCATION_INFO_ONE_LINE0;
    place[first_column] = read_byte(l);
    place[last_column] = read_byte(l);
    break;
  default: {
    int columns = read_byte(l);
    place[first_row] = place[last_row] = l->row;
    place[first_column] = kind << 3 | columns >> 4;
    place[last_column] = place[first_column] + (columns & 15);
  }
  }
  return (head & 7) + 1;
}

static bool is_known(const int place[place_numbers]) {
  return place[first_row] >= 0 && place[last_row] >= 0 && place[first_column] >= 0 && place[last_column] >= 0;
}

static void put_place(const int place[place_numbers]) {
  for (int i = 0; i < place_numbers; i++)
    put_uvarint(&state.jumps, (uint64_t)place[i]);
}

// jump_kind returns the kind of a conditional jump, as the wire has it; -1 of any other instruction.
static int jump_kind(int instruction) {
  switch (instruction) {
  case POP_JUMP_IF_FALSE:
    return 0;
  case POP_JUMP_IF_TRUE:
    return 1;
  case POP_JUMP_IF_NONE:
    return 2;
  case POP_JUMP_IF_NOT_NONE:
    return 3;
  }
  return -1;
}

// shape adds the lines and jumps of a code object to the shape. What a jump is on is the instruction before it: None or not, or what was tested there. A jump
// to a jump has the place of that, as all conditions of a comprehension have its element's: so the place of a test is that of what computes it.
static int shape(PyCodeObject *code, uint32_t number) {
  PyObject *bytes = PyCode_GetCode(code);
  if (!bytes)
    return -1;
  locations table = {(const uint8_t *)PyBytes_AS_STRING(code->co_linetable), NULL, code->co_firstlineno};
  table.end = table.at + PyBytes_GET_SIZE(code->co_linetable);
  int before_code = NOP, before[place_numbers] = {-1, -1, -1, -1}, place[place_numbers];
  Py_ssize_t offset = 0;
  for (int length; (length = next_place(&table, place)) > 0;) {
    if (place[first_row] > 0 && (uint32_t)place[first_row] < state.line_room)
      state.shape_lines[place[first_row] >> 3] |= (uint8_t)(1 << (place[first_row] & 7));
    for (; length > 0 && offset < PyBytes_GET_SIZE(bytes); length--, offset += 2) {
      int instruction = (uint8_t)PyBytes_AS_STRING(bytes)[offset], kind = jump_kind(instruction);
      if (instruction == CACHE || instruction == EXTENDED_ARG || instruction == NOP)
        continue;
      bool tests = before_code == COMPARE_OP || before_code == CONTAINS_OP || before_code == IS_OP || before_code == TO_BOOL;
      if (kind >= 0 && is_known(before) && (tests || is_known(place))) {
        state.jump_count++;
        put_uvarint(&state.jumps, number);
        put_uvarint(&state.jumps, (uint64_t)offset);
        put_byte(&state.jumps, (uint8_t)kind);
        put_place(tests ? before : place);
        put_place(before);
      }
      before_code = instruction;
      memcpy(before, place, sizeof before);
    }
  }
  Py_DECREF(bytes);
  return 0;
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
  if (state.shape_lines && shape(code, state.count) < 0)
    return -1;
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

int coverage_begin(PyObject *code, bool wants_shape, bool only_new) {
  state.line_room = (uint32_t)last_line((PyCodeObject *)code) + 1;
  state.lines = calloc((state.line_room + 7) / 8, 1);
  if (wants_shape)
    state.shape_lines = calloc((state.line_room + 7) / 8, 1);
  if (only_new)
    state.told_lines = calloc((state.line_room + 7) / 8, 1);
  if (!state.lines || (wants_shape && !state.shape_lines) || (only_new && !state.told_lines)) {
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
  if (!state.on || state.told_lines)
    return;
  memset(state.lines, 0, (state.line_room + 7) / 8);
  if (state.branches)
    memset(state.branches, 0, state.branch_room * sizeof *state.branches);
  state.branch_count = state.untold = 0;
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

void coverage_put_shape(buffer *b) {
  if (!state.shape_lines) {
    put_bytes(b, "\0", 2); // no lines, no jumps: the program did not compile
    return;
  }
  put_lines(b, state.shape_lines);
  put_uvarint(b, state.jump_count);
  put_bytes(b, state.jumps.data, state.jumps.size);
  b->failed |= state.jumps.failed;
}

void coverage_put(buffer *b) {
  if (!state.on) {
    put_bytes(b, "\0", 2); // as above
    return;
  }
  if (state.told_lines) // a line comes again where it begins in another place, too
    for (uint32_t i = 0; i < (state.line_room + 7) / 8; i++) {
      state.lines[i] &= (uint8_t)~state.told_lines[i];
      state.told_lines[i] |= state.lines[i];
    }
  put_lines(b, state.lines);
  if (state.told_lines)
    memset(state.lines, 0, (state.line_room + 7) / 8);
  put_uvarint(b, state.untold);
  if (!state.untold)
    return;
  branch **sorted = malloc(state.branch_count * sizeof *sorted);
  if (!sorted) {
    b->failed = true;
    return;
  }
  uint32_t n = 0;
  for (uint32_t i = 0; i < state.branch_room; i++) {
    branch *at = &state.branches[i];
    if (at->targets[0] && (!at->told || (at->told == 1 && at->targets[1])))
      sorted[n++] = at;
  }
  qsort(sorted, n, sizeof *sorted, compare_branches);
  for (uint32_t i = 0; i < n; i++) {
    branch *at = sorted[i];
    uint32_t targets[2] = {at->targets[at->told], at->told ? 0 : at->targets[1]};
    if (targets[1] && targets[1] < targets[0]) {
      targets[0] = at->targets[1];
      targets[1] = at->targets[0];
    }
    for (int way = 0; way < 2 && targets[way]; way++) {
      put_uvarint(b, at->code);
      put_uvarint(b, at->offset);
      put_uvarint(b, targets[way]);
      at->told++;
    }
  }
  free(sorted);
  state.untold = 0;
}
