package source

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"
)

// The codecs of Python that a coding cookie may name are of three kinds: UTF-8
// and ASCII, those of a byte for each character (charmaps.go, Python's own
// tables), and those of more bytes, from golang.org/x/text. The latter are as
// browsers have them, which know some more characters than Python's do.

// isKnownEncoding tells whether Python has a codec of that name, as far as we
// decode it too. An unknown name makes flake8 read the file as latin-1, and so
// do we with the codecs of Python that are lacking here: utf-7, johab,
// iso-2022-kr, the JIS X 0213 family, and those that are no encodings of files.
func isKnownEncoding(name string) bool {
	name = codecName(name)
	return isUTF8(name) || isNamed(asciiNames, name) || charmapOf(name) != nil || multibyte(name) != nil
}

// decodeAs decodes data with the known codec of that name; false where Python's
// strict decoding raises a UnicodeDecodeError.
func decodeAs(name string, data []byte) (string, bool) {
	name = codecName(name)
	switch text := view(data); {
	case isUTF8(name):
		return text, utf8.ValidString(text)
	case isNamed(asciiNames, name):
		return text, isASCII(text)
	}
	if table := charmapOf(name); table != nil {
		return table.decode(data)
	}
	decoded, err := multibyte(name).NewDecoder().Bytes(data)
	if err != nil || strings.ContainsRune(view(decoded), utf8.RuneError) {
		return "", false
	}
	return view(decoded), true
}

// decode turns each byte of data into its character.
func (m *charmap) decode(data []byte) (string, bool) {
	var table [256]rune
	low := 0
	for _, c := range m.low {
		table[low] = c
		low++
	}
	for ; low < 0x80; low++ {
		table[low] = rune(low)
	}
	for _, c := range m.high {
		table[low] = c
		low++
	}
	var out strings.Builder
	out.Grow(2 * len(data))
	for _, b := range data {
		if table[b] == utf8.RuneError {
			return "", false
		}
		out.WriteRune(table[b])
	}
	return out.String(), true
}

// charmapOf returns the table of a codec, nil if it has none.
func charmapOf(name string) *charmap {
	name = strings.ReplaceAll(name, ".", "_")
	for i := range charmaps {
		if isNamed(charmaps[i].names, name) {
			return &charmaps[i]
		}
	}
	return nil
}

// isNamed tells whether name is one of names, which blanks separate.
func isNamed(names, name string) bool {
	for n := range strings.SplitSeq(names, " ") {
		if n == name {
			return true
		}
	}
	return false
}

// codecName folds a codec's name as Python's encodings package does: lower
// case, every run of other characters than letters, digits and dots one "_".
func codecName(name string) string {
	var folded strings.Builder
	gap := false
	for _, c := range []byte(strings.ToLower(name)) {
		if c == '.' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' {
			if gap && folded.Len() > 0 {
				folded.WriteByte('_')
			}
			gap = false
			folded.WriteByte(c)
		} else {
			gap = true
		}
	}
	return folded.String()
}

const asciiNames = "ascii 646 ansi_x3.4_1968 ansi_x3_4_1968 ansi_x3.4_1986 cp367 csascii ibm367 iso646_us " +
	"iso_646.irv_1991 iso_ir_6 us us_ascii"

// isUTF8 tells whether name, none of the spellings that Python itself knows, is
// UTF-8 all the same. With those a byte order mark is no longer allowed.
func isUTF8(name string) bool {
	return isNamed("utf_8 u8 utf utf8 utf8_ucs2 utf8_ucs4 cp65001", name)
}

// multibyte returns the codec of that name, nil if there is none.
func multibyte(name string) encoding.Encoding {
	switch strings.ReplaceAll(name, ".", "_") {
	case "utf_8_sig":
		return unicode.UTF8BOM
	case "utf_16", "u16", "utf16":
		return unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)
	case "utf_16_le", "utf_16le", "unicodelittleunmarked":
		return unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)
	case "utf_16_be", "utf_16be", "unicodebigunmarked":
		return unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)
	case "utf_32", "u32", "utf32":
		return utf32.UTF32(utf32.LittleEndian, utf32.UseBOM)
	case "utf_32_le", "utf_32le":
		return utf32.UTF32(utf32.LittleEndian, utf32.IgnoreBOM)
	case "utf_32_be", "utf_32be":
		return utf32.UTF32(utf32.BigEndian, utf32.IgnoreBOM)
	case "big5", "big5_tw", "csbig5", "x_mac_trad_chinese", "cp950", "950", "ms950", "big5hkscs", "big5_hkscs", "hkscs":
		return traditionalchinese.Big5
	case "gbk", "936", "cp936", "ms936", "gb2312", "chinese", "csiso58gb231280", "euc_cn", "euccn", "eucgb2312_cn",
		"gb2312_1980", "gb2312_80", "iso_ir_58", "x_mac_simp_chinese":
		return simplifiedchinese.GBK
	case "gb18030", "gb18030_2000":
		return simplifiedchinese.GB18030
	case "hz", "hz_gb", "hz_gb_2312", "hzgb":
		return simplifiedchinese.HZGB2312
	case "euc_jp", "eucjp", "u_jis", "ujis":
		return japanese.EUCJP
	case "shift_jis", "csshiftjis", "s_jis", "shiftjis", "sjis", "x_mac_japanese", "cp932", "932", "ms932", "ms_kanji",
		"mskanji", "windows_31j":
		return japanese.ShiftJIS
	case "iso2022_jp", "csiso2022jp", "iso2022jp", "iso_2022_jp":
		return japanese.ISO2022JP
	case "euc_kr", "cseuckr", "euckr", "korean", "ks_c_5601", "ks_c_5601_1987", "ks_x_1001", "ksc5601", "ksx1001",
		"x_mac_korean", "cp949", "949", "ms949", "uhc":
		return korean.EUCKR
	}
	return nil
}
