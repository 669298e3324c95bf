package sandbox

import (
	"errors"
	"os"
	"sync"

	"codelinter/sandbox/internal/codecache"
	"codelinter/sandbox/internal/reactor"
)

// A codeDir finds the folder of compiled code for a pool's children. It is the
// cache's or, if the cache cannot be written, a temporary one for the life of
// the pool. If that fails too, each child compiles for itself.
type codeDir struct {
	mu        sync.Mutex // held while code is compiled, so that it is compiled once
	known     bool
	entry     string // "": none
	temporary string // folder to remove; may be ""
	ignored   string // an entry that turned out to be unusable
}

// folder returns the folder with compiled code, or "".
func (c *codeDir) folder(p *Pool) (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.known {
		return c.entry, nil
	}
	key := reactor.Key()
	dir := p.options.CacheDir
	if dir == "" {
		dir, _ = codecache.Dir() // "" fails below, like a folder that cannot be written
	}
	if entry, ok := codecache.Find(dir, key); ok && entry != c.ignored {
		c.known, c.entry = true, entry
		return entry, nil
	}
	if p.options.Notice != nil {
		p.options.Notice("compiling " + Version(p.order.Engine) + " for the first time, which takes some seconds")
	}
	var failure error // of the compiler, not of the folder
	fill := func(dir string) error {
		o := p.order
		o.Compile, o.Cache = true, dir
		if p.options.InProcess {
			failure = compile(p.life, o)
			return failure
		}
		child, err := p.starter.start(p.life, o)
		if failure = err; err == nil {
			child.end()
		}
		return err
	}
	err := errors.New("no cache folder")
	if dir != "" {
		c.entry, err = codecache.Make(dir, key, fill)
	}
	if err != nil && failure == nil {
		if c.temporary, err = os.MkdirTemp("", "codelinter-sandbox-*"); err == nil {
			c.entry, err = codecache.Make(c.temporary, key, fill)
		}
	}
	if failure != nil {
		return "", failure
	}
	if err != nil {
		c.entry = ""
	}
	c.known = true
	return c.entry, nil
}

// discard makes folder replace an entry that a child could not use.
func (c *codeDir) discard(entry string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.entry == entry {
		c.known, c.ignored = false, entry
	}
}

func (c *codeDir) close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.temporary == "" {
		return nil
	}
	return os.RemoveAll(c.temporary)
}
