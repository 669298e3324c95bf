// Waiting, where there is one thread.
//
// CPython for WASI has stubs for pthread that return at once. With them, a program that waits for a lock, an event or a queue polls for ever.
// With one thread, only time can end a wait. So a wait with a deadline lets time pass, and a wait without one raises.
// The build replaces two stubs by these functions.
#include <errno.h>
#include <stdbool.h>
#include <time.h>

#include "guest.h"

static bool hopeless; // somebody waits for what cannot happen, and was not told yet

static int tell(void *unused) {
  hopeless = false;
  PyErr_SetString(PyExc_RuntimeError, "a lock is waited for that nobody can release: there is one thread");
  return -1;
}

// wait_until takes the place of pthread_cond_timedwait: it lets time pass on the virtual clock.
int wait_until(const struct timespec *until) {
  clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, until, NULL);
  return ETIMEDOUT;
}

// wait_forever takes the place of pthread_cond_wait. It returns as if a signal had come, and the waiter then makes the pending call, which raises.
// A waiter that comes again without having made that call is C code that waits for itself: it would never end.
int wait_forever(void) {
  if (hopeless || Py_AddPendingCall(tell, NULL) < 0)
    Py_FatalError("a lock of the interpreter is waited for that nobody can release");
  hopeless = true;
  return 0;
}
