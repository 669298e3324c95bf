//go:build !nopython

// Package cpython holds CPython as a WebAssembly module and the memory that
// its programs start from. README.md says how to run one.
package cpython

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"

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

//go:embed pages
var pages string

//go:embed SHA256SUMS
var sums string

// Module returns the module in WebAssembly's binary format. Each call
// decompresses it.
func Module() ([]byte, error) { return decompress(module) }

// Image returns the initial content of the module's memory, from address 0; the
// rest is zero. Each call decompresses it.
func Image() ([]byte, error) { return decompress(image) }

// Pages returns the numbers of the 4,096-byte pages that most programs write
// to, ascending.
func Pages() []int {
	var numbers []int
	for line := range strings.Lines(pages) {
		if n, err := strconv.Atoi(strings.TrimSuffix(line, "\n")); err == nil { // a test reads them all
			numbers = append(numbers, n)
		}
	}
	return numbers
}

// Sum returns the SHA-256 of the compressed module.
func Sum() string { return sum("module.wasm.zst") }

// ImageSum returns the SHA-256 of the compressed image.
func ImageSum() string { return sum("image.zst") }

// sum looks up a checksum, as computing it takes 4 ms.
func sum(name string) string {
	for line := range strings.Lines(sums) {
		if sum, ok := strings.CutSuffix(line, "  "+name+"\n"); ok {
			return sum
		}
	}
	return ""
}

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
