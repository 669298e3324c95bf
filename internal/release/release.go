// Package release has the version of codelinter. It is not part of package version
// because of its imports, which the linter does not need.
package release

import (
	"runtime/debug"
	"strings"
	"sync"

	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"

	"codelinter/internal/version"
)

// unreleased is the version of a build without another: the release to come.
const unreleased = "0.1.0"

// stamped is set by the linker, as in the Makefile:
//
//	go build -ldflags '-X codelinter/internal/release.stamped=1.2.3' ./cmd/codelinter
var stamped string

// Version returns the version of codelinter, such as 0.1.0: that of the linker's
// -X, else the one of the module that `go install codelinter@v0.1.0` was asked
// for, else that of the release to come.
var Version = sync.OnceValue(func() string {
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
func isRelease(tag string) bool {
	return semver.IsValid(tag) && semver.Build(tag) == "" && !module.IsPseudoVersion(tag)
}

// Full returns the release together with what its findings are equal to:
//
//	0.1.0 (flake8 7.3.0: mccabe 0.7.0, pycodestyle 2.14.0, pyflakes 3.4.0)
func Full() string {
	return Version() + " (flake8 " + version.Flake8 + ": mccabe " + version.Mccabe + ", pycodestyle " + version.Pycodestyle + ", pyflakes " + version.Pyflakes + ")"
}
