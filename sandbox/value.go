package sandbox

import "math/big"

// A Kind says what a [Value] is, and with that which of its fields are set.
type Kind uint8

// The kinds. A kind named for a built-in type means exactly that type: an
// instance of a subclass is an Instance with a Base.
const (
	Invalid        Kind = iota // no value
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
	Instance                   // Class; Base, if its class derives from a built-in type; Keys and Items: attributes by name, ascending
	Iterator                   // Class; Items: what it gave; More or Raised, if that is not all
	Function                   // Str: the qualified name; Class: of the function, such as builtins.function
	Class                      // Str: the qualified name with the module
	Module                     // Str: the name
	Reference                  // ID: of the Value that is the same object
	TooLarge                   // Class; it or what it is in exceeds a bound on depth, number or bytes
	Opaque                     // Class; there is no encoding for it
)

// A Value is a Python object as plain data, which is made without running any
// code of its program, an iterator's elements apart. It is a tree; where an
// object stands in two places, or within itself, the later place is a
// Reference to the first.
type Value struct {
	Kind   Kind
	ID     int        // number of the object, where a Reference can be to it; with Reference, of the object meant
	Class  string     // qualified name of the object's class with its module
	Int    *big.Int   // never nil with Bool and Int
	Float  [2]float64 // bit for bit, payloads of nan included
	Str    string
	Base   *Value // an Instance's value as the built-in type that its class derives from
	Items  []Value
	Keys   []Value
	More   bool   // an Iterator that was not asked for all it has
	Raised string // type of the exception that ended an Iterator, other than StopIteration
}
