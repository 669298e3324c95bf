// Package version has the version of codelinter, alone and with the version of
// flake8 that it follows.
package version

import (
	"runtime/debug"
	"strings"
	"sync"

	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"

	"codelinter/rule"
	"codelinter/source"
)

// unreleased is the version of a build without a version: the next release.
const unreleased = "0.1.0"

// stamped is set by the linker, as in the Makefile:
//
//	go build -ldflags '-X codelinter/internal/version.stamped=1.2.3' ./cmd/codelinter
var stamped string

// Version returns the version of codelinter, such as 0.1.0: the linker's -X,
// else the version of the module in `go install codelinter@v0.1.0`, else the
// next release.
var Version = sync.OnceValue(func() string {
	if stamped != "" {
		return stamped
	}
	if info, ok := debug.ReadBuildInfo(); ok && isRelease(info.Main.Version) {
		return strings.TrimPrefix(info.Main.Version, "v")
	}
	return unreleased
})

// isRelease reports whether a module's version is the tag of a release, v1.2.3.
// A checkout has none, or a pseudo-version.
func isRelease(tag string) bool {
	return semver.IsValid(tag) && semver.Build(tag) == "" && !module.IsPseudoVersion(tag)
}

// Full returns the version with the linters that it follows:
//
//	0.1.0 (flake8 7.5.0 on CPython 3.15.2: mccabe 0.7.0, pycodestyle 2.15.0, pyflakes 4.1.0)
//
// Zero arguments mean the defaults, as in [rule.Resolve].
func Full(r rule.Release, python source.Version) string {
	text := Version() + " (" + rule.Reference(r, python)
	for i, plugin := range Plugins() {
		text += [...]string{": ", ", "}[min(i, 1)] + plugin.String() + " " + r.Version(plugin)
	}
	return text + ")"
}

// Plugins returns the linters that flake8 lists as its plugins, in its order.
func Plugins() []rule.Tool { return []rule.Tool{rule.McCabe, rule.Pycodestyle, rule.Pyflakes} }
