package wasi

import (
	"encoding/binary"
	"errors"
	"path"
	"slices"
	"strings"
)

// Files is the file system of one program: folders and files in memory, below "/".
// There are no links, owners or permissions. NewFiles makes one.
type Files struct {
	root   *node
	open   map[uint32]*descriptor
	size   int64 // bytes of all files; removed files do not count
	nodes  int
	next   uint64 // number of the next node
	system *System
}

// Bounds of a program's files.
const (
	MaxFileBytes = 64 << 20 // of all files together
	maxNodes     = 20_000
	maxOpen      = 1000
	maxPath      = 4096
	maxDepth     = 100
)

// rootDescriptor is the initial descriptor of the root folder.
const rootDescriptor = 3

// A kind of node is a file type of WASI.
type kind byte

const (
	stream kind = 0
	device kind = 2
	folder kind = 3
	file   kind = 4
)

// A node is a folder, a file, a device or a stream.
type node struct {
	kind     kind
	number   uint64
	entries  map[string]*node // of a folder
	data     []byte           // of a file
	stream   int8             // of a device or stream: descriptor 0, 1 or 2, or nowhere
	parent   *node            // of a folder
	modified uint64           // nanoseconds since 1970
	accessed uint64
	changed  bool // since the program began
	removed  bool
}

const nowhere = -1

// A descriptor is an open node.
type descriptor struct {
	node   *node
	offset uint64
	flags  uint16 // as in fd_fdstat_get
	read   bool
	write  bool
}

const flagAppend = 1

// NewFiles returns a file system with the usual folders.
func NewFiles(system *System) *Files {
	fs := &Files{system: system, open: map[uint32]*descriptor{}}
	fs.root = fs.newNode(folder)
	fs.root.parent = fs.root
	fs.open[rootDescriptor] = &descriptor{node: fs.root, read: true}
	fs.folder("tmp")
	dev := fs.folder("dev")
	for name, stream := range map[string]int8{"null": nowhere, "stdin": 0, "stdout": 1, "stderr": 2} {
		n := &node{kind: device, stream: stream}
		dev.entries[name] = n
	}
	for i, name := range []string{"null", "stdin", "stdout", "stderr"} {
		dev.entries[name].number = 1000 + uint64(i)
	}
	return fs
}

// now returns the time of the program's clock.
func (fs *Files) now() uint64 { return fs.system.now(realtime) }

func (fs *Files) newNode(k kind) *node {
	fs.next++
	fs.nodes++
	at := fs.now()
	n := &node{kind: k, number: fs.next, modified: at, accessed: at}
	if k == folder {
		n.entries = map[string]*node{}
	}
	return n
}

// folder returns the folder of a path, and makes it if needed. It returns nil if a
// file is in the way.
func (fs *Files) folder(name string) *node {
	at := fs.root
	for _, part := range strings.Split(strings.Trim(path.Clean("/"+name), "/"), "/") {
		if part == "" {
			continue
		}
		below := at.entries[part]
		if below == nil {
			below = fs.newNode(folder)
			below.parent = at
			at.entries[part] = below
		}
		if below.kind != folder {
			return nil
		}
		at = below
	}
	return at
}

// errFiles is the error for files that a program cannot have.
var errFiles = errors.New("files that cannot be: too many, too large, or one in the way of another")

// Folder makes a folder.
func (fs *Files) Folder(name string) error {
	if fs.folder(name) == nil {
		return errFiles
	}
	return nil
}

// Put makes a file. It keeps data without changing it.
func (fs *Files) Put(name string, data []byte) error {
	name = path.Clean("/" + name)
	in := fs.folder(path.Dir(name))
	base := path.Base(name)
	if in == nil || base == "/" || in.entries[base] != nil || len(name) > maxPath || strings.Count(name, "/") > maxDepth ||
		fs.nodes >= maxNodes || fs.size+int64(len(data)) > MaxFileBytes {
		return errFiles
	}
	n := fs.newNode(file)
	n.data = data[:len(data):len(data)]
	fs.size += int64(len(data))
	in.entries[base] = n
	return nil
}

// Changed calls yield for each file that the program made or changed, by ascending
// paths. data belongs to the caller when the program has ended.
func (fs *Files) Changed(yield func(name string, data []byte)) {
	fs.each(func(name string, n *node) {
		if n.changed {
			yield(name, n.data)
		}
	})
}

// All is Changed for all files.
func (fs *Files) All(yield func(name string, data []byte)) {
	fs.each(func(name string, n *node) { yield(name, n.data) })
}

// Lend makes a file for a while: one of that name is back when the function that Lend
// returns was called.
func (fs *Files) Lend(name string, data []byte) (giveBack func(), err error) {
	name = path.Clean("/" + name)
	in, base := fs.folder(path.Dir(name)), path.Base(name)
	if in == nil {
		return nil, errFiles
	}
	before := in.entries[base]
	if before != nil && before.kind != file {
		return nil, errFiles
	}
	delete(in.entries, base)
	if err := fs.Put(name, data); err != nil {
		if before != nil {
			in.entries[base] = before
		}
		return nil, err
	}
	lent := in.entries[base]
	return func() {
		if now := in.entries[base]; now == lent {
			delete(in.entries, base)
		}
		fs.nodes--
		lent.removed = true
		fs.size -= int64(len(lent.data))
		if before != nil && in.entries[base] == nil {
			in.entries[base] = before
		}
	}, nil
}

// each calls yield for each file, by ascending paths.
func (fs *Files) each(yield func(name string, n *node)) {
	var walk func(at *node, name string)
	walk = func(at *node, name string) {
		names := at.names()
		for _, base := range names {
			switch n := at.entries[base]; {
			case n.kind == folder:
				walk(n, name+base+"/")
			case n.kind == file:
				yield(name+base, n)
			}
		}
	}
	walk(fs.root, "/")
}

// Pick calls yield for each path of a file that is there. data belongs to the caller when
// the program has ended.
func (fs *Files) Pick(paths []string, yield func(name string, data []byte)) {
	for _, name := range paths {
		at := fs.root
		for part := range strings.SplitSeq(strings.TrimPrefix(path.Clean("/"+name), "/"), "/") {
			if at = at.entries[part]; at == nil {
				break
			}
		}
		if at != nil && at.kind == file {
			yield(name, at.data)
		}
	}
}

func (n *node) names() []string {
	names := make([]string, 0, len(n.entries))
	for name := range n.entries {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Error numbers of WASI that files have.
const (
	eExist       = 20
	eIsdir       = 31
	eMfile       = 33
	eNametoolong = 37
	eNoent       = 44
	eNospc       = 51
	eNotdir      = 54
	eNotempty    = 55
	ePerm        = 63
)

// files returns the file system of a call, or nil.
func (c call) files() *Files { return c.system.Files }

// descriptor returns an open node.
func (c call) descriptor(i int) *descriptor {
	if c.system.Files == nil {
		return nil
	}
	return c.system.Files.open[c.i32(i)]
}

// A place is what a path leads to.
type place struct {
	in    *node  // the folder of the path's last name
	base  string // that name; "" if the path is of the folder itself
	node  *node  // what has the name, or the folder itself; nil if there is nothing
	slash bool   // the path ends with a slash
}

// place returns what the path of a call leads to. The arguments' indices are given: a
// descriptor, and the path's address and length.
func (c call) place(folderAt, pathAt, sizeAt int) (p place, number uint32) {
	d := c.descriptor(folderAt)
	if d == nil {
		return p, eBadf
	}
	if c.i32(sizeAt) > maxPath {
		return p, eNametoolong
	}
	path, ok := c.bytes(c.i32(pathAt), c.i32(sizeAt))
	if !ok {
		return p, eFault
	}
	name := string(path)
	p.slash = strings.HasSuffix(name, "/")
	p.in, p.base, number = c.files().walk(d.node, name)
	if p.node = p.in; number == success && p.base != "" {
		p.node = p.in.entries[p.base]
	}
	return p, number
}

// walk returns the folder of a path's last name, and that name. The name is "" if
// the path is of the folder itself.
func (fs *Files) walk(from *node, name string) (in *node, base string, number uint32) {
	if from.kind != folder {
		return nil, "", eNotdir
	}
	at := from
	parts := strings.Split(name, "/")
	if len(name) == 0 {
		return nil, "", eNoent
	}
	fs.system.charge(bytesPerCount * len(parts))
	for len(parts) > 1 && (parts[len(parts)-1] == "" || parts[len(parts)-1] == ".") {
		parts = parts[:len(parts)-1]
	}
	for i, part := range parts {
		switch {
		case len(part) > 255:
			return nil, "", eNametoolong
		case part == "" || part == ".":
		case part == "..":
			at = at.parent
		case i == len(parts)-1:
			if at.removed {
				return nil, "", eNoent
			}
			return at, part, success
		default:
			below := at.entries[part]
			if below == nil {
				return nil, "", eNoent
			}
			if below.kind != folder {
				return nil, "", eNotdir
			}
			at = below
		}
	}
	return at, "", success
}

// at implements a function on a path. The arguments' indices are given.
func at(folderAt, pathAt, sizeAt int, then func(c call, fs *Files, p place) uint32) implementation {
	return func(c call) uint32 {
		p, number := c.place(folderAt, pathAt, sizeAt)
		if number != success {
			return number
		}
		return then(c, c.files(), p)
	}
}

// existing implements a function on what a path leads to.
func existing(then func(c call, fs *Files, n *node) uint32) func(call, *Files, place) uint32 {
	return func(c call, fs *Files, p place) uint32 {
		switch {
		case p.node == nil:
			return eNoent
		case p.slash && p.node.kind != folder:
			return eNotdir
		}
		return then(c, fs, p.node)
	}
}

// alike says that a function does with streams what it does with files.
const alike = 1 << 31

// onFile implements a function on a descriptor. onStream is the result for a stream,
// unless it is alike.
func onFile(onStream uint32, then func(fs *Files, c call, d *descriptor) uint32) implementation {
	return func(c call) uint32 {
		if c.i32(0) < uint32(len(streams)) {
			if onStream != alike {
				return onStream
			}
			d := streams[c.i32(0)]
			return then(c.files(), c, &d)
		}
		d := c.descriptor(0)
		if d == nil {
			return eBadf
		}
		return then(c.files(), c, d)
	}
}

// Flags of path_open.
const (
	openCreate    = 1
	openDirectory = 2
	openExclusive = 4
	openTruncate  = 8
)

func pathOpen(c call, fs *Files, p place) uint32 {
	flags, rights, status := c.i32(4), c.stack[5], uint16(c.i32(7))
	n := p.node
	switch {
	case n == nil && flags&openCreate == 0:
		return eNoent
	case n == nil && (flags&openDirectory != 0 || p.slash):
		return eIsdir
	case n == nil:
		if fs.nodes >= maxNodes {
			return eNospc
		}
		n = fs.newNode(file)
		n.changed = true
		p.in.entries[p.base] = n
		p.in.modified = fs.now()
	case flags&openCreate != 0 && flags&openExclusive != 0:
		return eExist
	case n.kind != folder && (flags&openDirectory != 0 || p.slash):
		return eNotdir
	case n.kind == folder && (rights&rightWrite != 0 || flags&(openTruncate|openCreate) != 0):
		return eIsdir
	case n.kind == file && flags&openTruncate != 0:
		fs.resize(n, 0)
	}
	fd := uint32(rootDescriptor + 1)
	for fs.open[fd] != nil {
		fd++
	}
	if fd > maxOpen {
		return eMfile
	}
	if !c.memory.WriteUint32Le(c.i32(8), fd) {
		return eFault
	}
	fs.open[fd] = &descriptor{node: n, flags: status, read: rights&rightRead != 0 || n.kind == folder, write: rights&rightWrite != 0}
	return success
}

// resize sets the length of a file, with zeros at a longer end.
func (fs *Files) resize(n *node, size uint64) uint32 {
	old := uint64(len(n.data))
	if size > old && (size > MaxFileBytes || fs.size+int64(size-old) > MaxFileBytes) {
		return eNospc
	}
	fs.size += int64(size) - int64(old)
	if size <= old {
		n.data = slices.Clone(n.data[:size]) // it may be the caller's
	} else {
		fs.system.charge(int(size - old))
		n.data = append(n.data, make([]byte, size-old)...)
	}
	n.changed, n.modified = true, fs.now()
	return success
}

func (fs *Files) close(c call, d *descriptor) uint32 {
	fd := c.i32(0)
	if fd != rootDescriptor {
		delete(fs.open, fd)
		fs.forget(d.node)
	}
	return success
}

// forget frees a file that has no name and is not open.
func (fs *Files) forget(n *node) {
	if !n.removed {
		return
	}
	for _, d := range fs.open {
		if d.node == n {
			return
		}
	}
	fs.size -= int64(len(n.data))
	n.data = nil
}

// transfer moves bytes between a file and the buffers of a call. It checks everything first:
// nothing is moved if a buffer or the place of the count is invalid. The place may overlap the
// vectors, so it is written last.
func (c call) transfer(d *descriptor, offset uint64, count int, reads bool) (uint64, uint32) {
	list, number := c.vectors()
	if number != success {
		return 0, number
	}
	if _, ok := c.bytes(c.i32(count), 4); !ok {
		return 0, eFault
	}
	switch {
	case d.node.kind == folder:
		return 0, eIsdir
	case reads && !d.read || !reads && !d.write:
		return 0, eBadf
	}
	total, number := c.size(list)
	if number != success {
		return 0, number
	}
	n := d.node
	if !reads && total > 0 && n.kind == file {
		if number := c.files().change(n, offset, total); number != success {
			return 0, number
		}
	}
	done := uint64(0)
	for v := list; len(v) > 0; v = v[8:] {
		data, _ := c.bytes(binary.LittleEndian.Uint32(v), binary.LittleEndian.Uint32(v[4:]))
		switch {
		case n.kind != file && reads && n.stream == 0:
			done += uint64(c.system.take(data))
		case n.kind != file && !reads && n.stream > 0 && c.system.Write != nil && len(data) > 0:
			c.system.Write(uint32(n.stream), data)
			done += uint64(len(data))
		case n.kind != file && !reads:
			done += uint64(len(data))
		case n.kind != file:
		case reads && offset+done < uint64(len(n.data)):
			done += uint64(copy(data, n.data[offset+done:]))
		case !reads:
			done += uint64(copy(n.data[offset+done:], data))
		}
	}
	c.system.charge(int(done))
	c.memory.WriteUint32Le(c.i32(count), uint32(done))
	return done, success
}

// size returns the bytes of the buffers in a list.
func (c call) size(list []byte) (total uint64, number uint32) {
	for v := list; len(v) > 0; v = v[8:] {
		data, ok := c.bytes(binary.LittleEndian.Uint32(v), binary.LittleEndian.Uint32(v[4:]))
		if !ok {
			return 0, eFault
		}
		if total += uint64(len(data)); total > 1<<31-1 {
			return 0, eInval
		}
	}
	return total, success
}

// change prepares a file for writing count bytes at an offset.
func (fs *Files) change(n *node, offset, count uint64) uint32 {
	end := offset + count
	switch {
	case end < offset:
		return eInval
	case end > uint64(len(n.data)):
		if number := fs.resize(n, end); number != success {
			return number
		}
	case !n.changed:
		n.data = slices.Clone(n.data) // it may be the caller's
	}
	n.changed, n.modified = true, fs.now()
	return success
}

func (fs *Files) read(c call, d *descriptor) uint32 {
	n, number := c.transfer(d, d.offset, 3, true)
	d.offset += n
	return number
}

func (fs *Files) write(c call, d *descriptor) uint32 {
	if d.flags&flagAppend != 0 {
		d.offset = uint64(len(d.node.data))
	}
	n, number := c.transfer(d, d.offset, 3, false)
	d.offset += n
	return number
}

func (fs *Files) readAt(c call, d *descriptor) uint32 {
	_, number := c.transfer(d, c.stack[3], 4, true)
	return number
}

func (fs *Files) writeAt(c call, d *descriptor) uint32 {
	_, number := c.transfer(d, c.stack[3], 4, false)
	return number
}

func (fs *Files) seek(c call, d *descriptor) uint32 {
	if d.node.kind == device {
		return eSpipe
	}
	base := int64(0)
	switch c.i32(2) {
	case 0:
	case 1:
		base = int64(d.offset)
	case 2:
		base = int64(len(d.node.data))
	default:
		return eInval
	}
	to := base + int64(c.stack[1])
	if to < 0 {
		return eInval
	}
	if !c.memory.WriteUint64Le(c.i32(3), uint64(to)) {
		return eFault
	}
	d.offset = uint64(to)
	return success
}

func (fs *Files) tell(c call, d *descriptor) uint32 {
	if d.node.kind == device {
		return eSpipe
	}
	return c.put64(1, d.offset)
}

func (fs *Files) status(c call, d *descriptor) uint32 {
	status, ok := c.bytes(c.i32(1), 24)
	if !ok {
		return eFault
	}
	clear(status)
	status[0] = byte(d.node.kind)
	binary.LittleEndian.PutUint16(status[2:], d.flags)
	rights, inherited := uint64(1<<30-1), uint64(1<<30-1)
	if d.node.kind == stream {
		rights, inherited = rightRead|rightWrite|rightPoll, 0
	}
	if d.node.kind != folder {
		if !d.read {
			rights &^= rightRead
		}
		if !d.write {
			rights &^= rightWrite
		}
	}
	binary.LittleEndian.PutUint64(status[8:], rights)
	binary.LittleEndian.PutUint64(status[16:], inherited)
	return success
}

func (fs *Files) setFlags(c call, d *descriptor) uint32 {
	d.flags = uint16(c.i32(1))
	return success
}

// stat writes the status of a node.
func (c call) stat(n *node, to uint32) uint32 {
	b, ok := c.bytes(to, 64)
	if !ok {
		return eFault
	}
	clear(b)
	if n.kind == stream {
		return success
	}
	binary.LittleEndian.PutUint64(b, 1)
	binary.LittleEndian.PutUint64(b[8:], n.number)
	b[16] = byte(n.kind)
	binary.LittleEndian.PutUint64(b[24:], 1)
	binary.LittleEndian.PutUint64(b[32:], uint64(len(n.data)))
	binary.LittleEndian.PutUint64(b[40:], n.accessed)
	binary.LittleEndian.PutUint64(b[48:], n.modified)
	binary.LittleEndian.PutUint64(b[56:], n.modified)
	return success
}

func (fs *Files) stat(c call, d *descriptor) uint32 { return c.stat(d.node, c.i32(1)) }

func pathStat(c call, _ *Files, n *node) uint32 { return c.stat(n, c.i32(4)) }

func (fs *Files) truncate(c call, d *descriptor) uint32 {
	if d.node.kind != file || !d.write {
		return eInval
	}
	return fs.resize(d.node, c.stack[1])
}

func (fs *Files) allocate(c call, d *descriptor) uint32 {
	end := c.stack[1] + c.stack[2]
	switch {
	case d.node.kind != file || !d.write:
		return eInval
	case end < c.stack[1]:
		return eNospc
	case end <= uint64(len(d.node.data)):
		return success
	}
	return fs.resize(d.node, end)
}

// Flags of the functions that set times.
const (
	setAccessed    = 1
	setAccessedNow = 2
	setModified    = 4
	setModifiedNow = 8
)

func (fs *Files) setTimes(n *node, accessed, modified uint64, flags uint32) uint32 {
	if flags&setAccessed != 0 {
		n.accessed = accessed
	}
	if flags&setAccessedNow != 0 {
		n.accessed = fs.now()
	}
	if flags&setModified != 0 {
		n.modified = modified
	}
	if flags&setModifiedNow != 0 {
		n.modified = fs.now()
	}
	return success
}

func (fs *Files) touch(c call, d *descriptor) uint32 {
	return fs.setTimes(d.node, c.stack[1], c.stack[2], c.i32(3))
}

func pathTouch(c call, fs *Files, n *node) uint32 {
	return fs.setTimes(n, c.stack[4], c.stack[5], c.i32(6))
}

// list implements fd_readdir: an entry for each name from a cookie on, cut at the
// end of the buffer.
func (fs *Files) list(c call, d *descriptor) uint32 {
	if d.node.kind != folder {
		return eNotdir
	}
	buffer, ok := c.bytes(c.i32(1), c.i32(2))
	if !ok {
		return eFault
	}
	names := d.node.names()
	fs.system.charge(bytesPerCount * len(names))
	used := 0
	for i := c.stack[3]; i < uint64(len(names)) && used < len(buffer); i++ {
		n := d.node.entries[names[i]]
		entry := binary.LittleEndian.AppendUint64(nil, i+1)
		entry = binary.LittleEndian.AppendUint64(entry, n.number)
		entry = binary.LittleEndian.AppendUint32(entry, uint32(len(names[i])))
		entry = append(entry, byte(n.kind), 0, 0, 0)
		used += copy(buffer[used:], append(entry, names[i]...))
	}
	return c.put32(4, uint32(used))
}

func pathMakeFolder(_ call, fs *Files, p place) uint32 {
	switch {
	case p.node != nil:
		return eExist
	case fs.nodes >= maxNodes:
		return eNospc
	}
	depth := 0
	for at := p.in; at != fs.root; at = at.parent {
		depth++
	}
	if depth >= maxDepth {
		return eNametoolong
	}
	n := fs.newNode(folder)
	n.parent = p.in
	p.in.entries[p.base] = n
	p.in.modified = fs.now()
	return success
}

// remove removes what has a name from its folder.
func (fs *Files) remove(p place) {
	delete(p.in.entries, p.base)
	p.in.modified = fs.now()
	p.node.removed = true
	fs.nodes--
	fs.forget(p.node)
}

func pathRemoveFolder(_ call, fs *Files, p place) uint32 {
	switch {
	case p.base == "":
		return eInval
	case p.node == nil:
		return eNoent
	case p.node.kind != folder:
		return eNotdir
	case len(p.node.entries) > 0:
		return eNotempty
	}
	fs.remove(p)
	return success
}

func pathRemoveFile(_ call, fs *Files, p place) uint32 {
	switch {
	case p.node == nil:
		return eNoent
	case p.node.kind == folder:
		return eIsdir
	case p.node.kind == device:
		return ePerm
	}
	fs.remove(p)
	return success
}

// pathRename moves a name. The arguments are descriptor and path, twice.
func pathRename(c call, fs *Files, from place) uint32 {
	to, number := c.place(3, 4, 5)
	if number != success {
		return number
	}
	n, there := from.node, to.node
	switch {
	case from.base == "" || to.base == "":
		return eInval
	case n == nil:
		return eNoent
	case n == there:
		return success
	case n.kind == device || there != nil && there.kind == device:
		return ePerm
	case there != nil && n.kind == folder && there.kind != folder:
		return eNotdir
	case there != nil && n.kind != folder && there.kind == folder:
		return eIsdir
	case there != nil && there.kind == folder && len(there.entries) > 0:
		return eNotempty
	}
	if n.kind == folder {
		for at := to.in; at != fs.root; at = at.parent {
			if at == n {
				return eInval
			}
		}
		n.parent = to.in
	}
	if there != nil {
		fs.remove(to)
	}
	delete(from.in.entries, from.base)
	to.in.entries[to.base] = n
	n.changed = true
	from.in.modified, to.in.modified = fs.now(), fs.now()
	return success
}

// pathReadLink implements reading links: there are none.
func pathReadLink(call, *Files, *node) uint32 { return eInval }

// pathLink implements making links: it fails.
func pathLink(c call) uint32 {
	if c.system.Files == nil {
		return eBadf
	}
	return eNotsup
}

func (*Files) nothing(call, *descriptor) uint32 { return success }
