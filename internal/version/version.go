// Package version has the versions of the tools whose findings are reproduced.
package version

// The tools, and the Python that runs them.
const (
	Flake8      = "7.3.0"
	Mccabe      = "0.7.0"
	Pycodestyle = "2.14.0"
	Pyflakes    = "3.4.0"
	CPython     = "3.14.6"
)
