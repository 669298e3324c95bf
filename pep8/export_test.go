package pep8

// DefaultOptions returns flake8's defaults.
func DefaultOptions() Options {
	return Options{MaxLineLength: 79, MaxDocLength: NoLimit, IndentSize: 4}
}
