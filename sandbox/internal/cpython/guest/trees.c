// The module _trees: what ast and tokenize do most often, in C. A program that is to be saved has it, which is what runs plugins: it puts these functions in the
// place of the library's. For other programs there is no such module. Results, their order and when they are computed are those of the functions of the same
// names in CPython's library.
#include "guest.h"
#include "pycore_ceval.h"
#include "pycore_object.h"

static PyObject *node_class; // ast.AST

// Names of attributes, interned: the interpreter remembers where a class has such a name.
static PyObject *fields_name, *visit_name, *generic_visit_name, *class_name, *name_name, *value_name;

// An iterator over a node's fields (fields), or over the nodes in them (children). As in a generator, a field is read when its turn has come.
typedef struct {
  PyObject_HEAD
  PyObject *node;
  PyObject *names; // of the fields; NULL before the first step and after the last
  PyObject *items; // the list whose items are being returned, or NULL
  Py_ssize_t name, item;
  bool begun;
} fields;

static void fields_clear(fields *f) {
  Py_CLEAR(f->node);
  Py_CLEAR(f->names);
  Py_CLEAR(f->items);
}

static void fields_dealloc(fields *f) {
  fields_clear(f);
  Py_TYPE(f)->tp_free(f);
}

// fields_value returns the next field's value, and its name; NULL: there is none, or an error.
static PyObject *fields_value(fields *f, PyObject **name) {
  if (!f->begun) {
    f->begun = true;
    PyObject *names = PyObject_GetAttr(f->node, fields_name);
    f->names = names ? PySequence_Tuple(names) : NULL;
    Py_XDECREF(names);
  }
  PyObject *value = NULL;
  while (f->names && !value) {
    if (f->name == PyTuple_GET_SIZE(f->names)) {
      fields_clear(f);
      return NULL;
    }
    *name = PyTuple_GET_ITEM(f->names, f->name++);
    if (PyObject_GetOptionalAttr(f->node, *name, &value) < 0) {
      fields_clear(f);
      return NULL;
    }
  }
  return value;
}

static PyObject *fields_next(fields *f) {
  PyObject *name, *value = fields_value(f, &name);
  if (!value)
    return NULL;
  PyObject *pair = PyTuple_Pack(2, name, value);
  Py_DECREF(value);
  return pair;
}

static bool is_node(PyObject *object) { return PyObject_TypeCheck(object, (PyTypeObject *)node_class); }

static PyObject *children_next(fields *f) {
  for (;;) {
    if (f->items) {
      while (f->item < PyList_GET_SIZE(f->items)) { // which may have changed since the last step
        PyObject *item = PyList_GET_ITEM(f->items, f->item++);
        if (is_node(item))
          return Py_NewRef(item);
      }
      Py_CLEAR(f->items);
    }
    PyObject *name, *value = fields_value(f, &name);
    if (!value || is_node(value))
      return value;
    if (PyList_Check(value)) {
      f->items = value;
      f->item = 0;
    } else {
      Py_DECREF(value);
    }
  }
}

// An iterator over a node and all below it, level by level.
typedef struct {
  PyObject_HEAD
  PyObject *queue; // a list
  Py_ssize_t first; // of the queue that was not returned yet
} descendants;

static PyObject *new_fields(PyTypeObject *type, PyObject *node) {
  fields *f = PyObject_New(fields, type);
  if (!f)
    return NULL;
  f->node = Py_NewRef(node);
  f->names = f->items = NULL;
  f->name = f->item = 0;
  f->begun = false;
  return (PyObject *)f;
}

static PyTypeObject fields_type = {
    .ob_base = PyVarObject_HEAD_INIT(NULL, 0).tp_name = "generator",
    .tp_basicsize = sizeof(fields),
    .tp_dealloc = (destructor)fields_dealloc,
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_iter = PyObject_SelfIter,
    .tp_iternext = (iternextfunc)fields_next,
};

static PyTypeObject children_type = {
    .ob_base = PyVarObject_HEAD_INIT(NULL, 0).tp_name = "generator",
    .tp_basicsize = sizeof(fields),
    .tp_dealloc = (destructor)fields_dealloc,
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_iter = PyObject_SelfIter,
    .tp_iternext = (iternextfunc)children_next,
};

static void descendants_dealloc(descendants *d) {
  Py_XDECREF(d->queue);
  Py_TYPE(d)->tp_free(d);
}

// append_children appends a node's children to a list.
static int append_children(PyObject *list, PyObject *node) {
  PyObject *children = new_fields(&children_type, node);
  if (!children)
    return -1;
  int result = 0;
  for (PyObject *child; result == 0 && (child = children_next((fields *)children)) != NULL; Py_DECREF(child))
    result = PyList_Append(list, child);
  Py_DECREF(children);
  return result < 0 || PyErr_Occurred() ? -1 : 0;
}

static PyObject *descendants_next(descendants *d) {
  if (!d->queue)
    return NULL;
  if (d->first == PyList_GET_SIZE(d->queue)) {
    Py_CLEAR(d->queue);
    return NULL;
  }
  PyObject *node = Py_NewRef(PyList_GET_ITEM(d->queue, d->first));
  d->first++;
  if (append_children(d->queue, node) < 0) {
    Py_CLEAR(d->queue);
    Py_CLEAR(node);
    return NULL;
  }
  enum { many = 256 }; // then what was returned leaves the queue
  if (d->first >= many && d->first >= PyList_GET_SIZE(d->queue) / 2) {
    if (PyList_SetSlice(d->queue, 0, d->first, NULL) < 0)
      Py_CLEAR(node);
    d->first = 0;
  }
  return node;
}

static PyTypeObject descendants_type = {
    .ob_base = PyVarObject_HEAD_INIT(NULL, 0).tp_name = "generator",
    .tp_basicsize = sizeof(descendants),
    .tp_dealloc = (destructor)descendants_dealloc,
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_iter = PyObject_SelfIter,
    .tp_iternext = (iternextfunc)descendants_next,
};

// What stands in the place of ast.NodeVisitor's methods: functions in Python, so that classes and callers find what they expect. Where a walk in C meets one of
// them, it does here what they do. Such a call counts as theirs for Python's limit of recursion.
static struct {
  PyObject *visit, *generic_visit, *visit_constant;
  PyObject *names;     // "visit_" and its name, by class of nodes
  PyObject *constants; // the name of the older method for a constant, by class of values
} own;

static PyObject *call_method(PyObject *self, PyObject *name, PyObject *node);

static bool enter(PyThreadState *thread) {
  if (_Py_EnterRecursiveCallTstate(thread, ""))
    return false;
  if (thread->py_recursion_remaining-- > 0 || !_Py_CheckRecursiveCallPy(thread))
    return true;
  thread->py_recursion_remaining++;
  _Py_LeaveRecursiveCallTstate(thread);
  return false;
}

static void leave(PyThreadState *thread) {
  thread->py_recursion_remaining++;
  _Py_LeaveRecursiveCallTstate(thread);
}

// visitor_name returns the name of the method for a node.
static PyObject *visitor_name(PyObject *node) {
  PyObject *name;
  if (PyDict_GetItemRef(own.names, (PyObject *)Py_TYPE(node), &name) != 0)
    return name;
  PyObject *kind = PyObject_GetAttr(node, class_name), *own_name = kind ? PyObject_GetAttr(kind, name_name) : NULL;
  name = own_name ? PyUnicode_FromFormat("visit_%S", own_name) : NULL;
  if (name)
    PyUnicode_InternInPlace(&name);
  if (name && PyDict_SetItem(own.names, kind, name) < 0)
    Py_CLEAR(name);
  Py_XDECREF(own_name);
  Py_XDECREF(kind);
  return name;
}

static PyObject *visit(PyObject *self, PyObject *node) {
  PyThreadState *thread = PyThreadState_Get();
  if (!enter(thread))
    return NULL;
  PyObject *name = visitor_name(node), *result = NULL;
  if (name) {
    PyTypeObject *type = Py_TYPE(self);
    PyObject *found = type->tp_getattro == PyObject_GenericGetAttr ? _PyType_Lookup(type, name) : NULL, *visitor;
    if (found && PyFunction_Check(found)) {
      result = call_method(self, name, node);
    } else {
      int is = PyObject_GetOptionalAttr(self, name, &visitor);
      if (is > 0) {
        result = PyObject_CallOneArg(visitor, node);
        Py_DECREF(visitor);
      } else if (is == 0) {
        result = call_method(self, generic_visit_name, node);
      }
    }
    Py_DECREF(name);
  }
  leave(thread);
  return result;
}

// visit_children visits what is directly below a node.
static PyObject *visit_children(PyObject *self, PyObject *node) {
  PyThreadState *thread = PyThreadState_Get();
  if (!enter(thread)) // as iter_fields, a generator
    return NULL;
  leave(thread);
  fields f = {.node = Py_NewRef(node)};
  for (PyObject *child; (child = children_next(&f)) != NULL;) {
    PyObject *result = call_method(self, visit_name, child);
    Py_DECREF(child);
    if (!result)
      break;
    Py_DECREF(result);
  }
  fields_clear(&f);
  return PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
}

static PyObject *generic_visit(PyObject *self, PyObject *node) {
  PyThreadState *thread = PyThreadState_Get();
  if (!enter(thread))
    return NULL;
  PyObject *result = visit_children(self, node);
  leave(thread);
  return result;
}

// has_older reports whether there is one of the older methods for a constant's value, or what its class says of it; -1: an error.
static int has_older(PyObject *self, PyObject *node) {
  PyObject *value = PyObject_GetAttr(node, value_name), *name = NULL, *visitor;
  int has = value ? PyDict_GetItemRef(own.constants, (PyObject *)Py_TYPE(value), &name) : -1;
  Py_XDECREF(value);
  if (has <= 0)
    return has < 0 ? -1 : 1;
  has = PyObject_GetOptionalAttr(self, name, &visitor);
  Py_DECREF(name);
  if (has > 0)
    Py_DECREF(visitor);
  return has;
}

static PyObject *visit_constant(PyObject *self, PyObject *node) {
  PyThreadState *thread = PyThreadState_Get();
  if (!enter(thread))
    return NULL;
  int older = has_older(self, node);
  PyObject *result = older == 0 ? call_method(self, generic_visit_name, node) : NULL;
  leave(thread);
  PyObject *arguments[] = {self, node};
  return older > 0 ? PyObject_Vectorcall(own.visit_constant, arguments, 2, NULL) : result;
}

// call_method calls self's method with a node.
static PyObject *call_method(PyObject *self, PyObject *name, PyObject *node) {
  PyObject *method = NULL, *arguments[] = {self, node}, *result;
  int unbound = _PyObject_GetMethod(self, name, &method);
  if (!method)
    return NULL;
  if (!unbound)
    result = PyObject_CallOneArg(method, node);
  else if (method == own.visit)
    result = visit(self, node);
  else if (method == own.generic_visit)
    result = generic_visit(self, node);
  else if (method == own.visit_constant)
    result = visit_constant(self, node);
  else
    result = PyObject_Vectorcall(method, arguments, 2, NULL);
  Py_DECREF(method);
  return result;
}

// An iterator over tuples of another one, as objects of a class that derives from tuple.
typedef struct {
  PyObject_HEAD
  PyObject *from;
  PyTypeObject *type;
} converted;

static void converted_dealloc(converted *c) {
  Py_XDECREF(c->from);
  Py_XDECREF(c->type);
  Py_TYPE(c)->tp_free(c);
}

static PyObject *converted_next(converted *c) {
  PyObject *tuple = PyIter_Next(c->from);
  if (!tuple)
    return NULL;
  Py_ssize_t size = PyTuple_GET_SIZE(tuple);
  PyObject *made = c->type->tp_alloc(c->type, size);
  for (Py_ssize_t i = 0; made && i < size; i++)
    PyTuple_SET_ITEM(made, i, Py_NewRef(PyTuple_GET_ITEM(tuple, i)));
  Py_DECREF(tuple);
  return made;
}

static PyTypeObject converted_type = {
    .ob_base = PyVarObject_HEAD_INIT(NULL, 0).tp_name = "map",
    .tp_basicsize = sizeof(converted),
    .tp_dealloc = (destructor)converted_dealloc,
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_iter = PyObject_SelfIter,
    .tp_iternext = (iternextfunc)converted_next,
};

static PyObject *pair_of(Py_ssize_t first, Py_ssize_t second) {
  PyObject *pair = PyTuple_New(2), *a = PyLong_FromSsize_t(first), *b = PyLong_FromSsize_t(second);
  if (!pair || !a || !b) {
    Py_XDECREF(pair);
    Py_XDECREF(a);
    Py_XDECREF(b);
    return NULL;
  }
  PyTuple_SET_ITEM(pair, 0, a);
  PyTuple_SET_ITEM(pair, 1, b);
  return pair;
}

// new_token returns the tuple for a token, and takes over the reference to its text. CPython's tokenizer calls it.
PyObject *new_token(int type, PyObject *text, Py_ssize_t row, Py_ssize_t column, Py_ssize_t end_row, Py_ssize_t end_column, PyObject *line) {
  PyObject *items[] = {PyLong_FromLong(type), text, pair_of(row, column), pair_of(end_row, end_column), Py_NewRef(line)};
  enum { count = sizeof items / sizeof *items };
  PyObject *tuple = PyTuple_New(count);
  bool good = tuple != NULL;
  for (int i = 0; i < count; i++)
    good = good && items[i];
  for (int i = 0; i < count; i++) {
    if (good)
      PyTuple_SET_ITEM(tuple, i, items[i]);
    else
      Py_XDECREF(items[i]);
  }
  if (!good)
    Py_CLEAR(tuple);
  return tuple;
}

static PyObject *iter_fields(PyObject *self, PyObject *node) { return new_fields(&fields_type, node); }

static PyObject *iter_child_nodes(PyObject *self, PyObject *node) { return new_fields(&children_type, node); }

static PyObject *walk(PyObject *self, PyObject *node) {
  descendants *d = PyObject_New(descendants, &descendants_type);
  if (!d)
    return NULL;
  d->first = 0;
  d->queue = PyList_New(1);
  if (!d->queue) {
    Py_DECREF(d);
    return NULL;
  }
  PyList_SET_ITEM(d->queue, 0, Py_NewRef(node));
  return (PyObject *)d;
}

// convert(iterator, type) returns the iterator's tuples as objects of type.
static PyObject *convert(PyObject *self, PyObject *args) {
  PyObject *from;
  PyTypeObject *type;
  if (!PyArg_ParseTuple(args, "OO!", &from, &PyType_Type, &type))
    return NULL;
  if (!PyType_IsSubtype(type, &PyTuple_Type) || !PyIter_Check(from)) {
    PyErr_SetString(PyExc_TypeError, "expected an iterator and a class that derives from tuple");
    return NULL;
  }
  converted *c = PyObject_New(converted, &converted_type);
  if (!c)
    return NULL;
  c->from = Py_NewRef(from);
  c->type = (PyTypeObject *)Py_NewRef(type);
  return (PyObject *)c;
}

// visitors(visit, generic_visit, visit_Constant, names, constants) says what stands in the place of NodeVisitor's methods.
static PyObject *visitors(PyObject *self, PyObject *args) {
  if (!PyArg_ParseTuple(args, "O!O!O!O!O!", &PyFunction_Type, &own.visit, &PyFunction_Type, &own.generic_visit, &PyFunction_Type, &own.visit_constant,
                        &PyDict_Type, &own.names, &PyDict_Type, &own.constants))
    return NULL;
  Py_INCREF(args); // what it holds stays
  return Py_NewRef(Py_None);
}

// visit_below(self, node) is NodeVisitor.generic_visit.
static PyObject *visit_below(PyObject *self, PyObject *const *arguments, Py_ssize_t count) {
  if (count != 2) {
    PyErr_SetString(PyExc_TypeError, "expected a visitor and a node");
    return NULL;
  }
  return visit_children(arguments[0], arguments[1]);
}

static PyMethodDef functions[] = {
    {"iter_fields", iter_fields, METH_O, NULL},
    {"iter_child_nodes", iter_child_nodes, METH_O, NULL},
    {"walk", walk, METH_O, NULL},
    {"convert", convert, METH_VARARGS, NULL},
    {"visitors", visitors, METH_VARARGS, NULL},
    {"visit_below", (PyCFunction)(void (*)(void))visit_below, METH_FASTCALL, NULL},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, .m_name = "_trees", .m_size = -1, .m_methods = functions};

int trees_open(void) {
  PyTypeObject *types[] = {&fields_type, &children_type, &descendants_type, &converted_type};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
    if (PyType_Ready(types[i]) < 0)
      return -1;
  }
  PyObject *ast = PyImport_ImportModule("_ast");
  node_class = ast ? PyObject_GetAttrString(ast, "AST") : NULL;
  Py_XDECREF(ast);
  struct {
    PyObject **to;
    const char *text;
  } names[] = {{&fields_name, "_fields"}, {&visit_name, "visit"},      {&generic_visit_name, "generic_visit"},
               {&class_name, "__class__"}, {&name_name, "__name__"}, {&value_name, "value"}};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    *names[i].to = PyUnicode_InternFromString(names[i].text);
    if (!*names[i].to)
      return -1;
  }
  PyObject *trees = node_class ? PyModule_Create(&definition) : NULL;
  int result = trees ? PyDict_SetItemString(PyImport_GetModuleDict(), "_trees", trees) : -1;
  Py_XDECREF(trees);
  return result;
}
