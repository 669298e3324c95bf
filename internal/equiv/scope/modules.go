package scope

import (
	_ "embed"
	"strings"

	"codelinter/internal/util/lazy"
)

//go:embed modules.txt
var modulesText string

// A Module is one of Python's own modules whose import only defines names.
type Module struct {
	Names []string
	Has   map[string]bool
	// Lines: it reads the program's lines.
	Lines bool
	// Quiet: nothing in it reads the program's names.
	Quiet bool
	// Free: every answer may use it. It has no clock, no randomness and no way
	// out of the program, and does not reveal the machine, as sizes in struct and
	// array do.
	Free bool
}

// Modules has the modules of modules.txt, "builtins" included.
func Modules() map[string]*Module { return modules.Get() }

var modules = lazy.Value[map[string]*Module]{Make: func() map[string]*Module {
	table := map[string]*Module{}
	for line := range strings.Lines(modulesText) {
		name, list, found := strings.Cut(strings.TrimSpace(line), ": ")
		if !found || line[0] == '#' {
			continue
		}
		m := &Module{Names: strings.Fields(list), Has: map[string]bool{}}
		for _, n := range m.Names {
			m.Has[n] = true
		}
		table[name] = m
	}
	each := func(names string, set func(*Module)) {
		for _, name := range strings.Fields(names) {
			if table[name] == nil {
				table[name] = &Module{} // modules.txt lacks those that may be imported for an effect
			}
			set(table[name])
		}
	}
	each(`
		abc array bisect calendar cmath collections collections.abc colorsys copy csv dataclasses datetime decimal
		difflib enum fractions functools graphlib hashlib heapq html io itertools json keyword math numbers operator os
		os.path pprint queue random re reprlib secrets shlex statistics string struct sys textwrap time typing
		unicodedata urllib.parse uuid zlib base64 binascii contextlib ipaddress locale glob fnmatch stat hmac
		argparse asyncio atexit bz2 concurrent.futures configparser errno getpass gzip html.parser http.client lzma platform
		sched secrets selectors shutil signal socket sqlite3 subprocess tarfile tempfile types urllib.error urllib.request
		xml.etree.ElementTree zipfile`, func(m *Module) { m.Quiet = true })
	each(`bdb dis faulthandler inspect linecache pdb trace traceback tracemalloc`, func(m *Module) { m.Lines = true })
	each(`
		abc bisect cmath collections collections.abc copy dataclasses decimal enum fractions functools heapq
		itertools json math numbers operator re statistics string textwrap typing unicodedata contextlib`, func(m *Module) { m.Free = true })
	return table
}}

// Importable reports whether an import of a module, or of a name from it, surely
// succeeds and has no other effect.
func Importable(moduleName, name string) bool {
	m := Modules()[moduleName]
	return m != nil && m.Has != nil && moduleName != "builtins" && (name == "" || m.Has[name])
}
