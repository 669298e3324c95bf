package job

import "encoding/binary"

// A Decoder decodes a request or a reply in the interpreter's encoding. A program may write
// anything there. After a failure the Decoder is empty and returns zeros, and a count never exceeds
// the available bytes.
type Decoder struct {
	rest   []byte
	failed bool
}

// NewDecoder returns a Decoder of b. Its results share b's memory.
func NewDecoder(b []byte) Decoder { return Decoder{rest: b} }

// Fail makes all later reads fail.
func (d *Decoder) Fail() {
	d.failed = true
	d.rest = nil
}

// Failed reports whether there was a failure.
func (d *Decoder) Failed() bool { return d.failed }

// Len returns the number of bytes that are left.
func (d *Decoder) Len() int { return len(d.rest) }

// End returns an error if there was a failure or bytes are left.
func (d *Decoder) End() error {
	if d.failed || len(d.rest) > 0 {
		return errFrame
	}
	return nil
}

// Byte reads a byte.
func (d *Decoder) Byte() byte {
	if len(d.rest) == 0 {
		d.Fail()
		return 0
	}
	c := d.rest[0]
	d.rest = d.rest[1:]
	return c
}

// Uvarint reads a number that is not negative, in the form of [binary.Uvarint].
func (d *Decoder) Uvarint() uint64 {
	v, n := binary.Uvarint(d.rest)
	if n <= 0 {
		d.Fail()
		return 0
	}
	d.rest = d.rest[n:]
	return v
}

// Count reads a number of items of at least size bytes each. It fails if there is no
// room for so many.
func (d *Decoder) Count(size int) int {
	n := d.Uvarint()
	if n > uint64(len(d.rest)/size) {
		d.Fail()
		return 0
	}
	return int(n)
}

// Raw reads n bytes; after a failure they are zeros.
func (d *Decoder) Raw(n int) []byte {
	if n > len(d.rest) {
		d.Fail()
		return make([]byte, n)
	}
	b := d.rest[:n:n]
	d.rest = d.rest[n:]
	return b
}

// Bytes reads a number of bytes and then these.
func (d *Decoder) Bytes() []byte { return d.Raw(d.Count(1)) }
