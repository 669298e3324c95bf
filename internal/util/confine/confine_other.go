//go:build !linux

package confine

// process does nothing: on these systems a profile from outside would be
// needed.
func process(Limits) Measures { return Measures{} }

// closeInherited does nothing: here it is unknown which files are the
// runtime's. Files that Go opens are not inherited.
func closeInherited() {}

func resident() int64 { return 0 }
