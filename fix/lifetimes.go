package fix

import (
	"slices"
	"strings"

	"codelinter/ast"
)

// lifetimes are what tells when an object is freed.
var lifetimes = []string{"__del__", "getrefcount", "get_referrers", "weakref", "gc", "tracemalloc"}

// observesLifetimes reports whether the program may see when an object is freed.
func (s *analysis) observesLifetimes() bool {
	l := s.mentions()
	return l.hasAttribute(lifetimes) || has(l.modules, lifetimes) || s.hasName("__del__")
}

// mayHoldResource reports whether a value may do something until it is freed, or when it is: see
// holdsResource. A function of the file returns what it calls.
func (s *analysis) mayHoldResource(e ast.Expr) bool {
	calls := false
	ast.Inspect(e, func(n ast.Node) bool {
		calls = calls || n.Kind() == ast.KindCall || n.Kind() == ast.KindAwait
		return !calls
	})
	if calls && s.observesLifetimes() {
		return true
	}
	return holdsResource(e) || s.returnsResource(e, map[string]bool{})
}

// returnsResource reports whether functions of the file that an expression calls have a call that
// makes a resource.
func (s *analysis) returnsResource(n ast.Node, seen map[string]bool) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		call, is := n.(*ast.Call)
		if !is || found {
			return !found
		}
		name := ast.CalledName(call)
		if seen[name] {
			return true
		}
		seen[name] = true
		for _, function := range s.mentions().functions[name] {
			found = found || returnsItsResource(function) || s.returnsResource(function, seen) || s.startsCleanup(function)
		}
		return !found
	})
	return found
}

// returnsItsResource reports whether a function may return the result of such a call: it has one,
// and neither raises the result nor ends it by a with statement.
func returnsItsResource(function ast.Node) bool {
	found := false
	ast.Inspect(function, func(n ast.Node) bool {
		if n.Kind() == ast.KindRaise || n.Kind() == ast.KindWithItem {
			return false
		}
		call, is := n.(*ast.Call)
		found = found || is && holdsResource(call)
		return !found
	})
	return found
}

// startsCleanup reports whether a function calls a generator of the file that does something when
// it is freed.
func (s *analysis) startsCleanup(function ast.Node) bool {
	found := false
	ast.Inspect(function, func(n ast.Node) bool {
		call, is := n.(*ast.Call)
		if !is {
			return !found
		}
		for _, generator := range s.mentions().functions[ast.CalledName(call)] {
			found = found || hasCleanup(generator)
		}
		return !found
	})
	return found
}

// hasCleanup reports whether a function is a generator with a yield in a with, or in a try with a
// finally.
func hasCleanup(function ast.Node) bool {
	late := false
	ast.Inspect(function, func(n ast.Node) bool {
		block := n.Kind() == ast.KindWith || n.Kind() == ast.KindAsyncWith
		if t, is := n.(*ast.Try); is {
			block = len(t.FinalBody)+len(t.Handlers) > 0
		}
		if block {
			ast.Inspect(n, func(n ast.Node) bool {
				late = late || n.Kind() == ast.KindYield || n.Kind() == ast.KindYieldFrom
				return !late
			})
		}
		return !late
	})
	return late
}

// resourceFunctions are functions whose results do something until they are freed, or when they
// are.
var resourceFunctions = []string{"memoryview", "open", "connect", "create_task", "ensure_future", "popen", "proxy", "ref", "finalize", "flock", "lock",
	"getframe", "currentframe", "socket", "create_connection", "create_server", "start_server", "socketpair", "accept", "dup", "makefile", "mmap", "scandir", "urlopen",
	"fdopen", "gather", "shield", "call_later", "run_in_executor", "start_new_thread", "inotify", "epoll", "kqueue", "load_library", "set_wakeup_fd", "singleShot"}

// holdsResource reports whether a value has a call of a class, going by its name, or of one of the
// resourceFunctions: a temporary folder is removed when it is freed, a task or a window may end.
func holdsResource(e ast.Expr) bool {
	holds := false
	ast.Inspect(e, func(n ast.Node) bool {
		holds = holds || n.Kind() == ast.KindYield // the caller sends it
		if call, is := n.(*ast.Call); is {
			name := strings.TrimLeft(ast.CalledName(call), "_")
			holds = holds || name != "" && 'A' <= name[0] && name[0] <= 'Z' || slices.Contains(resourceFunctions, name)
		}
		return !holds
	})
	return holds
}
