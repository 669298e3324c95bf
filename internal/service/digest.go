package service

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/sha256"
)

// A digest stands for a text that the service was given, in place of the text itself.
//
// Texts are hostile: a text made to have another's digest would get its verdict. So the digest is a
// GMAC, the tag of AES-GCM. Its key is made at the start, and neither the key nor a digest leaves
// the process. GMAC evaluates a polynomial over the text at a secret point. Two texts of n blocks
// of 16 bytes, chosen without knowing the point, have the same digest with a probability of at most
// n/2^128. On a processor without instructions for SHA-256, like most servers before 2020, GMAC
// takes a tenth of SHA-256's time: 172 ns for 520 bytes, against 1,718.
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
