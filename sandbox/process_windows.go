package sandbox

import (
	"os"
	"sync"
	"unsafe"

	"golang.org/x/sys/windows"
)

// family is a job object that this process alone has a handle of. The handle is never
// closed but by the system when this process has ended, however it did, and that ends
// what is in the job.
var family = sync.OnceValues(func() (windows.Handle, error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return 0, err
	}
	var limits windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION
	limits.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation, uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits)))
	return job, err
})

// bind has a child that was started die with this process, as it does on Linux by its
// attributes. A child whose binding the system refuses, as in a job that allows no other,
// still ends when it has no more standard input: after the program that it runs.
func bind(child *os.Process) {
	if job, err := family(); err == nil {
		child.WithHandle(func(handle uintptr) { windows.AssignProcessToJobObject(job, windows.Handle(handle)) })
	}
}
