package pytext

// IsFutureFeature reports whether the module __future__ has the feature, in every
// CPython from 3.10 to 3.15.
func IsFutureFeature(name string) bool {
	switch name {
	case "nested_scopes", "generators", "division", "absolute_import",
		"with_statement", "print_function", "unicode_literals",
		"barry_as_FLUFL", "generator_stop", "annotations":
		return true
	}
	return false
}
