// The exports: a program is run by exec, asked by call, ended by finish.
//
// The runner is C, so that a program finds nothing of it: its module's frame is the outermost one, as under a CPython that was started with its file,
// and what the runner holds is in C variables, where neither gc nor inspect looks.
#include <stdlib.h>
#include <string.h>

#include "guest.h"

#include <marshal.h>

#include "internal/pycore_interp.h"
#include "internal/pycore_pylifecycle.h"

#define EXPORT(name) __attribute__((export_name(name)))

enum { wants_coverage = 1, wants_traceback = 2, has_code = 4, wants_trees = 8 };
enum { program_text, statements_text, expression_text };
enum { done, raised, exited };
enum { max_text = 64 << 10 };

static const char program_name[] = "/program.py";
static PyObject *program_file; // the name as a str
static PyObject *loader_class, *format_exception, *equip_function;
static PyObject *standard_output, *standard_error; // as they were at boot
static PyObject *flush;
static PyObject *call_file, *warnings, *no_warnings, *except_hook;

static PyObject *module; // __main__
static buffer reply;
static char *request;
static int flags;
static bool end_is_shown; // of the program, as CPython shows it

EXPORT("allocate") void *allocate(uint32_t size) {
  free(request);
  return request = malloc((size_t)size + 1); // and a NUL
}

// Ends.

static void flush_output(void) {
  // By the type's own flush: the instances have dicts that a program can write to.
  PyObject *streams[] = {standard_output, standard_error};
  for (int i = 0; i < 2; i++) {
    PyObject *result = PyObject_CallOneArg(flush, streams[i]);
    if (!result)
      PyErr_Clear();
    Py_XDECREF(result);
  }
}

static int in_program(PyCodeObject *code) {
  return PyUnicode_Check(code->co_filename) && (code->co_filename == program_file || PyUnicode_Compare(code->co_filename, program_file) == 0);
}

static int program_line(PyObject *exception) {
  int line = 0;
  PyObject *first = PyException_GetTraceback(exception);
  for (PyTracebackObject *at = (PyTracebackObject *)first; at; at = at->tb_next) {
    PyCodeObject *code = PyFrame_GetCode(at->tb_frame);
    if (in_program(code))
      line = at->tb_lineno >= 0 ? at->tb_lineno : PyCode_Addr2Line(code, at->tb_lasti);
    Py_DECREF(code);
  }
  Py_XDECREF(first);
  if (PyType_IsSubtype(Py_TYPE(exception), (PyTypeObject *)PyExc_SyntaxError)) {
    PySyntaxErrorObject *syntax = (PySyntaxErrorObject *)exception;
    if (syntax->lineno && PyLong_CheckExact(syntax->lineno) && syntax->filename && PyUnicode_Check(syntax->filename) &&
        PyUnicode_Compare(syntax->filename, program_file) == 0)
      line = (int)PyLong_AsLong(syntax->lineno);
  }
  PyErr_Clear();
  return line > 0 ? line : 0;
}

static void put_str_of(PyObject *object) {
  PyObject *text = PyObject_Str(object);
  if (text) {
    put_text(&reply, text, max_text);
    Py_DECREF(text);
    return;
  }
  static const char failed[] = "<exception str() failed>"; // as traceback has it
  PyErr_Clear();
  put_uvarint(&reply, sizeof failed - 1);
  put_bytes(&reply, failed, sizeof failed - 1);
}

static void put_traceback(PyObject *exception) {
  PyObject *text = NULL;
  if (flags & wants_traceback) {
    // The library's code that formats is not for the program's tracer.
    PyThreadState *thread = PyThreadState_Get();
    PyThreadState_EnterTracing(thread);
    PyObject *lines = PyObject_CallOneArg(format_exception, exception), *empty = PyUnicode_FromString("");
    text = lines && empty ? PyUnicode_Join(empty, lines) : NULL;
    PyThreadState_LeaveTracing(thread);
    Py_XDECREF(lines);
    Py_XDECREF(empty);
    PyErr_Clear();
  }
  if (text && PyUnicode_Check(text))
    put_text(&reply, text, max_text);
  else
    put_uvarint(&reply, 0);
  Py_XDECREF(text);
}

// put_end writes how it ended: exception is what was raised, or NULL.
static void put_end(PyObject *exception) {
  if (!exception) {
    put_byte(&reply, done);
    return;
  }
  bool exit = PyType_IsSubtype(Py_TYPE(exception), (PyTypeObject *)PyExc_SystemExit);
  put_byte(&reply, exit ? exited : raised);
  encode_class(&reply, Py_TYPE(exception));
  PyObject *code = exit ? ((PySystemExitObject *)exception)->code : NULL;
  put_str_of(exit && code ? code : exception);
  put_uvarint(&reply, (uint64_t)program_line(exception));
  put_traceback(exception);
  if (exit) {
    // What handle_system_exit of CPython makes of it.
    int status = 1;
    if (!code || code == Py_None)
      status = 0;
    else if (PyLong_Check(code))
      status = (int)PyLong_AsLong(code);
    PyErr_Clear();
    put_uvarint(&reply, (uint8_t)status);
  }
}

static void begin_reply(void) {
  reply.size = 0;
  reply.failed = false;
  encode_begin();
}

static uint64_t reply_place(void) { return reply.failed ? 0 : (uint64_t)(uintptr_t)reply.data << 32 | reply.size; }

// finish_reply ends what begin_reply began, and returns where the reply is. What the reply says of values lives until now, so it may run __del__.
// If there was no memory for the reply it becomes a MemoryError without values, of which so many are expected.
static uint64_t finish_reply(uint64_t values) {
  encode_end();
  flush_output();
  if (reply.failed) {
    static const char error[] = "\1\0\x0bMemoryError\0\0"; // class, text, line and traceback
    reply.failed = false;
    reply.size = 0; // the room that there was is there still
    put_bytes(&reply, error, sizeof error);
    for (uint64_t i = 0; i < values; i++)
      put_bytes(&reply, "-", 2);
  }
  if (flags & wants_coverage)
    coverage_put(&reply);
  return reply_place();
}

// Requests. The host wrote them; a damaged one is refused all the same.

typedef struct {
  const uint8_t *at, *end;
  bool failed;
} reader;

static uint64_t read_uvarint(reader *r) {
  uint64_t value = 0;
  for (int shift = 0; r->at < r->end && shift < 64; shift += 7) {
    uint8_t byte = *r->at++;
    value |= (uint64_t)(byte & 0x7f) << shift;
    if (byte < 0x80)
      return value;
  }
  r->failed = true;
  return 0;
}

// The program.

static int set(PyObject *dict, const char *name, PyObject *value) {
  int status = value ? PyDict_SetItemString(dict, name, value) : -1;
  Py_XDECREF(value);
  return status;
}

// new_main makes the module __main__ of a program, with what a CPython that is started with a file gives it.
static int new_main(const char *source, size_t size) {
  Py_XSETREF(module, PyModule_New("__main__"));
  if (!module)
    return -1;
  PyObject *dict = PyModule_GetDict(module);
  PyObject *bytes = PyBytes_FromStringAndSize(source, (Py_ssize_t)size);
  if (!bytes || set(dict, "__loader__", PyObject_CallFunctionObjArgs(loader_class, bytes, NULL)) < 0 || set(dict, "__annotations__", PyDict_New()) < 0 ||
      set(dict, "__builtins__", PyImport_ImportModule("builtins")) < 0 || set(dict, "__file__", Py_NewRef(program_file)) < 0 ||
      set(dict, "__cached__", Py_NewRef(Py_None)) < 0) {
    Py_XDECREF(bytes);
    return -1;
  }
  Py_DECREF(bytes);
  return PyDict_SetItemString(PyImport_GetModuleDict(), "__main__", module);
}

// compile_silently compiles text, which ends with a NUL. What the compiler warns of ("invalid escape sequence") is not shown.
static PyObject *compile_silently(const char *text, PyObject *file, int start, PyCompilerFlags *compiler_flags) {
  PyObject *shown = PyObject_GetAttrString(warnings, "filters");
  if (!shown)
    PyErr_Clear();
  PyObject_SetAttrString(warnings, "filters", no_warnings);
  PyObject *code = Py_CompileStringObject(text, file, start, compiler_flags, -1);
  PyObject *exception = PyErr_GetRaisedException();
  if (shown)
    PyObject_SetAttrString(warnings, "filters", shown);
  Py_XDECREF(shown);
  PyErr_SetRaisedException(exception);
  return code;
}

static PyObject *compile_source(const char *source, size_t size) {
  if (memchr(source, 0, size)) {
    PyErr_SetString(PyExc_SyntaxError, "source code cannot contain null bytes");
    return NULL;
  }
  PyCompilerFlags none = _PyCompilerFlags_INIT;
  if (end_is_shown) // an ordinary program: so are warnings
    return Py_CompileStringObject(source, program_file, Py_file_input, &none, -1);
  return compile_silently(source, program_file, Py_file_input, &none);
}

// compile_call compiles what a call has: statements or an expression, which end with a NUL.
static PyObject *compile_call(const char *text, size_t size, int start) {
  if (strlen(text) != size) {
    PyErr_SetString(PyExc_SyntaxError, "source code string cannot contain null bytes");
    return NULL;
  }
  PyCompilerFlags utf8 = {.cf_flags = PyCF_SOURCE_IS_UTF8 | PyCF_IGNORE_COOKIE, .cf_feature_version = PY_MINOR_VERSION};
  return compile_silently(text, call_file, start, &utf8);
}

// damaged says that a request is none.
static void damaged(void) { PyErr_SetString(PyExc_SystemError, "damaged request"); }

// load returns what is marshalled in data: code, or the value of an expression.
static PyObject *load(const char *data, size_t size, bool is_value) {
  PyObject *object = PyMarshal_ReadObjectFromString(data, (Py_ssize_t)size);
  if (object && !is_value && !PyCode_Check(object)) {
    Py_DECREF(object);
    damaged();
    return NULL;
  }
  return object;
}

// run_main runs a program: source, or, with has_code, the length of its source, the source and its code.
static PyObject *run_main(char *data, size_t size) {
  reader r = {(const uint8_t *)data, (const uint8_t *)data + size, false};
  uint64_t length = flags & has_code ? read_uvarint(&r) : size;
  if (r.failed || length > (size_t)(r.end - r.at)) {
    damaged();
    return NULL;
  }
  const char *source = (const char *)r.at, *compiled = source + length;
  if (new_main(source, length) < 0)
    return NULL;
  PyObject *code;
  if (flags & has_code) {
    code = load(compiled, (size_t)((const char *)r.end - compiled), false);
  } else {
    data[size] = 0;
    code = compile_source(data, size);
  }
  if (!code || (flags & wants_coverage && coverage_begin(code) < 0)) {
    Py_XDECREF(code);
    return NULL;
  }
  PyObject *dict = PyModule_GetDict(module), *result = PyEval_EvalCode(code, dict, dict);
  Py_DECREF(code);
  return result;
}

// call_hook calls the program's own sys.excepthook, if it has set one: CPython would, and what it prints is the program's output.
static void call_hook(PyObject *exception) {
  PyObject *hook = PySys_GetObject("excepthook");
  if (!hook || hook == except_hook || PyType_IsSubtype(Py_TYPE(exception), (PyTypeObject *)PyExc_SystemExit))
    return;
  Py_INCREF(hook);
  PyObject *traceback = PyException_GetTraceback(exception);
  PyObject *result = PyObject_CallFunctionObjArgs(hook, Py_TYPE(exception), exception, traceback ? traceback : Py_None, NULL);
  Py_XDECREF(result);
  Py_XDECREF(traceback);
  Py_DECREF(hook);
  PyErr_Clear();
}

// show_end does what CPython does at the end of a program that an exception leaves: it calls sys.excepthook, or prints what sys.exit was given.
static void show_end(PyObject *exception) {
  PyThreadState *thread = PyThreadState_Get();
  if (PyType_IsSubtype(Py_TYPE(exception), (PyTypeObject *)PyExc_SystemExit)) {
    PyObject *code = ((PySystemExitObject *)exception)->code, *out = PySys_GetObject("stderr");
    if (code && code != Py_None && !PyLong_Check(code) && out && out != Py_None) {
      PyFile_WriteObject(code, out, Py_PRINT_RAW);
      PyErr_Clear();
      PyFile_WriteString("\n", out);
    }
    PyErr_Clear();
    return;
  }
  PyThreadState_EnterTracing(thread);
  PyErr_SetRaisedException(Py_NewRef(exception));
  PyErr_PrintEx(1);
  PyErr_Clear();
  PyThreadState_LeaveTracing(thread);
}

EXPORT("exec") uint64_t exec_program(int wants, char *source, uint32_t size) {
  flags = wants;
  begin_reply();
  PyObject *result = flags & wants_trees && trees_open() < 0 ? NULL : run_main(source, size);
  PyObject *exception = PyErr_GetRaisedException();
  Py_XDECREF(result);
  free(request);
  request = NULL;
  put_end(exception);
  if (exception && end_is_shown)
    show_end(exception);
  else if (exception)
    call_hook(exception);
  Py_XDECREF(exception);
  return finish_reply(0);
}

// compile_text compiles a text for exec or call of another instance, and replies with its code: what an instance is to run need not be compiled in it.
// A program's code is written with references, so that constants that are one object are one again. A call's is written without: which objects are referred
// to depends on what else refers to them, and so on what was compiled before.
EXPORT("compile") uint64_t compile_text(int kind, char *text, uint32_t size) {
  flags = 0;
  begin_reply();
  text[size] = 0;
  bool program = kind == program_text;
  PyObject *code = program ? compile_source(text, size) : compile_call(text, size, kind == statements_text ? Py_file_input : Py_eval_input);
  PyObject *written = code ? PyMarshal_WriteObjectToString(code, program ? Py_MARSHAL_VERSION : 2) : NULL;
  PyObject *exception = PyErr_GetRaisedException();
  put_end(exception);
  if (written)
    put_bytes(&reply, PyBytes_AS_STRING(written), (size_t)PyBytes_GET_SIZE(written));
  Py_XDECREF(exception);
  Py_XDECREF(written);
  Py_XDECREF(code);
  free(request);
  request = NULL;
  return finish_reply(0);
}

// copy_string returns a copy of the next size bytes, with a NUL after it.
static char *copy_string(reader *r, uint64_t size) {
  if (r->failed || size > (uint64_t)(r->end - r->at)) {
    r->failed = true;
    return NULL;
  }
  const uint8_t *from = r->at;
  r->at += size;
  char *text = malloc((size_t)size + 1);
  if (!text) {
    PyErr_NoMemory();
    return NULL;
  }
  memcpy(text, from, (size_t)size);
  text[size] = 0;
  if (strlen(text) != size) {
    PyErr_SetString(PyExc_SyntaxError, "source code string cannot contain null bytes");
    free(text);
    return NULL;
  }
  return text;
}

static char *read_string(reader *r) {
  uint64_t size = read_uvarint(r);
  return copy_string(r, size);
}

static void skip_string(reader *r) {
  uint64_t size = read_uvarint(r);
  if (size > (uint64_t)(r->end - r->at))
    r->failed = true;
  else
    r->at += size;
}

// A text of a call is its length and whether it is compiled, 2 * length + is_compiled, and that many bytes.

static void skip_text(reader *r) {
  uint64_t size = read_uvarint(r) >> 1;
  if (size > (uint64_t)(r->end - r->at))
    r->failed = true;
  else
    r->at += size;
}

// evaluate evaluates an expression (start: Py_eval_input) or runs statements (Py_file_input) in the program's namespace; locals is NULL, or names that
// it sees before those.
static PyObject *evaluate(reader *r, int start, PyObject *locals) {
  uint64_t head = read_uvarint(r);
  PyObject *code = NULL;
  if (r->failed || head >> 1 > (uint64_t)(r->end - r->at)) {
    r->failed = true;
  } else if (head & 1) {
    code = load((const char *)r->at, head >> 1, start == Py_eval_input);
    r->at += head >> 1;
  } else {
    char *text = copy_string(r, head >> 1);
    code = text ? compile_call(text, head >> 1, start) : NULL;
    free(text);
  }
  if (!code || !PyCode_Check(code))
    return code; // the value itself
  PyObject *dict = PyModule_GetDict(module), *value = PyEval_EvalCode(code, dict, locals ? locals : dict);
  Py_DECREF(code);
  return value;
}

// bind reads the bindings of a request into locals, until one raises. If locals is NULL it passes over them.
static int bind(reader *r, PyObject *locals) {
  int status = locals ? 0 : -1;
  uint64_t count = read_uvarint(r);
  for (uint64_t i = 0; i < count && !r->failed; i++) {
    if (status < 0) {
      skip_string(r);
      skip_text(r);
      continue;
    }
    char *text = read_string(r);
    PyObject *name = text ? PyUnicode_FromString(text) : NULL;
    free(text);
    PyObject *value = NULL;
    if (name)
      value = evaluate(r, Py_eval_input, NULL);
    else
      skip_text(r);
    status = value ? PyDict_SetItem(locals, name, value) : -1;
    Py_XDECREF(name);
    Py_XDECREF(value);
  }
  return status;
}

EXPORT("call") uint64_t call(const uint8_t *from, uint32_t size) {
  begin_reply();
  coverage_restart();
  reader r = {from, from + size, false};
  uint64_t items = read_uvarint(&r);
  reader statements = r;
  skip_text(&r);
  // The expression stands before the bindings; it is evaluated after them.
  reader expression = r;
  skip_text(&r);
  bool wants_value = r.at > expression.at + 1, good = false;
  PyObject *locals = PyDict_New(), *value = NULL;
  if (locals && module && !r.failed) {
    good = true;
    if (expression.at > statements.at + 1) {
      PyObject *result = evaluate(&statements, Py_file_input, NULL);
      good = result != NULL;
      Py_XDECREF(result);
    }
    good = bind(&r, good ? locals : NULL) == 0 && good && !r.failed;
    if (good && wants_value) {
      value = evaluate(&expression, Py_eval_input, locals);
      good = value != NULL;
    }
  }
  if (!good && !PyErr_Occurred())
    damaged();
  PyObject *exception = PyErr_GetRaisedException();
  put_end(exception);
  if (good)
    encode_value(&reply, value, items);
  uint64_t names = read_uvarint(&r);
  for (uint64_t i = 0; i < names && !r.failed; i++) {
    char *text = read_string(&r);
    PyObject *name = text ? PyUnicode_FromString(text) : NULL;
    free(text);
    encode_value(&reply, name && locals ? PyDict_GetItemWithError(locals, name) : NULL, items);
    Py_XDECREF(name);
    PyErr_Clear();
  }
  Py_XDECREF(value);
  Py_XDECREF(locals);
  Py_XDECREF(exception);
  free(request);
  request = NULL;
  return finish_reply(names);
}

EXPORT("finish") uint64_t finish(void) {
  begin_reply();
  coverage_restart();
  if (has_machine) { // as Py_FinalizeEx does first
    PyObject *threading = PyDict_GetItemString(PyImport_GetModuleDict(), "threading");
    PyObject *result = threading ? PyObject_CallMethod(threading, "_shutdown", NULL) : NULL;
    if (threading && !result)
      PyErr_WriteUnraisable(threading);
    Py_XDECREF(result);
    PyErr_Clear();
  }
  _PyAtExit_Call(PyInterpreterState_Get());
  PyErr_Clear();
  flush_output();
  // The end of the namespace: what only it holds, then what holds itself.
  PyDict_DelItemString(PyImport_GetModuleDict(), "__main__");
  PyErr_Clear();
  Py_CLEAR(module);
  PyGC_Collect();
  PyErr_Clear();
  put_end(NULL);
  return finish_reply(0);
}

// equip gives the program that is to be run a machine: how much memory it may have, its file, the folder that it is in, and its arguments, of which the
// first is its name. It returns 0, or -1.
EXPORT("equip") int equip(const uint8_t *from, uint32_t size) {
  reader r = {from, from + size, false};
  uint64_t memory = read_uvarint(&r);
  char *file = read_string(&r), *folder = read_string(&r);
  uint64_t count = read_uvarint(&r);
  PyObject *arguments = PyList_New(0), *path = file ? PyUnicode_DecodeFSDefault(file) : NULL, *result = NULL;
  for (uint64_t i = 0; i < count && !r.failed && arguments; i++) {
    char *text = read_string(&r);
    PyObject *argument = text ? PyUnicode_DecodeFSDefault(text) : NULL;
    if (!argument || PyList_Append(arguments, argument) < 0)
      r.failed = true;
    Py_XDECREF(argument);
    free(text);
  }
  if (!r.failed && folder && path && arguments && machine_start() == 0) {
    Py_XSETREF(program_file, Py_NewRef(path));
    result = PyObject_CallFunction(equip_function, "OsO", path, folder, arguments);
  }
  if (!result)
    PyErr_Print();
  bool good = result != NULL;
  Py_XDECREF(result);
  Py_XDECREF(path);
  Py_XDECREF(arguments);
  free(file);
  free(folder);
  free(request);
  request = NULL;
  limit_memory(memory);
  end_is_shown = true;
  flush_output();
  return good ? 0 : -1;
}

// Boot.

static int check(PyStatus status) {
  if (!PyStatus_Exception(status))
    return 0;
  fprintf(stderr, "boot: %s\n", status.err_msg ? status.err_msg : "CPython did not start");
  return -1;
}

static int start(void) {
  PyPreConfig before;
  PyPreConfig_InitPythonConfig(&before);
  before.use_environment = 0;
  before.coerce_c_locale = 0;
  before.utf8_mode = 0;
  if (check(Py_PreInitialize(&before)) < 0)
    return -1;
  PyConfig config;
  PyConfig_InitPythonConfig(&config);
  config.use_environment = 0;
  config.user_site_directory = 0;
  config.site_import = 0;
  config.write_bytecode = 0;
  config.install_signal_handlers = 0;
  config.pathconfig_warnings = 0;
  config.parse_argv = 0;
  config.use_hash_seed = 1;
  config.hash_seed = 0;
  config.module_search_paths_set = 1;
  wchar_t *argv[] = {L"/program.py"};
  PyStatus status;
  if (check(status = PyConfig_SetArgv(&config, 1, argv)) < 0 || check(status = PyConfig_SetString(&config, &config.stdio_encoding, L"utf-8")) < 0 ||
      check(status = PyConfig_SetString(&config, &config.stdio_errors, L"strict")) < 0 ||
      check(status = PyConfig_SetString(&config, &config.filesystem_encoding, L"utf-8")) < 0 ||
      check(status = PyConfig_SetString(&config, &config.filesystem_errors, L"surrogateescape")) < 0 ||
      check(status = PyConfig_SetString(&config, &config.executable, L"")) < 0 || check(status = PyConfig_SetString(&config, &config.prefix, L"/py")) < 0 ||
      check(status = PyConfig_SetString(&config, &config.exec_prefix, L"/py")) < 0 ||
      check(status = PyConfig_SetString(&config, &config.base_prefix, L"/py")) < 0 ||
      check(status = PyConfig_SetString(&config, &config.base_exec_prefix, L"/py")) < 0 ||
      check(status = PyConfig_SetString(&config, &config.base_executable, L"")) < 0)
    return -1;
  status = Py_InitializeFromConfig(&config);
  PyConfig_Clear(&config);
  return check(status);
}

static uint32_t take_u32(const char **at) {
  uint32_t value;
  memcpy(&value, *at, sizeof value);
  *at += sizeof value;
  return value;
}

// boot starts CPython and runs the library's boot code. The size bytes at library, which library.py describes, stay for good.
EXPORT("boot") int boot(const char *library, uint32_t size) {
  request = NULL; // never freed
  const char *end = library + size;
  uint32_t count = take_u32(&library);
  struct _frozen *needed = calloc(count + 1, sizeof *needed);
  if (!needed)
    return -1;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t length = take_u32(&library);
    needed[i].name = library;
    library += length + 1;
    needed[i].is_package = (int)take_u32(&library);
    needed[i].size = (int)take_u32(&library);
    needed[i].code = (const unsigned char *)library;
    library += needed[i].size;
  }
  PyImport_FrozenModules = needed;
  if (start() < 0)
    return -1;
  uint32_t length = take_u32(&library);
  PyObject *code = PyMarshal_ReadObjectFromString(library, (Py_ssize_t)length);
  PyObject *names = PyDict_New();
  PyObject *rest = PyMemoryView_FromMemory((char *)library + length, end - library - (Py_ssize_t)length, PyBUF_READ);
  program_file = PyUnicode_InternFromString(program_name);
  if (!code || !names || !rest || !program_file || PyDict_SetItemString(names, "library", rest) < 0 || machine_boot(names) < 0 ||
      set(names, "__builtins__", PyImport_ImportModule("builtins")) < 0 || set(names, "__name__", PyUnicode_FromString("boot")) < 0)
    goto failed;
  PyObject *result = PyEval_EvalCode(code, names, names);
  if (!result)
    goto failed;
  Py_DECREF(result);
  loader_class = Py_XNewRef(PyDict_GetItemString(names, "ProgramLoader"));
  format_exception = Py_XNewRef(PyDict_GetItemString(names, "format_exception"));
  equip_function = Py_XNewRef(PyDict_GetItemString(names, "equip"));
  standard_output = Py_XNewRef(PySys_GetObject("stdout"));
  standard_error = Py_XNewRef(PySys_GetObject("stderr"));
  flush = standard_output ? PyObject_GetAttrString((PyObject *)Py_TYPE(standard_output), "flush") : NULL;
  except_hook = Py_XNewRef(PySys_GetObject("excepthook"));
  call_file = PyUnicode_InternFromString("<call>");
  warnings = PyImport_ImportModule("warnings");
  no_warnings = Py_BuildValue("[(sOOOi)]", "ignore", Py_None, PyExc_Warning, Py_None, 0);
  if (!loader_class || !format_exception || !equip_function || !standard_error || !flush || !call_file || !warnings || !no_warnings || coverage_boot() < 0)
    goto failed;
  encode_boot();
  Py_DECREF(code);
  Py_DECREF(names);
  Py_DECREF(rest);
  PyDict_DelItemString(PyImport_GetModuleDict(), "__main__");
  PyErr_Clear();
  return 0;
failed:
  PyErr_Print();
  return -2;
}

// settle is called after boot and after the programs that warm CPython up: what there is now is everybody's, and no collection looks at it again.
EXPORT("settle") int settle(void) {
  flush_output();
  PyDict_DelItemString(PyImport_GetModuleDict(), "__main__");
  PyErr_Clear();
  Py_CLEAR(module);
  free(reply.data);
  reply = (buffer){0};
  free(request);
  request = NULL;
  PyGC_Collect();
  PyObject *gc = PyImport_ImportModule("gc");
  PyObject *result = gc ? PyObject_CallMethod(gc, "freeze", NULL) : NULL;
  Py_XDECREF(gc);
  Py_XDECREF(result);
  return result ? 0 : -1;
}
