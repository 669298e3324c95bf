package sandbox

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/big"

	"codelinter/sandbox/internal/job"
)

// This file has the wire format of calls and replies, defined by
// sandbox/internal/cpython/README.md. A hostile program could write to the
// memory of replies, so they are not trusted: lengths are checked against the
// available bytes, numbers of values and depths against the bounds of CPython's
// side.

// Bounds on a reply.
const (
	maxNodes = 2 * 200_000 // the other side does not count attributes' names and the pairs of dict views
	maxDepth = 1000 + 10
	maxReply = 9 << 20 // bytes
)

// maxResult bounds the values in all replies to a program. Each takes 150 to
// 200 bytes here.
const maxResult = 1_000_000

// defaultItems is the default of Call.Items.
const defaultItems = 100

var errReply = errors.New("the interpreter sent a reply that makes no sense")

// encode returns the request for a call.
func (c *Call) encode() ([]byte, error) {
	items := c.Items
	switch {
	case items == 0:
		items = defaultItems
	case items < 0:
		return nil, fmt.Errorf("call of %.40q: %d items of an iterator", c.Expr, items)
	}
	b := binary.AppendUvarint(make([]byte, 0, 64+len(c.Expr)), uint64(min(items, maxNodes)))
	name := func(s string) {
		b = binary.AppendUvarint(b, uint64(len(s)))
		b = append(b, s...)
	}
	text := func(s string) {
		b = binary.AppendUvarint(b, uint64(len(s))<<1)
		b = append(b, s...)
	}
	text(c.Exec)
	text(c.Expr)
	b = binary.AppendUvarint(b, uint64(len(c.Bind)))
	for _, binding := range c.Bind {
		name(binding.Name)
		text(binding.Expr)
	}
	b = binary.AppendUvarint(b, uint64(len(c.Return)))
	for _, wanted := range c.Return {
		name(wanted)
	}
	return b, nil
}

// asked says what a reply must contain.
type asked struct {
	value    bool // a call's value, followed by those of names
	names    int  // number of names
	coverage bool
	room     *int // values left for all replies to a program; nil: only the reply's own bound
}

// decodeReply reads a reply into an outcome's End, Exception, Value, After and
// Coverage.
func decodeReply(b []byte, a asked, o *Outcome) error {
	if len(b) > maxReply {
		return errReply
	}
	r := reply{Decoder: job.NewDecoder(b), nodes: maxNodes, nextID: 1}
	switch r.Byte() {
	case 0:
		o.End = Done
		if a.value {
			o.Value = r.value()
			o.After = r.values(a.names)
		}
	case 1:
		o.End = Raised
		o.Exception = r.exception()
		if a.value {
			o.After = r.values(a.names)
		}
	case 2:
		o.End = Exited
		o.Exception = r.exception()
		code := r.Uvarint()
		if code > 255 {
			return errReply
		}
		o.Exception.Code = int(code)
		if a.value {
			o.After = r.values(a.names)
		}
	default:
		return errReply
	}
	if a.coverage {
		o.Coverage = r.coverage()
	}
	if r.End() != nil {
		return errReply
	}
	if a.room != nil {
		if n := maxNodes - r.nodes; n <= *a.room {
			*a.room -= n
		} else {
			o.Value.forget()
			for i := range o.After {
				o.After[i].forget()
			}
		}
	}
	return nil
}

// forget makes a value with parts TooLarge, for the values before it.
func (v *Value) forget() {
	if len(v.Items) > 0 || len(v.Keys) > 0 || v.Base != nil {
		*v = Value{Kind: TooLarge, Class: v.Class, More: true}
	}
}

// A reply is the unread rest of a reply.
type reply struct {
	job.Decoder
	nodes   int // values that may still be allocated
	nextID  int
	classes []string
}

func (r *reply) string() string { return string(r.Bytes()) }

func (r *reply) float() float64 {
	return math.Float64frombits(binary.LittleEndian.Uint64(r.Raw(8)))
}

func (r *reply) class() string {
	k := r.Uvarint()
	if k == 0 {
		name := r.string()
		r.classes = append(r.classes, name)
		return name
	}
	if k > uint64(len(r.classes)) {
		r.Fail()
		return ""
	}
	return r.classes[k-1]
}

func (r *reply) exception() *Exception {
	e := &Exception{Type: r.class(), Text: r.string()}
	line := r.Uvarint()
	if line > math.MaxInt32 {
		r.Fail()
	}
	e.Line = int(line)
	e.Traceback = r.string()
	return e
}

// number reads a number up to MaxInt32.
func (r *reply) number() int {
	n := r.Uvarint()
	if n > math.MaxInt32 {
		r.Fail()
		return 0
	}
	return int(n)
}

// lines reads ascending lines, as differences.
func (r *reply) lines() []int {
	lines := make([]int, r.Count(1))
	last := uint64(0)
	for i := range lines {
		if last += uint64(r.number()); last > math.MaxInt32 {
			r.Fail()
			break
		}
		lines[i] = int(last)
	}
	return lines
}

func (r *reply) coverage() *Coverage {
	c := &Coverage{Lines: r.lines(), Branches: make([]Branch, r.Count(3))}
	for i := range c.Branches {
		c.Branches[i] = Branch{r.number(), r.number(), r.number()}
	}
	return c
}

func (r *reply) values(n int) []Value {
	if n == 0 {
		return nil
	}
	values := make([]Value, n)
	for i := range values {
		values[i] = r.value()
	}
	return values
}

// A drain has the elements taken from an iterator.
type drain struct {
	items  []Value
	more   bool
	raised string
}

// value reads a value and the elements of its iterators, which follow it.
func (r *reply) value() Value {
	var v Value
	r.node(&v, 0)
	n := r.Count(3)
	if n == 0 {
		return v
	}
	drains := make(map[int]drain, n)
	for range n {
		id := r.Uvarint()
		if id > uint64(r.Len())+maxNodes {
			r.Fail()
			return v
		}
		d := drain{items: r.list(0)}
		switch r.Byte() {
		case 0:
		case 1:
			d.more = true
		case 2:
			d.raised = r.class()
		default:
			r.Fail()
		}
		if _, twice := drains[int(id)+1]; twice || r.Failed() {
			r.Fail()
			return v
		}
		drains[int(id)+1] = d
	}
	place(&v, drains, 0)
	if len(drains) > 0 {
		r.Fail() // elements without an iterator
	}
	return v
}

// place moves elements from drains into the iterators of v. Elements may
// contain iterators.
func place(v *Value, drains map[int]drain, depth int) {
	if len(drains) == 0 || depth > 2*maxDepth {
		return
	}
	if v.Kind == Iterator {
		if d, ok := drains[v.ID]; ok {
			delete(drains, v.ID)
			v.Items, v.More, v.Raised = d.items, d.more, d.raised
		}
	}
	if v.Base != nil {
		place(v.Base, drains, depth+1)
	}
	for i := range v.Keys {
		place(&v.Keys[i], drains, depth+1)
	}
	for i := range v.Items {
		place(&v.Items[i], drains, depth+1)
	}
}

// make allocates n values. The bound is for the whole reply, so nested lists
// with huge lengths cannot allocate more.
func (r *reply) make(n int) []Value {
	if n > r.nodes {
		r.Fail()
		return nil
	}
	r.nodes -= n
	return make([]Value, n)
}

func (r *reply) list(depth int) []Value {
	items := r.make(r.Count(1))
	for i := range items {
		r.node(&items[i], depth)
	}
	return items
}

// kinds has the kind of the value that each tag begins.
var kinds = [256]Kind{
	'-': Invalid, 'N': None, '.': Ellipsis, '!': NotImplemented, 'T': Bool, 'F': Bool, 'i': Int, 'f': Float, 'c': Complex, 's': Str, 'b': Bytes, 'B': ByteArray,
	'R': Range, 'S': Slice, '[': List, '(': Tuple, '{': Set, '<': FrozenSet, 'd': Dict, 'k': DictKeys, 'v': DictValues, 'w': DictItems,
	'o': Instance, 'g': Iterator, 'C': Class, 'L': Function, 'M': Module, 'r': Reference, '+': TooLarge, 'x': Opaque,
}

func (r *reply) node(v *Value, depth int) {
	tag := r.Byte()
	v.Kind = kinds[tag]
	if depth > maxDepth || v.Kind == Invalid && tag != '-' {
		r.Fail()
		return
	}
	switch v.Kind {
	case Bool:
		v.Int = new(big.Int)
		if tag == 'T' {
			v.Int.SetInt64(1)
		}
	case Int:
		v.Int = integer(r.Bytes())
	case Float:
		v.Float[0] = r.float()
	case Complex:
		v.Float[0] = r.float()
		v.Float[1] = r.float()
	case Str, Bytes, Class, Module:
		v.Str = r.string()
	case Function:
		v.Class = r.class()
		v.Str = r.string()
	case TooLarge, Opaque:
		v.Class = r.class()
	case Reference:
		id := r.Uvarint()
		if id+1 >= uint64(r.nextID) {
			r.Fail()
		}
		v.ID = int(id) + 1
	case Invalid, None, Ellipsis, NotImplemented:
	default:
		v.ID = r.nextID
		r.nextID++
		r.object(v, depth+1)
	}
}

// object reads what is in a value to which there may be references.
func (r *reply) object(v *Value, depth int) {
	switch v.Kind {
	case ByteArray:
		v.Str = r.string()
	case Range, Slice:
		v.Items = r.make(3)
		for i := range v.Items {
			r.node(&v.Items[i], depth)
		}
	case Dict:
		n := r.Count(2)
		v.Keys, v.Items = r.make(n), r.make(n)
		for i := range min(len(v.Keys), len(v.Items)) {
			r.node(&v.Keys[i], depth)
			r.node(&v.Items[i], depth)
		}
	case DictItems:
		v.Items = r.make(r.Count(2))
		for i := range v.Items {
			pair := r.make(2)
			if r.Failed() {
				return
			}
			v.Items[i] = Value{Kind: Tuple, Items: pair}
			r.node(&pair[0], depth)
			r.node(&pair[1], depth)
		}
	case Instance:
		v.Class = r.class()
		var base Value
		if r.node(&base, depth); base.Kind != Invalid {
			v.Base = &base
		}
		n := r.Count(2)
		v.Keys, v.Items = r.make(n), r.make(n)
		for i := range min(len(v.Keys), len(v.Items)) {
			v.Keys[i] = Value{Kind: Str, Str: r.string()}
			r.node(&v.Items[i], depth)
		}
	case Iterator:
		v.Class = r.class()
	default: // a list, a tuple, a set or a view
		v.Items = r.list(depth)
	}
}

// integer decodes b in two's complement, little endian.
func integer(b []byte) *big.Int {
	if len(b) == 0 {
		return new(big.Int)
	}
	if len(b) <= 8 {
		var n uint64
		for i, c := range b {
			n |= uint64(c) << (8 * i)
		}
		shift := 64 - 8*len(b)
		return big.NewInt(int64(n<<shift) >> shift)
	}
	big1 := make([]byte, len(b))
	for i, c := range b {
		big1[len(b)-1-i] = c
	}
	n := new(big.Int).SetBytes(big1)
	if big1[0] >= 0x80 {
		n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
	}
	return n
}
