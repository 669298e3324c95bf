// The module _trees: what ast and tokenize do most often, in C. A program that is to be saved has it, which is what runs plugins: it puts these functions in the
// place of the library's. For other programs there is no such module. Results, their order and when they are computed are those of the functions of the same
// names in CPython's library.
#include "guest.h"

static PyObject *node_class; // ast.AST

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
    PyObject *names = PyObject_GetAttrString(f->node, "_fields");
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

static PyMethodDef functions[] = {
    {"iter_fields", iter_fields, METH_O, NULL},
    {"iter_child_nodes", iter_child_nodes, METH_O, NULL},
    {"walk", walk, METH_O, NULL},
    {"convert", convert, METH_VARARGS, NULL},
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
  PyObject *trees = node_class ? PyModule_Create(&definition) : NULL;
  int result = trees ? PyDict_SetItemString(PyImport_GetModuleDict(), "_trees", trees) : -1;
  Py_XDECREF(trees);
  return result;
}
