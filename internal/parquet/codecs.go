package parquet

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
)

// A decompressor has the memory that libraries reuse.
type decompressor struct {
	gzip   *gzip.Reader
	brotli *brotli.Reader
	zstd   *zstd.Decoder
}

// errSize is the error of a page that does not become what its header says.
var errSize = errors.New("expected a page of the size that its header says, found another")

// decompress fills page with what packed becomes, which must be of that length. No
// library is let write more.
func (d *decompressor) decompress(codec codec, page, packed []byte) (err error) {
	n := 0
	switch codec {
	case codecSnappy:
		if n, err = snappy.DecodedLen(packed); err == nil && n == len(page) {
			_, err = snappy.Decode(page, packed)
		}
	case codecGzip:
		if d.gzip == nil {
			d.gzip = new(gzip.Reader)
		}
		if err = d.gzip.Reset(bytes.NewReader(packed)); err == nil {
			n, err = fill(page, d.gzip)
		}
	case codecBrotli:
		if d.brotli == nil {
			d.brotli = new(brotli.Reader)
		}
		if err = d.brotli.Reset(bytes.NewReader(packed)); err == nil {
			n, err = fill(page, d.brotli)
		}
	case codecZstd:
		if d.zstd == nil {
			if d.zstd, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecodeAllCapLimit(true)); err != nil {
				return err
			}
		}
		var decoded []byte
		decoded, err = d.zstd.DecodeAll(packed, page[:0:len(page)])
		if n = len(decoded); n == len(page) && n > 0 && &decoded[0] != &page[0] {
			copy(page, decoded) // the library may choose memory of its own
		}
	case codecLZ4Raw:
		n, err = lz4.UncompressBlock(packed, page)
	case codecLZ4:
		n, err = decompressHadoop(page, packed)
	default:
		return fmt.Errorf("expected a codec other than %s", codec)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", codec, err)
	}
	if n != len(page) {
		return errSize
	}
	return nil
}

// fill fills page from r, which must have no more.
func fill(page []byte, r io.Reader) (n int, err error) {
	if n, err = io.ReadFull(r, page); err != nil {
		return n, err
	}
	var more [1]byte
	switch n, err := io.ReadFull(r, more[:]); {
	case n > 0:
		return 0, errSize
	case err != io.EOF:
		return 0, err
	}
	return n, nil
}

// decompressHadoop decompresses LZ4 as Hadoop frames it: blocks of a length, and until
// that is reached, pieces after the length that they have compressed; all lengths have 4
// bytes, the first the most significant. Some writers left the frames out.
func decompressHadoop(page, packed []byte) (n int, err error) {
	whole := packed
	for len(packed) > 0 && err == nil {
		if len(packed) < 4 {
			err = errSize
			break
		}
		end := uint64(n) + uint64(binary.BigEndian.Uint32(packed))
		packed = packed[4:]
		if end > uint64(len(page)) {
			err = errSize
		}
		for uint64(n) < end && err == nil {
			if len(packed) < 4 {
				err = errSize
				break
			}
			size := binary.BigEndian.Uint32(packed)
			packed = packed[4:]
			if uint64(size) > uint64(len(packed)) {
				err = errSize
				break
			}
			written := 0
			written, err = lz4.UncompressBlock(packed[:size], page[n:end])
			if written == 0 && err == nil {
				err = errSize
			}
			n += written
			packed = packed[size:]
		}
	}
	if err != nil {
		return lz4.UncompressBlock(whole, page)
	}
	return n, nil
}
