package codecache

import (
	"hash/crc32"
	"sync"
)

// Images have holes: CPython's begins with a stack of 16 MiB that is all zero. Reading a hole takes
// as long as reading data, so the checksum of a file leaves holes out and computes what their zeros
// do to it.
//
// A zero bit that enters a CRC shifts its register, which is linear over GF(2): a matrix, of 32
// columns. zeros()[k] is the matrix of 2**k zero bytes, the square of the one before it.
var zeros = sync.OnceValue(func() *[40][32]uint32 {
	var powers [40][32]uint32
	for bit := range 32 {
		// The register after a zero byte, of a register with this bit alone.
		register := uint32(1) << bit
		powers[0][bit] = castagnoli[byte(register)] ^ register>>8
	}
	for k := 1; k < len(powers); k++ {
		for bit, column := range powers[k-1] {
			powers[k][bit] = multiply(&powers[k-1], column)
		}
	}
	return &powers
})

// multiply returns the product of a matrix and a vector.
func multiply(matrix *[32]uint32, vector uint32) (product uint32) {
	for bit := 0; vector != 0; bit, vector = bit+1, vector>>1 {
		product ^= matrix[bit] & -(vector & 1)
	}
	return product
}

// appendZeros returns the CRC-32C of data and n zero bytes, of data's sum.
func appendZeros(sum uint32, n int64) uint32 {
	register := ^sum // as crc32 does, the register begins and ends inverted
	for k := 0; n > 0; k, n = k+1, n>>1 {
		if n&1 != 0 {
			register = multiply(&zeros()[k], register)
		}
	}
	return ^register
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)
