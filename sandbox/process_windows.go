package sandbox

import (
	"os"
	"sync"
	"unsafe"

	"golang.org/x/sys/windows"
)

// family is a job object. Only this process has a handle of it, and only the end of this
// process closes the handle. That ends all processes in the job.
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

// bind makes a child die with this process, as its attributes do on Linux. If the system
// refuses, for example in a job that allows no other, the child still ends after its
// program, when its standard input ends.
func bind(child *os.Process) {
	if job, err := family(); err == nil {
		child.WithHandle(func(handle uintptr) { windows.AssignProcessToJobObject(job, windows.Handle(handle)) })
	}
}
