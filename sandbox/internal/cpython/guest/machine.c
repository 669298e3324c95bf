// The machine that an ordinary program has, where a program under judgement has none: threads, alarms, arguments, a folder, a limit of memory.
//
// Threads take turns. Each has a stack in memory, and another of the host, which switches between them; one runs, and it runs until it waits, ends, or
// has had its slice of time while another is ready. The clock moves with what a program does, so who runs when is a property of the program.
//
// CPython's stubs of pthread call what is here (the build edits them): whatever waits in CPython waits on a condition. A wait that nothing can end raises
// RuntimeError in the main thread. Without a machine there is one thread: a wait with a deadline lets time pass, and a wait without one raises.
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <wasi/libc.h>

#include "guest.h"

#include "internal/pycore_ceval.h"
#include "internal/pycore_interp.h"
#include "internal/pycore_runtime.h"

#define EXPORT(name) __attribute__((export_name(name)))
#define IMPORT(name) __attribute__((import_module("machine"), import_name(name)))

// spawn makes the host ready to run a thread, with its stack's end; turn_to runs another thread until that turns to this one.
IMPORT("spawn") void host_spawn(uint32_t thread, void *stack_end);
IMPORT("turn_to") void host_turn_to(uint32_t thread);

typedef uint64_t nanoseconds; // of the realtime clock

enum { ticks = 1000 };                       // backward jumps and calls between two looks at the clock
enum { slice = 5000000 };                    // nanoseconds that a thread may run while another is ready
enum { stack_size = 4 << 20, max_threads = 2000 };
#define NEVER UINT64_MAX

extern _Thread_local PyThreadState *_Py_tss_tstate;
typedef __typeof__(_PyRuntime.threads.stubs.tls_entries[0]) local;

typedef struct thread {
  uint32_t id;
  struct thread *next;   // in the queue that it is in
  const void *condition; // that it waits for
  nanoseconds due;       // when it stops waiting; NEVER
  int result;            // of its wait
  void *(*start)(void *);
  void *argument;
  char *stack;
  // What is one variable in C and should be one for each thread, while another runs.
  PyThreadState *state;
  int number; // errno
  local locals[PTHREAD_KEYS_MAX];
} thread;

typedef struct {
  thread *first, *last;
} queue;

bool has_machine;
int machine_ticks; // left until machine_tick

static thread main_thread = {.due = NEVER};
static thread *current = &main_thread;
static queue ready, waiting; // the longest first
static uint32_t thread_count;
static char *spare_stacks; // each begins with the next
static nanoseconds slice_began;

static struct {
  nanoseconds due, interval;
} alarm_clock = {NEVER, 0};

static nanoseconds now(void) {
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  return (nanoseconds)t.tv_sec * 1000000000 + (nanoseconds)t.tv_nsec;
}

static nanoseconds from_timespec(const struct timespec *t) {
  if (t->tv_sec < 0)
    return 0;
  if ((uint64_t)t->tv_sec > UINT64_C(10000000000))
    return NEVER - 1;
  return (nanoseconds)t->tv_sec * 1000000000 + (nanoseconds)t->tv_nsec;
}

int __real_clock_nanosleep(clockid_t, int, const struct timespec *, struct timespec *);

static void let_time_pass(nanoseconds until) {
  struct timespec t = {.tv_sec = (time_t)(until / 1000000000), .tv_nsec = (long)(until % 1000000000)};
  __real_clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &t, NULL);
}

static void append(queue *q, thread *t) {
  t->next = NULL;
  if (q->last)
    q->last->next = t;
  else
    q->first = t;
  q->last = t;
}

static void take_out(queue *q, thread *t) {
  thread *before = NULL;
  for (thread *at = q->first; at; before = at, at = at->next) {
    if (at != t)
      continue;
    if (before)
      before->next = t->next;
    else
      q->first = t->next;
    if (q->last == t)
      q->last = before;
    return;
  }
}

// wake ends a thread's wait.
static void wake(thread *t, int result) {
  take_out(&waiting, t);
  t->result = result;
  t->due = NEVER;
  append(&ready, t);
}

static bool is_waiting(const thread *t) {
  for (const thread *at = waiting.first; at; at = at->next)
    if (at == t)
      return true;
  return false;
}

// ring has the alarm's signal come. It returns whether the main thread was woken by it.
static void ring(nanoseconds at) {
  alarm_clock.due = alarm_clock.interval ? at + alarm_clock.interval : NEVER;
  if (PyOS_getsig(SIGALRM) == SIG_DFL)
    _exit(128 + SIGALRM); // as a shell sees a process that the signal ended
  if (PyErr_SetInterruptEx(SIGALRM) == 0 && is_waiting(&main_thread))
    wake(&main_thread, main_thread.condition ? 0 : EINTR);
}

// look_at_clock wakes whose time has come.
static void look_at_clock(void) {
  if (!waiting.first && alarm_clock.due == NEVER)
    return;
  nanoseconds at = now();
  if (alarm_clock.due <= at)
    ring(at);
  for (;;) {
    thread *first = NULL;
    for (thread *t = waiting.first; t; t = t->next)
      if (t->due <= at && (!first || t->due < first->due))
        first = t;
    if (!first)
      return;
    wake(first, first->condition ? ETIMEDOUT : 0);
  }
}

static bool hopeless; // somebody waits for what cannot happen, and was not told yet

static int tell(void *unused) {
  hopeless = false;
  PyErr_SetString(PyExc_RuntimeError,
                  has_machine ? "deadlock: all threads wait for what cannot happen" : "a lock is waited for that nobody can release: there is one thread");
  return -1;
}

static void give_up(void) {
  if (hopeless || Py_AddPendingCall(tell, NULL) < 0)
    Py_FatalError("a lock of the interpreter is waited for that nobody can release");
  hopeless = true;
}

// pick returns the thread that runs next, after letting time pass if it must.
static thread *pick(void) {
  look_at_clock();
  while (!ready.first) {
    nanoseconds first = alarm_clock.due;
    for (thread *t = waiting.first; t; t = t->next)
      first = t->due < first ? t->due : first;
    if (first == NEVER) {
      give_up();
      wake(&main_thread, 0);
    } else {
      let_time_pass(first);
      look_at_clock();
    }
  }
  thread *t = ready.first;
  take_out(&ready, t);
  return t;
}

// enter makes what C has one of that of a thread.
static void enter(thread *t) {
  current = t;
  _Py_tss_tstate = t->state;
  errno = t->number;
  for (size_t i = 0; i < Py_ARRAY_LENGTH(t->locals); i++)
    _PyRuntime.threads.stubs.tls_entries[i].value = t->locals[i].value;
  slice_began = now();
}

static void leave(thread *t) {
  t->state = _Py_tss_tstate;
  t->number = errno;
  memcpy(t->locals, _PyRuntime.threads.stubs.tls_entries, sizeof t->locals);
}

// wait waits for a condition, or NULL, or until a time, and returns what woke it.
static int wait(const void *condition, nanoseconds due) {
  thread *self = current;
  self->condition = condition;
  self->due = due;
  append(&waiting, self);
  thread *next = pick();
  if (next != self) {
    leave(self);
    enter(next);
    host_turn_to(next->id);
  }
  return self->result;
}

int wait_until(const void *condition, const struct timespec *until) {
  if (has_machine)
    return wait(condition, from_timespec(until));
  let_time_pass(from_timespec(until));
  return ETIMEDOUT;
}

// wait_forever may return as if a signal had come: the waiter then makes the pending call, which raises. A waiter that comes again without having made
// that call is C code that waits for itself: it would never end.
int wait_forever(const void *condition) {
  if (has_machine)
    return wait(condition, NEVER);
  give_up();
  return 0;
}

int wake_one(const void *condition) {
  for (thread *t = waiting.first; t; t = t->next)
    if (t->condition == condition) {
      wake(t, 0);
      break;
    }
  return 0;
}

int start_thread(uintptr_t *id, void *(*start)(void *), void *argument) {
  if (!has_machine || thread_count >= max_threads)
    return EAGAIN;
  thread *t = calloc(1, sizeof *t);
  char *stack = spare_stacks;
  if (stack)
    memcpy(&spare_stacks, stack, sizeof spare_stacks);
  else
    stack = aligned_alloc(16, stack_size);
  if (!t || !stack) {
    free(t);
    free(stack);
    return EAGAIN;
  }
  static uint32_t last;
  *t = (thread){.id = ++last, .due = NEVER, .start = start, .argument = argument, .stack = stack};
  *id = t->id;
  thread_count++;
  append(&ready, t);
  host_spawn(t->id, stack + stack_size);
  machine_ticks = machine_ticks < ticks ? machine_ticks : ticks;
  return 0;
}

uintptr_t this_thread(void) { return current->id; }

// run_thread is a thread from begin to end. It returns the thread that runs next. Its stack is in use until it has returned, and then the next one's.
EXPORT("run_thread") uint32_t run_thread(void) {
  thread *self = current;
  self->start(self->argument);
  thread_count--;
  memcpy(self->stack, &spare_stacks, sizeof spare_stacks);
  spare_stacks = self->stack;
  free(self);
  thread *next = pick();
  enter(next);
  return next->id;
}

// machine_tick looks at the clock, for alarms and for threads that wait for their turn.
void machine_tick(void) {
  if (!has_machine)
    return;
  machine_ticks = ticks;
  look_at_clock();
  if (ready.first && now() - slice_began > slice)
    _Py_set_eval_breaker_bit(PyThreadState_Get(), _PY_GIL_DROP_REQUEST_BIT);
}

// A thread that sleeps lets others run.
int __wrap_clock_nanosleep(clockid_t clock, int flags, const struct timespec *request, struct timespec *rest) {
  if (!has_machine)
    return __real_clock_nanosleep(clock, flags, request, rest);
  nanoseconds due = from_timespec(request);
  if (!(flags & TIMER_ABSTIME)) {
    due = now() + due;
  } else if (clock != CLOCK_REALTIME) {
    struct timespec t;
    clock_gettime(clock, &t);
    nanoseconds at = from_timespec(&t);
    due = now() + (due > at ? due - at : 0);
  }
  return wait(NULL, due);
}

// Alarms.

// set_alarm(seconds, interval) sets the alarm, 0 for none, and returns what was set before.
static PyObject *set_alarm(PyObject *self, PyObject *arguments) {
  double seconds, interval;
  if (!PyArg_ParseTuple(arguments, "dd:setitimer", &seconds, &interval))
    return NULL;
  if (!(seconds >= 0 && interval >= 0 && seconds < 1e9 && interval < 1e9)) {
    errno = EINVAL;
    return PyErr_SetFromErrno(PyExc_OSError);
  }
  nanoseconds at = now();
  double left = alarm_clock.due == NEVER ? 0 : alarm_clock.due > at ? (double)(alarm_clock.due - at) / 1e9 : 1e-6, before = (double)alarm_clock.interval / 1e9;
  alarm_clock.due = seconds > 0 ? at + (nanoseconds)(seconds * 1e9) : NEVER;
  alarm_clock.interval = seconds > 0 ? (nanoseconds)(interval * 1e9) : 0;
  return Py_BuildValue("dd", left, before);
}

static PyObject *get_alarm(PyObject *self, PyObject *unused) {
  nanoseconds at = now();
  return Py_BuildValue("dd", alarm_clock.due == NEVER ? 0.0 : alarm_clock.due > at ? (double)(alarm_clock.due - at) / 1e9 : 1e-6,
                       (double)alarm_clock.interval / 1e9);
}

// What CPython asks, by the build's edits.

// What Linux calls the numbers of errno.
static const struct {
  int ours, linux;
} errors[] = {
  {E2BIG, 7}, {EACCES, 13}, {EADDRINUSE, 98}, {EADDRNOTAVAIL, 99}, {EAFNOSUPPORT, 97}, {EAGAIN, 11}, {EALREADY, 114}, {EBADF, 9}, {EBADMSG, 74},
  {EBUSY, 16}, {ECANCELED, 125}, {ECHILD, 10}, {ECONNABORTED, 103}, {ECONNREFUSED, 111}, {ECONNRESET, 104}, {EDEADLK, 35}, {EDESTADDRREQ, 89}, {EDOM, 33},
  {EDQUOT, 122}, {EEXIST, 17}, {EFAULT, 14}, {EFBIG, 27}, {EHOSTUNREACH, 113}, {EIDRM, 43}, {EILSEQ, 84}, {EINPROGRESS, 115}, {EINTR, 4},
  {EINVAL, 22}, {EIO, 5}, {EISCONN, 106}, {EISDIR, 21}, {ELOOP, 40}, {EMFILE, 24}, {EMLINK, 31}, {EMSGSIZE, 90}, {EMULTIHOP, 72},
  {ENAMETOOLONG, 36}, {ENETDOWN, 100}, {ENETRESET, 102}, {ENETUNREACH, 101}, {ENFILE, 23}, {ENOBUFS, 105}, {ENODEV, 19}, {ENOENT, 2}, {ENOEXEC, 8},
  {ENOLCK, 37}, {ENOLINK, 67}, {ENOMEM, 12}, {ENOMSG, 42}, {ENOPROTOOPT, 92}, {ENOSPC, 28}, {ENOSYS, 38}, {ENOTCONN, 107}, {ENOTDIR, 20},
  {ENOTEMPTY, 39}, {ENOTRECOVERABLE, 131}, {ENOTSOCK, 88}, {ENOTSUP, 95}, {ENOTTY, 25}, {ENXIO, 6}, {EOVERFLOW, 75}, {EOWNERDEAD, 130}, {EPERM, 1},
  {EPIPE, 32}, {EPROTO, 71}, {EPROTONOSUPPORT, 93}, {EPROTOTYPE, 91}, {ERANGE, 34}, {EROFS, 30}, {ESPIPE, 29}, {ESRCH, 3}, {ESTALE, 116},
  {ETIMEDOUT, 110}, {ETXTBSY, 26}, {EXDEV, 18},
};

// machine_errno returns the number that an OSError has.
int machine_errno(int number) {
  if (has_machine)
    for (size_t i = 0; i < Py_ARRAY_LENGTH(errors); i++)
      if (errors[i].ours == number)
        return errors[i].linux;
  return number;
}

// machine_is_maxsize returns whether an int is sys.maxsize of a machine of 64 bits, which stands for "as much as there is".
int machine_is_maxsize(PyObject *number) {
  int overflow;
  return has_machine && PyLong_Check(number) && PyLong_AsLongLongAndOverflow(number, &overflow) == INT64_MAX && !overflow;
}

// renumber_errors makes the classes of OSError those of Linux' numbers, and returns a dict from our numbers to these.
static PyObject *renumber_errors(PyObject *self, PyObject *unused) {
  PyObject *numbers = PyDict_New(), *classes = PyDict_New();
  struct _Py_exc_state *state = &PyInterpreterState_Get()->exc_state;
  for (size_t i = 0; numbers && classes && i < Py_ARRAY_LENGTH(errors); i++) {
    PyObject *ours = PyLong_FromLong(errors[i].ours), *linux = PyLong_FromLong(errors[i].linux);
    PyObject *class = ours ? PyDict_GetItemWithError(state->errnomap, ours) : NULL;
    bool good = ours && linux && PyDict_SetItem(numbers, ours, linux) == 0 && (!class || PyDict_SetItem(classes, linux, class) == 0);
    Py_XDECREF(ours);
    Py_XDECREF(linux);
    if (!good)
      Py_CLEAR(numbers);
  }
  if (!numbers || !classes) {
    Py_XDECREF(classes);
    Py_XDECREF(numbers);
    return NULL;
  }
  Py_SETREF(state->errnomap, classes);
  return numbers;
}

static PyMethodDef methods[] = {
  {"set_alarm", set_alarm, METH_VARARGS, NULL},
  {"get_alarm", get_alarm, METH_NOARGS, NULL},
  {"renumber_errors", renumber_errors, METH_NOARGS, NULL},
};

int machine_boot(PyObject *names) {
  for (size_t i = 0; i < Py_ARRAY_LENGTH(methods); i++) {
    PyObject *function = PyCFunction_New(&methods[i], NULL);
    if (!function || PyDict_SetItemString(names, methods[i].ml_name, function) < 0)
      return -1;
    Py_DECREF(function);
  }
  return 0;
}

// machine_start gives the program a machine: its descriptor 3 is the root folder.
int machine_start(void) {
  if (__wasilibc_register_preopened_fd(3, "/") != 0)
    return -1;
  has_machine = true;
  machine_ticks = ticks;
  slice_began = now();
  return 0;
}
