// A list of free ints of one digit, which programs make and drop all the time. longobject.c includes this.
static PyLongObject *free_ints; // linked by their first word
static int free_ints_length;

enum { most_free_ints = 100 };

static inline PyLongObject *take_int(void) {
  PyLongObject *v = free_ints;
  if (v == NULL)
    return PyObject_Malloc(sizeof(PyLongObject));
  free_ints = *(PyLongObject **)v;
  free_ints_length--;
  return v;
}

// free_int frees an int that is of no subclass. No int has less room than one digit needs.
void free_int(PyObject *v) {
  if (!_PyLong_IsCompact((PyLongObject *)v) || free_ints_length == most_free_ints) {
    PyObject_Free(v);
    return;
  }
  *(PyLongObject **)v = free_ints;
  free_ints = (PyLongObject *)v;
  free_ints_length++;
}

static inline bool free_exact_int(PyObject *v) {
  if (!PyLong_CheckExact(v))
    return false;
  free_int(v);
  return true;
}
