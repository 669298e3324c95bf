//go:build !nopython

// Package cpython holds CPython as a WebAssembly module and the memory that
// its programs start from. README.md says how to run one.
package cpython

import (
	"crypto/sha256"
	_ "embed"
	"fmt"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// Version is the version of CPython.
const Version = "3.13.5"

// Embedded reports whether the binary holds CPython.
const Embedded = true

//go:embed module.wasm.zst
var module []byte

//go:embed image.zst
var image []byte

// Module returns the module, in WebAssembly's binary format. Each call
// decompresses it anew.
func Module() ([]byte, error) { return decompress(module) }

// Image returns what the module's memory holds at first, from address 0; after
// it there are zeros. Each call decompresses it anew.
func Image() ([]byte, error) { return decompress(image) }

// Sum returns a checksum that tells the module from any other.
func Sum() string { return fmt.Sprintf("%x", sha256.Sum256(module)) }

// ImageSum returns a checksum that tells the image from any other.
func ImageSum() string { return imageSum() }

var imageSum = sync.OnceValue(func() string { return fmt.Sprintf("%x", sha256.Sum256(image)) })

func decompress(data []byte) ([]byte, error) {
	decoder, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, fmt.Errorf("the embedded CPython: %w", err)
	}
	defer decoder.Close()
	out, err := decoder.DecodeAll(data, nil)
	if err != nil {
		return nil, fmt.Errorf("the embedded CPython: %w", err)
	}
	return out, nil
}
