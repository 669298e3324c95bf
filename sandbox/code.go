package sandbox

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"codelinter/sandbox/internal/codecache"
	"codelinter/sandbox/internal/reactor"
)

// A codeDir finds the folder of compiled code for a pool's children. It is the
// cache's or, if that cannot be used, a temporary one for the life of the pool.
// If that fails too, each child compiles for itself. The pools of a saved program
// and of what goes on from it share one.
type codeDir struct {
	users atomic.Int32 // that have not closed it

	mu        sync.Mutex // held while code is compiled, so that it is compiled once
	known     bool
	entry     string // "": none
	temporary string // folder to remove; may be ""
	ignored   string // an entry that turned out to be unusable

	mustCache bool          // it is an error if the cache cannot be used
	took      time.Duration // to compile; 0: nothing was compiled
}

// folder returns the folder with compiled code, or "".
func (c *codeDir) folder(p *Pool) (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.known {
		return c.entry, nil
	}
	key, dir := reactor.Key(), p.options.cacheDir()
	if entry, ok := codecache.Find(dir, key); ok && entry != c.ignored {
		c.known, c.entry = true, entry
		return entry, nil
	}
	p.options.notice("compiling " + Version(p.order.Engine) + " for the first time, which takes some seconds")
	var err error
	if c.entry, err = p.compileInto(dir, key); err != nil && p.life.Err() == nil {
		if err = fmt.Errorf("the cache folder cannot be used: %w", err); c.mustCache {
			return "", err
		}
		p.options.notice(err.Error() + ". What is compiled is lost at the end")
		if c.temporary, err = os.MkdirTemp("", "codelinter-sandbox-*"); err == nil {
			c.entry, err = p.compileInto(c.temporary, key)
		}
	}
	if p.life.Err() != nil {
		return "", context.Cause(p.life)
	}
	if err != nil {
		c.entry = ""
	}
	c.known = true
	return c.entry, nil
}

// compileInto makes the entry of compiled code in a folder.
func (p *Pool) compileInto(dir, key string) (entry string, err error) {
	if dir == "" {
		return "", errors.New("there is none")
	}
	return codecache.Make(dir, key, func(dir string) error {
		o := p.order
		o.Compile, o.Cache = true, dir
		defer func(began time.Time) { p.code.took = time.Since(began) }(time.Now())
		if p.options.InProcess {
			return compile(p.life, o)
		}
		return p.untilLost(func() error {
			child, err := p.starter.start(p.life, o)
			if err == nil {
				child.end()
			}
			return err
		})
	})
}

// discard makes folder replace an entry that a child could not use.
func (c *codeDir) discard(entry string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.entry == entry {
		c.known, c.ignored = false, entry
	}
}

// use returns c, for one more user.
func (c *codeDir) use() *codeDir {
	c.users.Add(1)
	return c
}

// close removes the temporary folder when the last user closes it.
func (c *codeDir) close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.users.Add(-1) > 0 || c.temporary == "" {
		return nil
	}
	return os.RemoveAll(c.temporary)
}

// cacheDir returns the folder of the cache, or "" if there is none.
func (o *Options) cacheDir() string {
	if o.CacheDir != "" {
		return o.CacheDir
	}
	dir, _ := codecache.Dir()
	return dir
}

func (o *Options) notice(text string) {
	if o.Notice != nil {
		o.Notice(text)
	}
}

// A Cache says what [Warm] found or made.
type Cache struct {
	Folder string        // of the compiled code; "" for GPython, which is not compiled
	Size   int64         // bytes that it takes on the disk
	Took   time.Duration // to compile; 0: the code was there
}

// Warm makes the cache complete: no later pool with the same CacheDir compiles, whatever
// its other options. It fails if the cache cannot be written. Of o it heeds Engine,
// InProcess, CacheDir and Notice.
func Warm(ctx context.Context, o Options) (Cache, error) {
	p, err := openPool(ctx, Options{Engine: o.Engine, InProcess: o.InProcess, CacheDir: o.CacheDir, Notice: o.Notice, Workers: 1}, true)
	if err != nil {
		return Cache{}, err
	}
	defer p.Close()
	if p.options.Engine != CPython {
		return Cache{}, nil
	}
	return Cache{p.code.entry, codecache.Size(p.code.entry), p.code.took}, nil
}
