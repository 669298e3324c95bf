package codecs

import (
	"compress/flate"
	_ "embed" // for the tables
	"io"
	"strings"
	"sync"
	"unicode/utf8"
)

// The families of tables, as generate.py writes them.
var (
	chinese   = inflated(&chineseTables)
	japanese  = inflated(&japaneseTables)
	korean    = inflated(&koreanTables)
	single    = inflated(&singleTables)
	taiwanese = inflated(&taiwaneseTables)

	//go:embed chinese.bin
	chineseTables string
	//go:embed japanese.bin
	japaneseTables string
	//go:embed korean.bin
	koreanTables string
	//go:embed single.bin
	singleTables string
	//go:embed taiwanese.bin
	taiwaneseTables string
)

// The tables that do not belong to the codec of their number in names.txt.
const (
	gb2312Table          = 1 // of chinese
	gb18030FourBytes     = 3
	eucJPTable           = 3 // of japanese
	eucJIS2004Plane2     = 7
	eucJISX0213Plane2    = 8
	eucJPPlane2          = 9
	jisx0213Plane1Of2000 = 10
	jisx0213Plane1Of2004 = 11
	jisx0213Plane2       = 12
	iso8859_7UpperHalf   = 13
	ksx1001Table         = 3 // of korean
)

// A family is tables of codecs that have most characters in common.
type family struct {
	pairs  [][2]rune // values that are two characters
	tables []table
}

// A table maps a byte, or two, to a value.
type table struct {
	single [256]value
	lead   [256]int32 // where a lead byte's row begins in double, -1 for no lead byte
	trail  [256]int32 // a trail byte's place in a row, -1 for no trail byte
	double []value
}

// A value is 0 for nothing, else a character plus 1, or firstPair and above: the
// number of a pair.
type value = uint32

const firstPair = utf8.MaxRune + 2

// inflated returns a function that reads a family's tables when it is first
// called.
func inflated(packed *string) func() *family {
	return sync.OnceValue(func() *family {
		data, err := io.ReadAll(flate.NewReader(strings.NewReader(*packed)))
		if err != nil {
			panic(err) // the binary is damaged
		}
		return readFamily(&numbers{data})
	})
}

// numbers are the numbers of an inflated file.
type numbers struct{ rest []byte }

func (n *numbers) next() value {
	v := value(0)
	for i, b := range n.rest {
		v = v<<7 | value(b&0x7f)
		if b < 0x80 {
			n.rest = n.rest[i+1:]
			break
		}
	}
	return v
}

func (n *numbers) nextByte() byte {
	b := n.rest[0]
	n.rest = n.rest[1:]
	return b
}

func readFamily(n *numbers) *family {
	f := &family{pairs: make([][2]rune, n.next())}
	for i := range f.pairs {
		f.pairs[i] = [2]rune{rune(n.next()), rune(n.next())}
	}
	f.tables = make([]table, n.next())
	for i := range f.tables {
		other := table{}
		if back := int(n.next()); back > 0 {
			other = f.tables[i-back]
		}
		f.tables[i].read(n, &other)
	}
	return f
}

// read reads a table that is given by its differences to other.
func (t *table) read(n *numbers, other *table) {
	leads := n.places(&t.lead)
	trails := n.places(&t.trail)
	for i := range t.lead {
		if t.lead[i] > 0 {
			t.lead[i] *= trails
		}
	}
	t.single = other.single
	t.double = make([]value, leads*trails)
	copy(t.double, other.double)
	last := value(0)
	total := len(t.single) + len(t.double)
	for i := 0; i < total; i++ {
		d := n.next()
		if d == 0 {
			i += int(n.next()) - 1
			continue
		}
		v := last - d>>1
		if d&1 != 0 {
			v = last + d>>1
		}
		if i < len(t.single) {
			t.single[i] = v
		} else {
			t.double[i-len(t.single)] = v
		}
		if v != 0 {
			last = v
		}
	}
}

// places reads ranges of bytes, numbers their bytes and returns their number.
func (n *numbers) places(of *[256]int32) int32 {
	for i := range of {
		of[i] = -1
	}
	count := int32(0)
	for range n.next() {
		for b, last := int(n.nextByte()), int(n.nextByte()); b <= last; b++ {
			of[b] = count
			count++
		}
	}
	return count
}

// two returns the value of the bytes a and b.
func (t *table) two(a, b byte) value {
	lead, trail := t.lead[a], t.trail[b]
	if lead < 0 || trail < 0 {
		return 0
	}
	return t.double[lead+trail]
}

// add appends the characters of v, which is not 0.
func (f *family) add(dst []byte, v value) []byte {
	if v < firstPair {
		return utf8.AppendRune(dst, rune(v-1))
	}
	pair := f.pairs[v-firstPair]
	return utf8.AppendRune(utf8.AppendRune(dst, pair[0]), pair[1])
}

// decode decodes data by the table of that number. Sequences that are not in the table go to
// longer, which returns the number of bytes that it used.
func (f *family) decode(dst, data []byte, number int, longer func(f *family, data []byte) (v value, n int)) ([]byte, bool) {
	t := &f.tables[number]
	for len(data) > 0 {
		v, n := t.single[data[0]], 1
		if v == 0 && len(data) > 1 {
			v, n = t.two(data[0], data[1]), 2
		}
		if v == 0 && longer != nil {
			v, n = longer(f, data)
		}
		if v == 0 {
			return dst, false
		}
		dst = f.add(dst, v)
		data = data[n:]
	}
	return dst, true
}

// jisx0212, jis2004Plane2 and jisx0213Plane2 decode the three bytes that EUC has
// for a second set of characters.
func (f *family) jisx0212(data []byte) (value, int)       { return f.plane2(data, eucJPPlane2) }
func (f *family) jis2004Plane2(data []byte) (value, int)  { return f.plane2(data, eucJIS2004Plane2) }
func (f *family) jisx0213Plane2(data []byte) (value, int) { return f.plane2(data, eucJISX0213Plane2) }

func (f *family) plane2(data []byte, number int) (value, int) {
	if len(data) < 3 || data[0] != 0x8f {
		return 0, 0
	}
	return f.tables[number].two(data[1], data[2]), 3
}

// fourBytes decodes the four bytes by which GB 18030 encodes the characters that have no
// two. Those from 0x90 on count the characters from U+10000 on.
func (f *family) fourBytes(data []byte) (value, int) {
	if len(data) < 4 || data[0] < 0x81 || data[1]-'0' > 9 || data[2]-0x81 > 0xfe-0x81 || data[3]-'0' > 9 {
		return 0, 0
	}
	at := ((value(data[0])-0x81)*10+value(data[1]-'0'))*1260 + value(data[2]-0x81)*10 + value(data[3]-'0')
	if data[0] < 0x90 {
		if at > 0xffff {
			return 0, 0
		}
		return f.tables[gb18030FourBytes].two(byte(at>>8), byte(at)), 4
	}
	at -= (0x90 - 0x81) * 12600
	if at > utf8.MaxRune-0x10000 {
		return 0, 0
	}
	return 0x10000 + at + 1, 4
}

// composedSyllable decodes a Hangul syllable that KS X 1001 has no number for. It consists of four
// letters of two bytes: a filler, the lead, the vowel and the tail. The filler as the tail means
// that there is no tail.
func (f *family) composedSyllable(data []byte) (value, int) {
	const (
		leads  = "ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ"
		tails  = "ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ"
		row    = 0xa4
		filler = 0xd4
	)
	if len(data) < 8 || data[0] != row || data[1] != filler || data[2] != row || data[4] != row || data[6] != row {
		return 0, 0
	}
	letter := func(i int) rune { return 'ㄱ' + rune(data[i]) - 0xa1 }
	lead := strings.IndexRune(leads, letter(3)) / len("ㄱ")
	vowel := letter(5) - 'ㅏ'
	tail := 0
	if data[7] != filler {
		tail = strings.IndexRune(tails, letter(7))/len("ㄱ") + 1
	}
	if !strings.ContainsRune(leads, letter(3)) || vowel < 0 || vowel > 'ㅣ'-'ㅏ' || data[7] != filler && !strings.ContainsRune(tails, letter(7)) {
		return 0, 0
	}
	return value(0xac00+(lead*21+int(vowel))*28+tail) + 1, 8
}
