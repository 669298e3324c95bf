package guard

import (
	_ "embed"
	"strings"
	"sync"
)

//go:embed modules.txt
var modulesText string

// A module is one of Python's own whose import does nothing but define names.
type module struct {
	names []string
	has   map[string]bool
	// plain: values of its types compare as numbers and texts do, nothing in it
	// looks at the program, raises what is no Exception, or does something when
	// a value is given back.
	plain bool
	// lines: it looks at the lines that the program has.
	lines bool
	// quiet: nothing in it looks at the program's names. Plain ones are quiet.
	quiet bool
	// free: an answer may use it though the program does not. It has no clock,
	// no chance, no way out of the program, and does not show which machine it is
	// on, as the sizes in struct and array do.
	free bool
}

// modules are read from modules.txt; "builtins" is among them.
var modules = sync.OnceValue(func() map[string]*module {
	table := map[string]*module{}
	for line := range strings.Lines(modulesText) {
		name, list, found := strings.Cut(strings.TrimSpace(line), ": ")
		if !found || line[0] == '#' {
			continue
		}
		m := &module{names: strings.Fields(list), has: map[string]bool{}}
		for _, n := range m.names {
			m.has[n] = true
		}
		table[name] = m
	}
	for _, name := range strings.Fields(`
		abc array bisect calendar cmath collections collections.abc colorsys copy csv dataclasses datetime decimal
		difflib enum fractions functools graphlib hashlib heapq html io itertools json keyword math numbers operator os
		os.path pprint queue random re reprlib secrets shlex statistics string struct sys textwrap time typing
		unicodedata urllib.parse uuid zlib base64 binascii contextlib ipaddress locale glob fnmatch stat hmac`) {
		table[name].plain, table[name].quiet = true, true
	}
	// Those that can be imported for an effect are not in modules.txt.
	for _, name := range strings.Fields(`
		argparse asyncio atexit bz2 concurrent.futures configparser errno getpass gzip html.parser http.client lzma platform
		sched secrets selectors shutil signal socket sqlite3 subprocess tarfile tempfile types urllib.error urllib.request
		xml.etree.ElementTree zipfile zlib`) {
		if table[name] == nil {
			table[name] = &module{}
		}
		table[name].quiet = true
	}
	for _, name := range strings.Fields(`bdb dis faulthandler inspect linecache pdb trace traceback tracemalloc`) {
		if table[name] == nil {
			table[name] = &module{}
		}
		table[name].lines = true
	}
	for _, name := range strings.Fields(`
		abc bisect cmath collections collections.abc copy dataclasses decimal enum fractions functools heapq
		itertools json math numbers operator re statistics string textwrap typing unicodedata contextlib`) {
		table[name].free = true
	}
	return table
})

// Importable reports whether an import of a module surely succeeds and does nothing else.
func Importable(module string) bool { return importable(module, "") }

// importable reports whether an import of module, or of name from it, surely
// succeeds and does nothing else.
func importable(moduleName, name string) bool {
	m := modules()[moduleName]
	return m != nil && m.has != nil && moduleName != "builtins" && (name == "" || m.has[name])
}
