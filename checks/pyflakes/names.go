package pyflakes

import (
	"hash/maphash"
	"slices"

	"codelinter/internal/python/pytext"
	"codelinter/source"
)

// A nameID is a name as a small number. Every name of a file gets one when it
// is first met, so that scopes compare numbers and not texts.
type nameID int32

// bit returns one of 64 bits, the same for every 64th name.
func (id nameID) bit() uint64 { return 1 << (uint(id) % 64) }

// Names with a meaning of their own have fixed numbers. The names of Python's builtins follow, then
// those of the file.
const (
	nameAll nameID = iota
	nameClass
	nameUnderscore

	namePrint
	nameLocals
	namePath
	nameModule
	nameQualname
	nameFirstLine
	nameHide // the first of four that count as used in any function
	nameInfo
	nameSupplement
	nameDebuggerSkip

	fixedNames

	unmetNames = namePrint // those before it are looked for without being met
)

var fixedTexts = [fixedNames]string{
	"__all__", "__class__", "_", "print", "locals", "__path__",
	"__module__", "__qualname__", "__firstlineno__",
	"__tracebackhide__", "__traceback_info__", "__traceback_supplement__", "__debuggerskip__",
}

// moreBuiltins are the names that pyflakes takes as builtins without being told
// by Python: the module's own, and one that only Windows has.
var moreBuiltins = [...]string{"__file__", "__builtins__", "__annotations__", "WindowsError"}

// A name holds the state of a name in the current file. The state, here and in nameMore, is invalid
// if epoch is not the table's. The fields that most reads need fill one line of the processor's
// cache.
type name struct {
	text        string
	first, last uint64 // its words, see intern
	epoch       uint32
	builtin     bool
	inner       bool // is or was bound in a scope other than the module's
	imported    bool // is or was bound by an import
	lazy        bool // is or was bound by a lazy import
	stamp       int32

	module    slotID // where the module's scope holds it, or none
	lastScope scopeID
	lastSlot  slotID  // where lastScope holds it
	user      scopeID // the latest of the scopes that read it, or none
	used      slotID  // where the user found it, if always there, or none
}

// nameMore is the rest of a name.
type nameMore struct {
	slots     slotID // the latest slot of an inner scope, or none
	entered   slotID // the latest of them that is in Checker.entered, or none
	count     int32  // of those slots
	version   uint32 // counts the changes that Checker.visible must notice
	undefined int32  // the latest finding that calls it undefined, or none
}

// names is a hash table from texts to numbers. The builtins stay in it from
// file to file; other entries hold only while their epoch is the current one. With
// a map for each a check takes 6 % more instructions (CPython's asyncio); with a small
// table of the file's names beside one of the builtins it takes the same time.
type names struct {
	list    []name
	more    []nameMore // by the same numbers
	table   []nameEntry
	kept    int // names that stay
	epoch   uint32
	seed    maphash.Seed
	seeded  seededHash
	extra   []string // the builtins that the table was made for
	version source.Version
}

type nameEntry struct {
	id    nameID
	epoch uint32 // keptEpoch for the names that stay
}

const keptEpoch = ^uint32(0)

// reset forgets the last file's names.
func (t *names) reset(version source.Version, extra []string) {
	t.epoch++
	if t.table == nil || t.version != version || t.epoch == keptEpoch || !slices.Equal(t.extra, extra) {
		t.build(version, extra)
	}
	clear(t.list[t.kept:]) // keep no text alive
	t.list, t.more = t.list[:t.kept], t.more[:t.kept]
	for id := range unmetNames {
		t.refresh(id)
	}
}

// build makes the table anew, with the names that stay.
func (t *names) build(version source.Version, extra []string) {
	*t = names{
		list: t.list[:0], more: t.more[:0], table: make([]nameEntry, 2048), epoch: 1,
		seed: maphash.MakeSeed(), seeded: newSeededHash(), extra: slices.Clone(extra), version: version,
	}
	for _, text := range fixedTexts {
		t.intern(text)
	}
	for _, b := range builtins {
		if b.since <= version {
			t.list[t.intern(b.name)].builtin = true
		}
	}
	for _, text := range moreBuiltins {
		t.list[t.intern(text)].builtin = true
	}
	for _, text := range extra {
		t.list[t.intern(text)].builtin = true
	}
	t.kept = len(t.list)
	for i := range t.table {
		if t.table[i].epoch == t.epoch {
			t.table[i].epoch = keptEpoch
		}
	}
}

// wholeWords is the length up to which a text's words are all of it.
const wholeWords = 16

// halfWord returns the first four bytes of s as a number.
func halfWord(s string) uint64 {
	s = s[:4]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24
}

// hash hashes a text of the words. The table has the bits that it needs of the
// result's lowest.
func (t *names) hash(text string, first, last uint64) int {
	if len(text) > wholeWords {
		first = maphash.String(t.seed, text)
	}
	return int(t.seeded.pair(first, last+uint64(len(text))))
}

// intern returns the number of text.
//
// The words of a text are its first and its last bytes as numbers. With its length
// they are all of a text of up to 16 bytes, as nearly all names are: they are hashed
// and compared without a call. With maphash.String and == it takes 1.5 times the
// instructions (CPython's asyncio).
//
// Most names are found, or have a place, where their search begins.
func (t *names) intern(text string) nameID {
	var first, last uint64
	switch n := len(text); {
	case n > wholeWords:
		first, last = pytext.Word(text), pytext.Word(text[n-8:])
		return t.search(text, first, last, t.hash(text, first, last))
	case n >= 8:
		first, last = pytext.Word(text), pytext.Word(text[n-8:])
	case n >= 4:
		first, last = halfWord(text), halfWord(text[n-4:])
	case n > 0:
		first = uint64(text[0]) | uint64(text[n/2])<<8 | uint64(text[n-1])<<16
	}
	hash := int(t.seeded.pair(first, last+uint64(len(text))))
	entry := &t.table[hash&(len(t.table)-1)]
	if entry.epoch < t.epoch {
		return t.add(text, first, last, entry)
	}
	if n := &t.list[entry.id]; n.first == first && n.last == last && len(n.text) == len(text) && n.epoch == t.epoch {
		return entry.id
	}
	return t.search(text, first, last, hash)
}

// search is intern for a text of the words and the hash, without the shortcut.
func (t *names) search(text string, first, last uint64, hash int) nameID {
	mask := len(t.table) - 1
	for i := hash & mask; ; i = (i + 1) & mask {
		entry := &t.table[i]
		if entry.epoch < t.epoch {
			return t.add(text, first, last, entry)
		}
		n := &t.list[entry.id]
		if n.first != first || n.last != last || len(n.text) != len(text) || len(text) > wholeWords && n.text != text {
			continue
		}
		if n.epoch != t.epoch {
			t.refresh(entry.id)
		}
		return entry.id
	}
}

// add makes the text of the words a name and writes it into the free entry.
func (t *names) add(text string, first, last uint64, entry *nameEntry) nameID {
	id := len(t.list)
	*entry = nameEntry{nameID(id), t.epoch}
	if id >= cap(t.list) || id >= cap(t.more) {
		t.makeRoom()
	}
	t.list, t.more = t.list[:id+1], t.more[:id+1]
	n := &t.list[id]
	n.text, n.first, n.last, n.builtin = text, first, last, false
	t.refresh(nameID(id))
	if 4*len(t.list) > len(t.table) {
		t.grow()
	}
	return nameID(id)
}

//go:noinline
func (t *names) makeRoom() {
	t.list, t.more = slices.Grow(t.list, 1), slices.Grow(t.more, 1)
}

// refresh makes the name one that the file has not used yet.
func (t *names) refresh(id nameID) {
	n := &t.list[id]
	n.epoch, n.inner, n.imported, n.lazy, n.stamp = t.epoch, false, false, false, 0
	n.module, n.lastScope, n.lastSlot, n.user, n.used = none, none, none, none, none
	t.more[id] = nameMore{slots: none, entered: none, undefined: none}
}

// grow doubles the table.
func (t *names) grow() {
	table := make([]nameEntry, 2*len(t.table))
	mask := len(table) - 1
	for id := range t.list {
		epoch := t.epoch
		if id < t.kept {
			epoch = keptEpoch
		}
		n := &t.list[id]
		i := t.hash(n.text, n.first, n.last) & mask
		for table[i].epoch != 0 {
			i = (i + 1) & mask
		}
		table[i] = nameEntry{nameID(id), epoch}
	}
	t.table = table
}
