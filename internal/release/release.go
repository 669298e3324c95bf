// Package release has the version of codelinter, alone and with that of the flake8 that
// it follows.
package release

import (
	"runtime/debug"
	"strings"
	"sync"

	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"

	"codelinter/rule"
	"codelinter/source"
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
//	0.1.0 (flake8 7.5.0 on CPython 3.15.2: mccabe 0.7.0, pycodestyle 2.15.0, pyflakes 4.1.0)
//
// What is zero is the default, as in [rule.Resolve].
func Full(r rule.Release, python source.Version) string {
	text := Version() + " (" + rule.Reference(r, python)
	for i, plugin := range Plugins() {
		text += [...]string{": ", ", "}[min(i, 1)] + plugin.String() + " " + r.Version(plugin)
	}
	return text + ")"
}

// Plugins returns the linters that flake8 lists as its plugins, in its order.
func Plugins() []rule.Tool { return []rule.Tool{rule.McCabe, rule.Pycodestyle, rule.Pyflakes} }
