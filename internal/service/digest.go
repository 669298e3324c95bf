package service

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/sha256"
)

// A digest stands for a text that the service was given, in place of the text itself.
//
// Texts are hostile: one that was made to have the digest of another would get its
// verdict. So the digest is a GMAC, the tag of AES-GCM, under a key that is made at the
// start and, as the digests, never leaves the process. It is a polynomial over the text
// at a secret point: of texts that were chosen without knowing that point, two of n
// blocks of 16 bytes have one digest with a probability of n/2^128 at most. Where the
// processor has no instructions for SHA-256, as most servers before 2020, it takes a
// tenth of that: 172 ns for 520 bytes, against 1,718.
type digest [16]byte

// A digester makes digests, on any goroutine.
type digester struct {
	mac cipher.AEAD // nil where FIPS 140 allows nothing but standards: then SHA-256
}

func newDigester() *digester {
	key := make([]byte, 16)
	rand.Read(key) // never fails
	block, err := aes.NewCipher(key)
	if err != nil {
		panic(err) // of a key of another length
	}
	mac, err := cipher.NewGCM(block)
	if err != nil {
		return &digester{}
	}
	return &digester{mac}
}

// append appends the digest of text to dst, which has no memory in common with it.
func (d *digester) append(dst, text []byte) []byte {
	if d.mac == nil {
		sum := sha256.Sum256(text)
		return append(dst, sum[:len(digest{})]...)
	}
	return d.mac.Seal(dst, nonce[:], nil, text)
}

// nonce is the same for all texts: it hides what a tag is of, and tags are not shown.
var nonce [12]byte
