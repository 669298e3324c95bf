package service

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/sha256"
)

// A digest replaces a text from a client, for example as a key.
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
	mac cipher.AEAD // nil if FIPS 140 allows only standards: then SHA-256
}

func newDigester() *digester {
	key := make([]byte, 16)
	rand.Read(key) // never fails
	block, err := aes.NewCipher(key)
	if err != nil {
		panic(err) // impossible for a key of this length
	}
	mac, err := cipher.NewGCM(block)
	if err != nil {
		return &digester{}
	}
	return &digester{mac}
}

// append appends the digest of text to dst. The two must not share memory.
func (d *digester) append(dst, text []byte) []byte {
	if d.mac == nil {
		sum := sha256.Sum256(text)
		return append(dst, sum[:len(digest{})]...)
	}
	return d.mac.Seal(dst, nonce[:], nil, text)
}

// nonce is constant: it would only matter if tags were public.
var nonce [12]byte
