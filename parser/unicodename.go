package parser

import (
	"strings"
	"sync"

	"golang.org/x/text/unicode/runenames"
)

// LookupName returns the character that \N{name} stands for.
func LookupName(name string) (rune, bool) {
	namesOnce.Do(loadNames)
	r, ok := names[strings.ToUpper(name)]
	return r, ok
}

var (
	namesOnce sync.Once
	names     map[string]rune
)

func loadNames() {
	names = make(map[string]rune, 40000)
	for r := rune(0); r <= 0x10ffff; r++ {
		if name := runenames.Name(r); name != "" {
			names[name] = r
		}
	}
}
