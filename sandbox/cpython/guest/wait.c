// Waiting, where there is one thread.
//
// CPython for WASI has the functions of pthread as stubs that return at once, and so a program that waited for a lock, an event or a queue asked for ever
// whether it had come. Two things can happen to who waits alone: time passes, or nothing does. build puts these functions in the place of two stubs.
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

// wait_forever takes the place of pthread_cond_wait. It returns as if a signal had come: who waits then does what is pending, which raises. Who comes
// again without having done so never will: that is C code that waits for itself.
int wait_forever(void) {
  if (hopeless || Py_AddPendingCall(tell, NULL) < 0)
    Py_FatalError("a lock of the interpreter is waited for that nobody can release");
  hopeless = true;
  return 0;
}
