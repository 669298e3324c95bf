// Values as plain data.
//
// The encoder must not run code of the program, which could lie about a value, or change it while it is read. So it asks nobody: it compares type
// pointers, reads the fields of CPython's structs, and calls only functions of C that belong to the very type (deque's own iterator, whatever a
// subclass says). An instance's attributes are read from its dict and from where its class's slots lie; neither __dict__ nor __getattribute__ is asked.
//
// Iterators are the exception, whose elements cannot be known without running them. They are encoded as what they are, and drained only when the
// value stands in the reply, so that nothing changes while it is being read; what they yield is encoded after that in the same way.
//
// What is large is bounded before it is written: a container announces its nodes first, and if there are not so many left it is "too large" as a whole.
#include "guest.h"

#include <datetime.h>
#include <stdlib.h>
#include <string.h>
#include <structmember.h>

#include "internal/pycore_dict.h"
#include "internal/pycore_moduleobject.h"
#include "internal/pycore_namespace.h"
#include "internal/pycore_object.h"
#include "internal/pycore_setobject.h"

enum { max_nodes = 200000, max_depth = 1000, max_bytes = 8 << 20, max_name = 1000, max_generation = 2 };

// Types of C that no header names, and functions of theirs that read a field.
static PyTypeObject *deque_type, *defaultdict_type, *decimal_type, *array_type;
static PyObject *deque_maxlen, *default_factory, *array_typecode, *timezone_utcoffset, *timezone_tzname;
// What frees an instance of a class that was made by a class statement: nothing else tells such a class as surely.
static destructor class_dealloc;

static struct {
  addresses ids;     // objects that a reference may be to
  addresses classes; // types whose names are in the reply, from 1
  uint32_t next_id;
  int64_t nodes; // that may still be written
  int64_t bytes; // of text that may still be written
  PyObject *kept; // a list of what must live until the reply is done, so that no address is used twice
  // Iterators that wait for being drained.
  struct waiting {
    PyObject *iterator;
    uint32_t id;
    int generation;
  } *waiting;
  size_t waiting_count, waiting_room;
  int generation;
} state;

static PyObject *attribute(const char *module, const char *name) {
  PyObject *m = PyImport_ImportModule(module);
  PyObject *object = m ? PyObject_GetAttrString(m, name) : NULL;
  Py_XDECREF(m);
  if (!object)
    Py_FatalError(name);
  return object;
}

static PyObject *member(PyTypeObject *type, const char *name) {
  PyObject *descriptor = PyObject_GetAttrString((PyObject *)type, name);
  if (!descriptor)
    Py_FatalError(name);
  return descriptor;
}

void encode_boot(void) {
  PyDateTime_IMPORT;
  deque_type = (PyTypeObject *)attribute("collections", "deque");
  defaultdict_type = (PyTypeObject *)attribute("collections", "defaultdict");
  decimal_type = (PyTypeObject *)attribute("decimal", "Decimal");
  array_type = (PyTypeObject *)attribute("array", "array");
  deque_maxlen = member(deque_type, "maxlen");
  default_factory = member(defaultdict_type, "default_factory");
  array_typecode = member(array_type, "typecode");
  PyTypeObject *timezone = Py_TYPE(PyDateTime_TimeZone_UTC);
  timezone_utcoffset = member(timezone, "utcoffset");
  timezone_tzname = member(timezone, "tzname");
  class_dealloc = ((PyTypeObject *)attribute("abc", "ABC"))->tp_dealloc;
}

// Classes.

// from_class_statement reports whether type was made by a class statement, or by type() called.
static bool from_class_statement(PyTypeObject *type) { return type->tp_dealloc == class_dealloc; }

// type_module returns the module that type names as its own, if that is a str.
static PyObject *type_module(PyTypeObject *type) {
  if (!(type->tp_flags & Py_TPFLAGS_HEAPTYPE) || !type->tp_dict)
    return NULL;
  PyObject *key, *value;
  for (Py_ssize_t at = 0; PyDict_Next(type->tp_dict, &at, &key, &value);)
    if (PyUnicode_CheckExact(key) && PyUnicode_EqualToUTF8(key, "__module__"))
      return PyUnicode_Check(value) ? value : NULL;
  return NULL;
}

static void put_qualified(buffer *b, PyObject *module, PyObject *name) {
  if (module && PyUnicode_EqualToUTF8(module, "builtins"))
    module = NULL;
  buffer text = {0};
  size_t size = 0;
  if (module) {
    put_text(&text, module, max_name);
    put_byte(&text, '.');
  }
  size_t dot = text.size;
  put_text(&text, name, max_name);
  // Both parts begin with their length, of one or two bytes.
  const uint8_t *p = text.data;
  size_t module_skip = module ? (p && p[0] & 0x80 ? 2 : 1) : 0;
  if (!text.failed) {
    size_t name_skip = p[dot] & 0x80 ? 2 : 1;
    size = (dot - module_skip) + (text.size - dot - name_skip);
    put_uvarint(b, size);
    put_bytes(b, p + module_skip, dot - module_skip);
    put_bytes(b, p + dot + name_skip, text.size - dot - name_skip);
  } else {
    b->failed = true;
  }
  free(text.data);
}

static void put_class_name(buffer *b, PyTypeObject *type) {
  if (type->tp_flags & Py_TPFLAGS_HEAPTYPE) {
    put_qualified(b, type_module(type), ((PyHeapTypeObject *)type)->ht_qualname);
    return;
  }
  size_t size = strlen(type->tp_name);
  put_uvarint(b, size);
  put_bytes(b, type->tp_name, size);
}

void encode_class(buffer *b, PyTypeObject *type) {
  bool found;
  uint32_t *number = addresses_find(&state.classes, type, state.classes.count + 1, &found);
  if (!number) {
    b->failed = true;
    return;
  }
  if (found) {
    put_uvarint(b, *number);
    return;
  }
  put_uvarint(b, 0);
  put_class_name(b, type);
}

// Nodes.

static void node(buffer *b, PyObject *object, int depth);

static void put_tagged_class(buffer *b, uint8_t tag, PyObject *object) {
  put_byte(b, tag);
  encode_class(b, Py_TYPE(object));
}

// claim takes count nodes and size bytes from what is left.
static bool claim(size_t count, size_t size) {
  if ((int64_t)count > state.nodes || (int64_t)size > state.bytes)
    return false;
  state.nodes -= (int64_t)count;
  state.bytes -= (int64_t)size;
  return true;
}

// open_object gives object its number. It reports false, with a reference written, if it has one.
static bool open_object(buffer *b, PyObject *object) {
  uint32_t id = state.next_id;
  // Who holds one of one reference will not be met again.
  if (Py_REFCNT(object) > 1) {
    bool found;
    uint32_t *known = addresses_find(&state.ids, object, id, &found);
    if (!known) {
      b->failed = true;
      return false;
    }
    if (found) {
      put_byte(b, 'r');
      put_uvarint(b, *known);
      return false;
    }
    // What draining an iterator frees must not give its address to another object.
    if (PyList_Append(state.kept, object) < 0) {
      PyErr_Clear();
      b->failed = true;
      return false;
    }
  }
  state.next_id++;
  return true;
}

static void put_int(buffer *b, PyObject *object) {
  put_byte(b, 'i');
  PyLongObject *number = (PyLongObject *)object;
  int sign = _PyLong_Sign(object);
  size_t size = sign == 0 ? 0 : _PyLong_NumBits(object) / 8 + 1;
  if (!claim(0, size)) {
    b->size--;
    put_tagged_class(b, '+', object);
    return;
  }
  uint8_t small[64], *bytes = size <= sizeof small ? small : malloc(size);
  if (!bytes || (size && _PyLong_AsByteArray(number, bytes, size, 1, 1, 1) < 0)) {
    PyErr_Clear();
    b->failed = true;
  } else {
    // -128 has eight bits and fits one byte.
    if (size > 1 && sign < 0 && bytes[size - 1] == 0xff && bytes[size - 2] & 0x80)
      size--;
    put_uvarint(b, size);
    put_bytes(b, bytes, size);
  }
  if (bytes != small)
    free(bytes);
}

static void put_double(buffer *b, double value) { put_bytes(b, &value, sizeof value); }

static void put_run(buffer *b, uint8_t tag, PyObject *object, const void *data, size_t size) {
  if (!claim(0, size)) {
    put_tagged_class(b, '+', object);
    return;
  }
  put_byte(b, tag);
  put_uvarint(b, size);
  put_bytes(b, data, size);
}

static void put_str(buffer *b, PyObject *object) {
  if (!claim(0, wtf8_size(object))) {
    put_tagged_class(b, '+', object);
    return;
  }
  put_byte(b, 's');
  put_text(b, object, SIZE_MAX);
}

// Sets, in the order of what their elements' encodings would be if each stood in a reply of its own: so equal sets are encoded equally, whatever
// their history.

typedef struct {
  PyObject *object;
  size_t from, to; // in keys
} element;

static const uint8_t *sort_keys;

static int compare_elements(const void *x, const void *y) {
  const element *a = x, *b = y;
  size_t na = a->to - a->from, nb = b->to - b->from;
  int order = memcmp(sort_keys + a->from, sort_keys + b->from, na < nb ? na : nb);
  return order ? order : na < nb ? -1 : na > nb;
}

static bool is_scalar(PyObject *object) {
  return PyLong_CheckExact(object) || PyUnicode_CheckExact(object) || PyFloat_CheckExact(object) || PyBytes_CheckExact(object) || object == Py_None ||
         PyBool_Check(object);
}

static void put_set(buffer *b, uint8_t tag, PyObject *object, int depth) {
  size_t count = (size_t)PySet_GET_SIZE(object), n = 0;
  if (!claim(count, 0)) {
    put_tagged_class(b, '+', object);
    return;
  }
  element *elements = malloc((count ? count : 1) * sizeof *elements);
  if (!elements) {
    b->failed = true;
    return;
  }
  PyObject *item;
  Py_hash_t hash;
  bool scalars = true;
  for (Py_ssize_t at = 0; n < count && _PySet_NextEntry(object, &at, &item, &hash); n++) {
    elements[n].object = item;
    scalars = scalars && is_scalar(item);
  }
  buffer keys = {0};
  int64_t bytes = state.bytes;
  for (size_t i = 0; i < n; i++) {
    elements[i].from = keys.size;
    addresses ids = state.ids, classes = state.classes;
    uint32_t next_id = state.next_id;
    if (!scalars) {
      state.ids = state.classes = (addresses){0};
      state.next_id = 0;
    }
    size_t waiting = state.waiting_count;
    node(&keys, elements[i].object, depth + 1);
    while (state.waiting_count > waiting)
      Py_DECREF(state.waiting[--state.waiting_count].iterator);
    if (!scalars) {
      addresses_clear(&state.ids);
      addresses_clear(&state.classes);
      state.ids = ids;
      state.classes = classes;
      state.next_id = next_id;
    }
    elements[i].to = keys.size;
  }
  if (keys.failed) {
    b->failed = true;
  } else {
    sort_keys = keys.data;
    qsort(elements, n, sizeof *elements, compare_elements);
    put_byte(b, tag);
    put_uvarint(b, n);
    if (!scalars)
      state.bytes = bytes;
    for (size_t i = 0; i < n; i++)
      if (scalars)
        put_bytes(b, keys.data + elements[i].from, elements[i].to - elements[i].from);
      else
        node(b, elements[i].object, depth + 1);
  }
  free(keys.data);
  free(elements);
}

// Dicts.

// OrderedDict's own order: the beginning of the structs that odictobject.c keeps to itself.
typedef struct order_node {
  PyObject *key;
  Py_hash_t hash;
  struct order_node *next, *prev;
} order_node;

typedef struct {
  PyDictObject dict;
  order_node *first;
} ordered_dict;

// put_dict_items writes keys ('k'), values ('v') or both ('w', 'd') of a dict or a subclass' instance.
static void put_dict_items(buffer *b, uint8_t tag, PyObject *dict, int depth) {
  size_t count = (size_t)((PyDictObject *)dict)->ma_used;
  if (!claim(tag == 'k' || tag == 'v' ? count : 2 * count, 0)) {
    put_tagged_class(b, '+', dict);
    return;
  }
  put_byte(b, tag);
  put_uvarint(b, count);
  PyObject *key, *value;
  if (PyODict_Check(dict) && count) {
    // Its values by their keys' addresses: a look-up by equality would run __eq__.
    addresses index = {0};
    PyObject **values = malloc(count * sizeof *values);
    size_t n = 0, written = 0;
    bool found, good = values != NULL;
    for (Py_ssize_t at = 0; good && n < count && PyDict_Next(dict, &at, &key, &value); n++) {
      values[n] = value;
      good = addresses_find(&index, key, (uint32_t)n, &found) != NULL;
    }
    for (order_node *at = ((ordered_dict *)dict)->first; good && at && written < count; at = at->next, written++) {
      uint32_t *place = addresses_find(&index, at->key, 0, &found);
      good = place && found;
      if (!good)
        break;
      if (tag != 'v')
        node(b, at->key, depth + 1);
      if (tag != 'k')
        node(b, values[*place], depth + 1);
    }
    // It can be damaged, by dict.__setitem__ for one.
    for (; good && written < count; written++) {
      if (tag != 'v')
        put_byte(b, '-');
      if (tag != 'k')
        put_byte(b, '-');
    }
    if (!good)
      b->failed = true;
    addresses_clear(&index);
    free(values);
    return;
  }
  size_t written = 0;
  for (Py_ssize_t at = 0; written < count && PyDict_Next(dict, &at, &key, &value); written++) {
    if (tag != 'v')
      node(b, key, depth + 1);
    if (tag != 'k')
      node(b, value, depth + 1);
  }
}

static uint8_t view_tag(PyTypeObject *type) {
  if (type == &PyDictKeys_Type || type == &PyODictKeys_Type)
    return 'k';
  if (type == &PyDictValues_Type || type == &PyODictValues_Type)
    return 'v';
  if (type == &PyDictItems_Type || type == &PyODictItems_Type)
    return 'w';
  return 0;
}

// Instances.

typedef struct {
  PyObject *name, *value; // both live until the reply is done
} named;

typedef struct {
  named *items;
  size_t count, room;
} attributes;

static int compare_names(const void *x, const void *y) { return PyUnicode_Compare(((const named *)x)->name, ((const named *)y)->name); }

// keep makes object, which it takes over, live until the reply is done. It returns NULL, with b failed, for NULL and if there is no memory.
static PyObject *keep(buffer *b, PyObject *object) {
  if (!object || PyList_Append(state.kept, object) < 0) {
    PyErr_Clear();
    b->failed = true;
  }
  Py_XDECREF(object);
  return b->failed ? NULL : object;
}

static void add(buffer *b, attributes *to, PyObject *name, PyObject *value) {
  if (!name || !value)
    return;
  if (to->count == to->room) {
    to->room = to->room ? 2 * to->room : 8;
    named *items = realloc(to->items, to->room * sizeof *items);
    if (!items) {
      b->failed = true;
      to->room = to->count;
      return;
    }
    to->items = items;
  }
  to->items[to->count++] = (named){name, value};
}

// add_field adds a value that was made here, which it takes over.
static void add_field(buffer *b, attributes *to, const char *name, PyObject *value) {
  value = keep(b, value);
  add(b, to, value ? keep(b, PyUnicode_InternFromString(name)) : NULL, value);
}

// field calls a C type's own getter.
static PyObject *field(PyObject *descriptor, PyObject *object) {
  return Py_TYPE(descriptor)->tp_descr_get(descriptor, object, (PyObject *)Py_TYPE(object));
}

// add_own adds what an instance's dict and slots hold. Names that are no str are left out.
static void add_own(buffer *b, attributes *to, PyObject *object) {
  PyObject **place = _PyObject_GetDictPtr(object), *key, *value;
  if (place && *place && PyDict_Check(*place))
    for (Py_ssize_t at = 0; PyDict_Next(*place, &at, &key, &value);)
      if (PyUnicode_Check(key))
        add(b, to, key, value);
  // All classes that add slots are in the chain of bases: two that do cannot be mixed.
  for (PyTypeObject *type = Py_TYPE(object); type && from_class_statement(type); type = type->tp_base)
    for (PyMemberDef *m = type->tp_members; m && m->name; m++)
      if (m->type == Py_T_OBJECT_EX && (value = *(PyObject **)((char *)object + m->offset)))
        add(b, to, keep(b, PyUnicode_FromString(m->name)), value);
}

static void put_items(buffer *b, uint8_t tag, PyObject *object, PyObject *const *items, size_t count, int depth) {
  if (!claim(count, 0)) {
    put_tagged_class(b, '+', object);
    return;
  }
  put_byte(b, tag);
  put_uvarint(b, count);
  for (size_t i = 0; i < count; i++)
    if (items[i])
      node(b, items[i], depth + 1);
    else
      put_byte(b, '-'); // a tuple that is being made
}

static void put_list(buffer *b, uint8_t tag, PyObject *list, int depth) {
  put_items(b, tag, list, ((PyListObject *)list)->ob_item, (size_t)PyList_GET_SIZE(list), depth);
}

static void put_tuple(buffer *b, PyObject *tuple, int depth) {
  put_items(b, '(', tuple, ((PyTupleObject *)tuple)->ob_item, (size_t)PyTuple_GET_SIZE(tuple), depth);
}

// elements returns what iterating over object gives, iterating as type, a type of C, does it.
static PyObject *elements_of(PyTypeObject *type, PyObject *object) {
  PyObject *list = PyList_New(0), *iterator = type->tp_iter(object), *item;
  while (list && iterator && (item = Py_TYPE(iterator)->tp_iternext(iterator))) {
    if (PyList_Append(list, item) < 0)
      Py_CLEAR(list);
    Py_DECREF(item);
  }
  PyErr_Clear();
  Py_XDECREF(iterator);
  return list;
}

static PyObject *decimal_text(PyObject *object) {
  PyObject *text = decimal_type->tp_str(object);
  // The exponent's letter follows the context.
  if (text && PyUnicode_IS_ASCII(text) && Py_REFCNT(text) == 1)
    for (Py_ssize_t i = 0; i < PyUnicode_GET_LENGTH(text); i++)
      if (PyUnicode_1BYTE_DATA(text)[i] == 'e')
        PyUnicode_1BYTE_DATA(text)[i] = 'E';
  return text;
}

static PyObject *array_parts(PyObject *object) {
  Py_buffer view;
  if (array_type->tp_as_buffer->bf_getbuffer(object, &view, PyBUF_SIMPLE) < 0)
    return NULL;
  PyObject *parts = Py_BuildValue("(Ny#)", field(array_typecode, object), (char *)view.buf, view.len);
  array_type->tp_as_buffer->bf_releasebuffer(object, &view);
  Py_DECREF(view.obj);
  return parts;
}

// put_base writes an instance as type, the first of its class's bases that C made and one that is_known, and adds the attributes that such a type
// has.
static void put_base(buffer *b, PyObject *object, PyTypeObject *type, attributes *fields, int depth) {
  PyObject *made = NULL;
  if (type == &PyBaseObject_Type || type == &_PyNamespace_Type) {
    put_byte(b, '-');
    return;
  }
  // A base has a number, if nodes of its kind have.
  if (type == &PyLong_Type) {
    put_int(b, object);
  } else if (type == &PyFloat_Type) {
    put_byte(b, 'f');
    put_double(b, ((PyFloatObject *)object)->ob_fval);
  } else if (type == &PyComplex_Type) {
    put_byte(b, 'c');
    put_double(b, ((PyComplexObject *)object)->cval.real);
    put_double(b, ((PyComplexObject *)object)->cval.imag);
  } else if (type == &PyUnicode_Type) {
    put_str(b, object);
  } else if (type == &PyBytes_Type) {
    put_run(b, 'b', object, PyBytes_AS_STRING(object), (size_t)PyBytes_GET_SIZE(object));
  } else if (type == &PyByteArray_Type) {
    state.next_id++;
    put_run(b, 'B', object, PyByteArray_AS_STRING(object), (size_t)PyByteArray_GET_SIZE(object));
  } else if (type == &PyList_Type) {
    state.next_id++;
    put_list(b, '[', object, depth);
  } else if (type == &PyTuple_Type) {
    state.next_id++;
    put_tuple(b, object, depth);
  } else if (type == &PySet_Type || type == &PyFrozenSet_Type) {
    state.next_id++;
    put_set(b, type == &PySet_Type ? '{' : '<', object, depth);
  } else if (type == &PyDict_Type || type == &PyODict_Type || type == defaultdict_type) {
    if (type == defaultdict_type)
      add_field(b, fields, "default_factory", field(default_factory, object));
    state.next_id++;
    put_dict_items(b, 'd', object, depth);
  } else if (PyType_IsSubtype(type, (PyTypeObject *)PyExc_BaseException)) {
    PyObject *args = ((PyBaseExceptionObject *)object)->args;
    if (args && PyTuple_Check(args)) {
      state.next_id++;
      put_tuple(b, args, depth);
    } else {
      put_byte(b, '-');
    }
  } else {
    if (type == deque_type) {
      add_field(b, fields, "maxlen", field(deque_maxlen, object));
      made = elements_of(deque_type, object);
    } else if (type == PyDateTimeAPI->DateTimeType) {
      add_field(b, fields, "fold", PyLong_FromLong(PyDateTime_DATE_GET_FOLD(object)));
      add_field(b, fields, "tzinfo", Py_NewRef(PyDateTime_DATE_GET_TZINFO(object)));
      made = Py_BuildValue("(iiiiiii)", PyDateTime_GET_YEAR(object), PyDateTime_GET_MONTH(object), PyDateTime_GET_DAY(object),
                           PyDateTime_DATE_GET_HOUR(object), PyDateTime_DATE_GET_MINUTE(object), PyDateTime_DATE_GET_SECOND(object),
                           PyDateTime_DATE_GET_MICROSECOND(object));
    } else if (type == PyDateTimeAPI->DateType) {
      made = Py_BuildValue("(iii)", PyDateTime_GET_YEAR(object), PyDateTime_GET_MONTH(object), PyDateTime_GET_DAY(object));
    } else if (type == PyDateTimeAPI->TimeType) {
      add_field(b, fields, "fold", PyLong_FromLong(PyDateTime_TIME_GET_FOLD(object)));
      add_field(b, fields, "tzinfo", Py_NewRef(PyDateTime_TIME_GET_TZINFO(object)));
      made = Py_BuildValue("(iiii)", PyDateTime_TIME_GET_HOUR(object), PyDateTime_TIME_GET_MINUTE(object), PyDateTime_TIME_GET_SECOND(object),
                           PyDateTime_TIME_GET_MICROSECOND(object));
    } else if (type == PyDateTimeAPI->DeltaType) {
      made = Py_BuildValue("(iii)", PyDateTime_DELTA_GET_DAYS(object), PyDateTime_DELTA_GET_SECONDS(object),
                           PyDateTime_DELTA_GET_MICROSECONDS(object));
    } else if (type == Py_TYPE(PyDateTime_TimeZone_UTC)) {
      made = Py_BuildValue("(NN)", PyObject_CallFunctionObjArgs(timezone_utcoffset, object, Py_None, NULL),
                           PyObject_CallFunctionObjArgs(timezone_tzname, object, Py_None, NULL));
    } else if (type == decimal_type) {
      made = decimal_text(object);
    } else {
      made = array_parts(object);
    }
    if (!keep(b, made))
      return;
    if (PyUnicode_CheckExact(made)) {
      put_str(b, made);
    } else {
      state.next_id++;
      if (PyList_CheckExact(made))
        put_list(b, '[', made, depth);
      else
        put_tuple(b, made, depth);
    }
  }
}

// is_known reports whether put_base can write instances of type.
static bool is_known(PyTypeObject *type) {
  return type == &PyBaseObject_Type || type == &_PyNamespace_Type || type == &PyLong_Type || type == &PyFloat_Type || type == &PyComplex_Type ||
         type == &PyUnicode_Type || type == &PyBytes_Type || type == &PyByteArray_Type || type == &PyList_Type || type == &PyTuple_Type ||
         type == &PySet_Type || type == &PyFrozenSet_Type || type == &PyDict_Type || type == &PyODict_Type || type == defaultdict_type ||
         type == deque_type || type == PyDateTimeAPI->DateTimeType || type == PyDateTimeAPI->DateType || type == PyDateTimeAPI->TimeType ||
         type == PyDateTimeAPI->DeltaType || type == Py_TYPE(PyDateTime_TimeZone_UTC) || type == decimal_type || type == array_type ||
         PyType_IsSubtype(type, (PyTypeObject *)PyExc_BaseException);
}

static void put_instance(buffer *b, PyObject *object, int depth) {
  PyTypeObject *base = Py_TYPE(object);
  while (from_class_statement(base))
    base = base->tp_base;
  bool known = is_known(base);
  if (!known && base == Py_TYPE(object)) {
    put_tagged_class(b, 'x', object);
    return;
  }
  if (!open_object(b, object))
    return;
  put_tagged_class(b, 'o', object);
  attributes own = {0};
  if (known) {
    put_base(b, object, base, &own, depth + 1);
  } else {
    put_byte(b, 'x');
    encode_class(b, base);
  }
  add_own(b, &own, object);
  if (claim(own.count, 0)) {
    qsort(own.items, own.count, sizeof *own.items, compare_names);
    put_uvarint(b, own.count);
    for (size_t i = 0; i < own.count && !b->failed; i++) {
      put_text(b, own.items[i].name, max_name);
      node(b, own.items[i].value, depth + 1);
    }
  } else {
    put_uvarint(b, 1);
    put_uvarint(b, 0);
    put_tagged_class(b, '+', object);
  }
  free(own.items);
}

// Functions and methods: their names.
static bool put_function(buffer *b, PyObject *object) {
  PyTypeObject *type = Py_TYPE(object);
  PyObject *module = NULL, *name = NULL, *inner = object;
  if (type == &PyMethod_Type)
    inner = PyMethod_GET_FUNCTION(object);
  if (Py_TYPE(inner) == &PyFunction_Type) {
    module = ((PyFunctionObject *)inner)->func_module;
    name = Py_NewRef(((PyFunctionObject *)inner)->func_qualname);
  } else if (PyCFunction_Check(inner)) {
    module = ((PyCFunctionObject *)inner)->m_module;
    name = PyUnicode_FromString(((PyCFunctionObject *)inner)->m_ml->ml_name);
  } else if (type == &PyMethodDescr_Type || type == &PyWrapperDescr_Type || type == &PyClassMethodDescr_Type) {
    name = PyUnicode_FromFormat("%s.%U", ((PyDescrObject *)object)->d_type->tp_name, ((PyDescrObject *)object)->d_name);
  } else {
    return false;
  }
  if (!keep(b, name))
    return true;
  put_tagged_class(b, 'L', object);
  put_qualified(b, module && PyUnicode_Check(module) ? module : NULL, name);
  return true;
}

// is_iterator reports whether object is an iterator of C: a generator, a map, a list's iterator.
static bool is_iterator(PyTypeObject *type) {
  return type->tp_iter == PyObject_SelfIter && type->tp_iternext && type->tp_iternext != _PyObject_NextNotImplemented;
}

static void put_iterator(buffer *b, PyObject *object) {
  uint32_t id = state.next_id;
  if (!open_object(b, object))
    return;
  put_tagged_class(b, 'g', object);
  if (state.generation >= max_generation)
    return;
  if (state.waiting_count == state.waiting_room) {
    state.waiting_room = state.waiting_room ? 2 * state.waiting_room : 16;
    struct waiting *larger = realloc(state.waiting, state.waiting_room * sizeof *larger);
    if (!larger) {
      state.waiting_room = state.waiting_count;
      b->failed = true;
      return;
    }
    state.waiting = larger;
  }
  state.waiting[state.waiting_count++] = (struct waiting){Py_NewRef(object), id, state.generation};
}

// node writes object, for which its container has claimed a node.
static void node(buffer *b, PyObject *object, int depth) {
  PyTypeObject *type = Py_TYPE(object);
  uint8_t tag;
  if (b->failed)
    return;
  if (object == Py_None) {
    put_byte(b, 'N');
  } else if (object == Py_True) {
    put_byte(b, 'T');
  } else if (object == Py_False) {
    put_byte(b, 'F');
  } else if (object == Py_Ellipsis) {
    put_byte(b, '.');
  } else if (object == Py_NotImplemented) {
    put_byte(b, '!');
  } else if (type == &PyLong_Type || type == &PyUnicode_Type || type == &PyFloat_Type || type == &PyBytes_Type || type == &PyComplex_Type) {
    put_base(b, object, type, NULL, depth);
  } else if (PyType_Check(object)) {
    put_byte(b, 'C');
    put_class_name(b, (PyTypeObject *)object);
  } else if (depth > max_depth) {
    put_tagged_class(b, '+', object);
  } else if (type == &PyList_Type || type == &PyTuple_Type || type == &PyDict_Type || type == &PySet_Type || type == &PyFrozenSet_Type ||
             type == &PyByteArray_Type) {
    if (open_object(b, object)) {
      state.next_id--; // put_base counts
      put_base(b, object, type, NULL, depth);
    }
  } else if ((tag = view_tag(type))) {
    PyObject *dict = (PyObject *)((_PyDictViewObject *)object)->dv_dict;
    if (open_object(b, object)) {
      if (dict)
        put_dict_items(b, tag, dict, depth);
      else
        put_byte(b, tag), put_uvarint(b, 0);
    }
  } else if (type == &PyRange_Type || type == &PySlice_Type) {
    if (!claim(3, 0)) {
      put_tagged_class(b, '+', object);
    } else if (open_object(b, object)) {
      // Both structs hold start, stop and step first.
      PySliceObject *bounds = (PySliceObject *)object;
      put_byte(b, type == &PyRange_Type ? 'R' : 'S');
      node(b, bounds->start, depth + 1);
      node(b, bounds->stop, depth + 1);
      node(b, bounds->step, depth + 1);
    }
  } else if (PyModule_Check(object)) {
    PyObject *name = ((PyModuleObject *)object)->md_name;
    put_byte(b, 'M');
    if (name && PyUnicode_Check(name))
      put_text(b, name, max_name);
    else
      put_uvarint(b, 0);
  } else if (put_function(b, object)) {
  } else if (is_iterator(type) && !from_class_statement(type)) {
    put_iterator(b, object);
  } else {
    put_instance(b, object, depth);
  }
}

// drain runs the next iterator that waits.
static void drain(buffer *b, struct waiting w, uint64_t items) {
  put_uvarint(b, w.id);
  PyObject *list = keep(b, PyList_New(0)), *item = NULL;
  uint8_t how = 1;
  while (list) {
    item = Py_TYPE(w.iterator)->tp_iternext(w.iterator);
    if (!item)
      break;
    if ((uint64_t)PyList_GET_SIZE(list) >= items || PyList_GET_SIZE(list) >= state.nodes) {
      Py_DECREF(item);
      break;
    }
    if (PyList_Append(list, item) < 0)
      Py_CLEAR(list);
    Py_DECREF(item);
  }
  PyObject *exception = PyErr_GetRaisedException();
  if (!item)
    how = exception && !PyErr_GivenExceptionMatches(exception, PyExc_StopIteration) ? 2 : 0;
  if (!list) {
    b->failed = true;
  } else {
    size_t count = (size_t)PyList_GET_SIZE(list);
    claim(count, 0);
    put_uvarint(b, count);
    state.generation = w.generation + 1;
    for (size_t i = 0; i < count; i++)
      node(b, PyList_GET_ITEM(list, (Py_ssize_t)i), 1);
    put_byte(b, how);
    if (how == 2)
      encode_class(b, Py_TYPE(exception));
  }
  Py_XDECREF(exception);
  keep(b, w.iterator);
}

void encode_begin(void) {
  state.next_id = 0;
  state.nodes = max_nodes;
  state.bytes = max_bytes;
  state.waiting_count = 0;
  state.kept = PyList_New(0);
}

void encode_end(void) {
  addresses_clear(&state.ids);
  addresses_clear(&state.classes);
  while (state.waiting_count)
    Py_DECREF(state.waiting[--state.waiting_count].iterator);
  free(state.waiting);
  state.waiting = NULL;
  state.waiting_room = 0;
  Py_CLEAR(state.kept);
}

void encode_value(buffer *b, PyObject *object, uint64_t items) {
  if (!state.kept) {
    PyErr_Clear();
    b->failed = true;
    return;
  }
  state.generation = 0;
  if (!object)
    put_byte(b, '-');
  else if (claim(1, 0))
    node(b, object, 0);
  else
    put_tagged_class(b, '+', object);
  // What is drained comes after a count that is known only then.
  buffer drained = {0};
  uint64_t count = 0;
  for (size_t i = 0; i < state.waiting_count && !b->failed; i++, count++)
    drain(&drained, state.waiting[i], items);
  state.waiting_count = 0;
  put_uvarint(b, count);
  put_bytes(b, drained.data, drained.size);
  b->failed = b->failed || drained.failed;
  free(drained.data);
}
