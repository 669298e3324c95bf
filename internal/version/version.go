// Package version says which codelinter this is, and what its findings are
// equal to.
package version

import (
	"runtime/debug"
	"strings"
	"sync"

	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"
)

// The tools whose findings ours are, and the Python that runs them.
const (
	Flake8      = "7.3.0"
	Mccabe      = "0.7.0"
	Pycodestyle = "2.14.0"
	Pyflakes    = "3.4.0"
	CPython     = "3.14.6"
)

// unreleased is the version of a build that nothing names: the release to come.
const unreleased = "0.1.0"

// stamped is set by the linker, as in the Makefile:
//
//	go build -ldflags '-X codelinter/internal/version.stamped=1.2.3' ./cmd/codelinter
var stamped string

// Release returns the version of codelinter, such as 0.1.0: that of the linker's
// -X, else the one of the module that `go install codelinter@v0.1.0` was asked
// for, else that of the release to come.
var Release = sync.OnceValue(func() string {
	if stamped != "" {
		return stamped
	}
	if info, ok := debug.ReadBuildInfo(); ok && isRelease(info.Main.Version) {
		return strings.TrimPrefix(info.Main.Version, "v")
	}
	return unreleased
})

// isRelease reports whether the version of a module is the tag of a release,
// v1.2.3. A checkout has none, or one that is made up of a time and a commit.
func isRelease(version string) bool {
	return semver.IsValid(version) && semver.Build(version) == "" && !module.IsPseudoVersion(version)
}

// Full returns the release together with what its findings are equal to:
//
//	0.1.0 (flake8 7.3.0: mccabe 0.7.0, pycodestyle 2.14.0, pyflakes 3.4.0)
func Full() string {
	return Release() + " (flake8 " + Flake8 + ": mccabe " + Mccabe + ", pycodestyle " + Pycodestyle + ", pyflakes " + Pyflakes + ")"
}
