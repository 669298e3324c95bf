package packed

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/format"
)

// A codec decompresses a text to size bytes.
type codec func(text []byte, size int) ([]byte, error)

// codecOf returns a codec, nil for one that is not known here: LZO, and both forms of LZ4.
func codecOf(name format.CompressionCodec) codec {
	switch name {
	case format.Uncompressed:
		return func(text []byte, size int) ([]byte, error) { return text, sized(len(text), size) }
	case format.Snappy:
		return unsnappy
	case format.Gzip:
		return streamed(func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) })
	case format.Brotli:
		return streamed(func(r io.Reader) (io.Reader, error) { return brotli.NewReader(r), nil })
	case format.Zstd:
		return streamed(func(r io.Reader) (io.Reader, error) {
			return zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true))
		})
	}
	return nil
}

// sized returns an error if a page of n bytes should have another size.
func sized(n, size int) error {
	if n != size {
		return fmt.Errorf("expected a page of %d bytes, found another size", size)
	}
	return nil
}

func unsnappy(text []byte, size int) ([]byte, error) {
	n, err := snappy.DecodedLen(text)
	if err == nil {
		err = sized(n, size)
	}
	if err != nil {
		return nil, err
	}
	return snappy.Decode(nil, text)
}

// streamed returns the codec of a reader. No more is read than there should be, and memory is taken
// for what is read.
func streamed(open func(io.Reader) (io.Reader, error)) codec {
	return func(text []byte, size int) ([]byte, error) {
		r, err := open(bytes.NewReader(text))
		if err != nil {
			return nil, err
		}
		if c, is := r.(interface{ Close() }); is { // of zstd, which has goroutines
			defer c.Close()
		}
		data, err := io.ReadAll(io.LimitReader(r, int64(size)+1))
		if err == nil {
			err = sized(len(data), size)
		}
		return data, err
	}
}
