package packed

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// readMetadata returns what a file of size bytes says of itself at its end.
func readMetadata(file io.ReaderAt, size int64) (*format.FileMetaData, error) {
	const magic = "PAR1"
	var head [4]byte
	var tail [8]byte
	if size < int64(len(head)+len(tail)) {
		return nil, errors.New("expected more bytes")
	}
	if _, err := file.ReadAt(head[:], 0); err != nil {
		return nil, err
	}
	if _, err := file.ReadAt(tail[:], size-int64(len(tail))); err != nil {
		return nil, err
	}
	switch end := string(tail[4:]); {
	case end == "PARE":
		return nil, errEncrypted
	case end != magic || string(head[:]) != magic:
		return nil, fmt.Errorf("expected PAR1 at both ends, found %q and %q", head, tail[4:])
	}
	length := int64(binary.LittleEndian.Uint32(tail[:]))
	if length > size-int64(len(head)+len(tail)) {
		return nil, fmt.Errorf("expected metadata of less than %d bytes, found %d", size, length)
	}
	text := make([]byte, length)
	if _, err := file.ReadAt(text, size-int64(len(tail))-length); err != nil {
		return nil, err
	}
	metadata := new(format.FileMetaData)
	if err := thrift.Unmarshal(new(thrift.CompactProtocol), text, metadata); err != nil {
		return nil, fmt.Errorf("expected metadata: %w", err)
	}
	if metadata.EncryptionAlgorithm.Value != nil {
		return nil, errEncrypted
	}
	return metadata, nil
}

var errEncrypted = errors.New("expected a file that is not encrypted")

// An element is a node of a file's schema.
type element struct {
	*format.SchemaElement
	path                   []string // the names below the root
	fields                 []*element
	repetition, definition int // the highest levels
}

// maxDepth bounds the groups around a leaf.
const maxDepth = 255

// readSchema returns the root of a schema, whose elements are listed in the order of a walk.
func readSchema(list []format.SchemaElement) (*element, error) {
	if len(list) == 0 {
		return nil, errors.New("expected a schema")
	}
	root, rest, err := readElement(list, &element{}, 0)
	if err == nil && len(rest) > 0 {
		err = fmt.Errorf("expected a schema of one root, found %d elements more", len(rest))
	}
	return root, err
}

func readElement(list []format.SchemaElement, parent *element, depth int) (e *element, rest []format.SchemaElement, err error) {
	e, rest = &element{SchemaElement: &list[0], repetition: parent.repetition, definition: parent.definition}, list[1:]
	if depth > 0 {
		e.path = append(parent.path[:len(parent.path):len(parent.path)], e.Name)
		if e.isRepeated() {
			e.repetition++
		}
		if e.isRepeated() || e.isOptional() {
			e.definition++
		}
	}
	n := int(e.NumChildren.V)
	switch {
	case depth > maxDepth:
		return nil, nil, fmt.Errorf("expected at most %d groups around a column, found more", maxDepth)
	case n < 0 || n > len(rest):
		return nil, nil, fmt.Errorf("expected %d fields in group %.100q, found %d at most", n, e.Name, len(rest))
	}
	for range n {
		if len(rest) == 0 {
			return nil, nil, fmt.Errorf("expected %d fields in group %.100q, found %d", n, e.Name, len(e.fields))
		}
		var field *element
		if field, rest, err = readElement(rest, e, depth+1); err != nil {
			return nil, nil, err
		}
		e.fields = append(e.fields, field)
	}
	return e, rest, nil
}

// The root has no type of repetition that counts.
func (e *element) isRepeated() bool { return e.is(format.Repeated) }
func (e *element) isOptional() bool { return e.is(format.Optional) }

func (e *element) is(kind format.FieldRepetitionType) bool {
	return e.RepetitionType.Valid && e.RepetitionType.V == kind
}

func (e *element) isLeaf() bool { return len(e.fields) == 0 && e.Type.Valid }
