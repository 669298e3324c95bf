package sandbox

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"codelinter/internal/python/characters"
	"codelinter/internal/python/pytext"
)

// A Kind is the kind of a [Value]. It determines which fields are set.
type Kind uint8

// The kinds. A kind named for a built-in type means exactly that type: an
// instance of a subclass is an Instance with a Base.
const (
	Invalid        Kind = iota // no value: of a binding that was not evaluated, or of a call without an expression
	None                       // None
	Ellipsis                   // ...
	NotImplemented             // NotImplemented
	Bool                       // Int: 0 or 1
	Int                        // Int
	Float                      // Float[0]
	Complex                    // Float: real, imaginary
	Str                        // Str, as WTF-8: a lone surrogate is the three bytes that UTF-8 would have for it
	Bytes                      // Str
	ByteArray                  // Str
	Range                      // Items: start, stop, step
	Slice                      // Items: start, stop, step
	List                       // Items
	Tuple                      // Items
	Set                        // Items, in the order of their encodings
	FrozenSet                  // Items, in the order of their encodings
	Dict                       // Keys and Items, in the dict's order
	DictKeys                   // Items
	DictValues                 // Items
	DictItems                  // Items, each a Tuple
	Instance                   // Class; Base, if its class derives from a built-in type; Keys and Items: attributes of __dict__ and slots, ascending by name, which is a Str
	Iterator                   // Class; Items: the elements taken; More or Raised, if these are not all
	Class                      // Str: the qualified name with the module
	Function                   // Str: the qualified name with the module; Class: of the function, such as "builtin_function_or_method"
	Module                     // Str: the name
	Reference                  // ID: of the Value that is the same object
	TooLarge                   // Class, or "" if unknown; the object exceeds the bounds: 200,000 values, a depth of 1,000 or 8 MiB for a call, a million values for a program
	Opaque                     // Class; the object has no encoding
)

// A Value is a Python object as plain data. No code of the program ran to make
// it, except to take the elements of a built-in iterator or a generator. It is
// a tree: if an object occurs several times, or within itself, all but its
// first place are a Reference. Immutable scalars are not tracked.
//
// Base has the hidden state of types written in C: a List for
// collections.deque, a Tuple for datetime.date, a Str for decimal.Decimal, the
// Tuple of arguments for an exception. sandbox/internal/cpython/README.md lists
// them.
type Value struct {
	Kind   Kind
	ID     int        // number of the object, from 1, if References to it are possible; of a Reference, the object's number
	Class  string     // qualified name of the object's class, with its module unless that is builtins
	Int    *big.Int   // not nil with Bool and Int
	Float  [2]float64 // bit for bit, payloads of nan included
	Str    string
	Base   *Value // an Instance as the built-in type from which its class derives; may be nil
	Items  []Value
	Keys   []Value
	More   bool   // an Iterator has more elements than were taken; a TooLarge exceeds only the bound for a program, after the values of earlier calls
	Raised string // class of the exception that ended an Iterator
}

// maxRepr bounds String, in bytes.
const maxRepr = 4096

// String returns the value as Python's repr does, for people: cut after some
// 4,000 bytes, and with angle brackets around objects without a literal.
func (v Value) String() string {
	var w writer
	v.repr(&w, 0)
	if w.Len() <= maxRepr {
		return w.String()
	}
	return strings.ToValidUTF8(w.String()[:maxRepr], "") + "..."
}

// Expression returns an expression that makes the value again. ok is false if there is none, as for
// an instance of a class of the program.
func (v *Value) Expression() (text string, ok bool) {
	w := writer{exact: true}
	v.repr(&w, 0)
	return w.String(), !w.failed
}

// A writer writes values for people or, if it is exact, for Python.
type writer struct {
	strings.Builder
	exact, failed bool
}

func (w *writer) full() bool { return !w.exact && w.Len() > maxRepr }

// hasLiteral reports whether Python has a literal or a call of a builtin for a value of the kind.
func (k Kind) hasLiteral() bool {
	return k >= None && k <= Dict && k != NotImplemented || k == Iterator
}

func (v *Value) repr(w *writer, depth int) {
	if w.full() {
		return
	}
	if depth > 100 || w.exact && !v.Kind.hasLiteral() {
		w.failed = true
		w.WriteString("...")
		return
	}
	depth++
	switch v.Kind {
	case Bool, Int, Float, Complex:
		w.WriteString(v.number(w.exact))
	case Str:
		w.Write(pytext.AppendRepr(nil, v.Str, unicode))
	case Bytes:
		w.Write(pytext.AppendBytesRepr(nil, v.Str))
	case ByteArray:
		w.WriteString("bytearray(" + string(pytext.AppendBytesRepr(nil, v.Str)) + ")")
	case Instance:
		w.WriteString("<" + v.Class)
		if v.Base != nil {
			w.WriteByte(' ')
			v.Base.repr(w, depth)
		}
		if len(v.Items) > 0 {
			v.list(w, " ", "", depth)
		}
		w.WriteByte('>')
	case Iterator:
		if w.exact {
			w.failed = w.failed || v.More || v.Raised != ""
			v.list(w, "iter([", "])", depth)
			return
		}
		w.WriteString("<" + v.Class)
		v.list(w, " of [", "", depth)
		if v.More {
			w.WriteString(", ...")
		} else if v.Raised != "" {
			w.WriteString(", raised " + v.Raised)
		}
		w.WriteString("]>")
	case Class:
		w.WriteString("<class '" + v.Str + "'>")
	case Function:
		w.WriteString("<" + v.Class + " " + v.Str + ">")
	case Module:
		w.WriteString("<module '" + v.Str + "'>")
	case Reference:
		w.WriteString("<object " + strconv.Itoa(v.ID) + " again>")
	case TooLarge:
		w.WriteString("<" + v.Class + ": too large>")
	case Opaque:
		w.WriteString("<" + v.Class + ">")
	default:
		v.display(w, depth)
	}
}

// displays has what stands before and after the items of a value.
var displays = [256][2]string{
	Invalid: {"<no value>"}, None: {"None"}, Ellipsis: {"Ellipsis"}, NotImplemented: {"NotImplemented"},
	Range: {"range(", ")"}, Slice: {"slice(", ")"}, List: {"[", "]"}, Tuple: {"(", ")"}, Set: {"{", "}"}, FrozenSet: {"frozenset({", "})"}, Dict: {"{", "}"},
	DictKeys: {"dict_keys([", "])"}, DictValues: {"dict_values([", "])"}, DictItems: {"dict_items([", "])"},
}

// display writes a value by displays.
func (v *Value) display(w *writer, depth int) {
	ends := displays[v.Kind]
	switch {
	case v.Kind == Range && len(v.Items) == 3 && v.Items[2].Kind == Int && v.Items[2].Int.IsInt64() && v.Items[2].Int.Int64() == 1:
		v = &Value{Items: v.Items[:2]}
	case v.Kind == Tuple && len(v.Items) == 1:
		ends[1] = ",)"
	case v.Kind == Set && len(v.Items) == 0:
		ends = [2]string{"set(", ")"}
	case v.Kind == FrozenSet && len(v.Items) == 0:
		ends = [2]string{"frozenset(", ")"}
	}
	v.list(w, ends[0], ends[1], depth)
}

// list writes the items, with their keys.
func (v *Value) list(w *writer, open, shut string, depth int) {
	w.WriteString(open)
	for i := range v.Items {
		if w.full() {
			return
		}
		if i > 0 {
			w.WriteString(", ")
		}
		if v.Kind == Instance {
			w.WriteString(v.Keys[i].Str + "=")
		} else if v.Keys != nil {
			v.Keys[i].repr(w, depth)
			w.WriteString(": ")
		}
		v.Items[i].repr(w, depth)
	}
	w.WriteString(shut)
}

// unicode is the version of Unicode that the interpreter has.
const unicode = characters.Unicode15_1

// number returns the repr of a number or, if it is exact, an expression.
func (v *Value) number(exact bool) string {
	float := func(f float64, whole bool) string {
		text := string(pytext.AppendFloatRepr(nil, f, whole))
		if exact && (math.IsNaN(f) || math.IsInf(f, 0)) {
			return "float('" + text + "')"
		}
		return text
	}
	switch {
	case v.Kind == Bool && v.Int.Sign() != 0:
		return "True"
	case v.Kind == Bool:
		return "False"
	case v.Kind == Int && exact: // Python does not read decimals of more than 4,300 digits
		return fmt.Sprintf("%#x", v.Int)
	case v.Kind == Int && v.Int.BitLen() > 4*maxRepr:
		return "<int of " + strconv.Itoa(v.Int.BitLen()) + " bits>"
	case v.Kind == Int:
		return v.Int.String()
	case v.Kind == Float:
		return float(v.Float[0], true)
	case exact:
		return "complex(" + float(v.Float[0], true) + ", " + float(v.Float[1], true) + ")"
	}
	im := float(v.Float[1], false) + "j"
	if math.Float64bits(v.Float[0]) == 0 { // Python omits a real part of 0.0, but not of -0.0
		return im
	}
	if im[0] != '-' {
		im = "+" + im
	}
	return "(" + float(v.Float[0], false) + im + ")"
}
