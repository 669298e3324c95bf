package source

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"
)

// isKnownEncoding tells whether Python has a codec of that name, as far as we
// decode it too. An unknown name makes flake8 read the file as latin-1, and so
// do we with the few codecs of Python that golang.org/x/text lacks. That
// differs only where such a codec gives ASCII bytes another meaning or needs
// more than a byte for a character: utf-7, hz, iso-2022-kr, johab, EBCDIC 273,
// 424, 500, 875 and 1026.
func isKnownEncoding(name string) bool {
	_, known := codec(name)
	return known
}

// decodeAs decodes data with the codec of that name; false where Python's
// strict decoding raises a UnicodeDecodeError.
func decodeAs(name string, data []byte) (string, bool) {
	decoder, _ := codec(name)
	if decoder == nil { // ascii, utf-8 under another name
		text := view(data)
		if asciiNames[codecName(name)] {
			return text, isASCII(text)
		}
		// Only the spelling "utf-8" makes Python drop a byte order mark here.
		return text, utf8.ValidString(text)
	}
	decoded, err := decoder.NewDecoder().Bytes(data)
	if err != nil || strings.ContainsRune(view(decoded), '\ufffd') {
		return "", false
	}
	return view(decoded), true
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

var asciiNames = map[string]bool{
	"ascii": true, "646": true, "ansi_x3.4_1968": true, "ansi_x3_4_1968": true, "ansi_x3.4_1986": true,
	"cp367": true, "csascii": true, "ibm367": true, "iso646_us": true, "iso_646.irv_1991": true,
	"iso_ir_6": true, "us": true, "us_ascii": true,
}

// codec returns the encoding that Python knows under name. ASCII and UTF-8 are
// known without an encoding.
func codec(name string) (decoder encoding.Encoding, known bool) {
	name = codecName(name)
	if asciiNames[name] {
		return nil, true
	}
	switch strings.ReplaceAll(name, ".", "_") {
	case "utf_8", "u8", "utf", "utf8", "utf8_ucs2", "utf8_ucs4", "cp65001":
		return nil, true
	case "latin_1", "8859", "cp819", "csisolatin1", "ibm819", "iso8859", "iso8859_1", "iso_8859_1",
		"iso_8859_1_1987", "iso_ir_100", "l1", "latin", "latin1":
		return charmap.ISO8859_1, true
	case "utf_8_sig":
		return unicode.UTF8BOM, true
	case "utf_16", "u16", "utf16":
		return unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), true
	case "utf_16_le", "utf_16le", "unicodelittleunmarked":
		return unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), true
	case "utf_16_be", "utf_16be", "unicodebigunmarked":
		return unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM), true
	case "utf_32", "u32", "utf32":
		return utf32.UTF32(utf32.LittleEndian, utf32.UseBOM), true
	case "utf_32_le", "utf_32le":
		return utf32.UTF32(utf32.LittleEndian, utf32.IgnoreBOM), true
	case "utf_32_be", "utf_32be":
		return utf32.UTF32(utf32.BigEndian, utf32.IgnoreBOM), true
	case "iso8859_2", "csisolatin2", "iso_8859_2", "iso_8859_2_1987", "iso_ir_101", "l2", "latin2":
		return charmap.ISO8859_2, true
	case "iso8859_3", "csisolatin3", "iso_8859_3", "iso_8859_3_1988", "iso_ir_109", "l3", "latin3":
		return charmap.ISO8859_3, true
	case "iso8859_4", "csisolatin4", "iso_8859_4", "iso_8859_4_1988", "iso_ir_110", "l4", "latin4":
		return charmap.ISO8859_4, true
	case "iso8859_5", "csisolatincyrillic", "cyrillic", "iso_8859_5", "iso_8859_5_1988", "iso_ir_144":
		return charmap.ISO8859_5, true
	case "iso8859_6", "arabic", "asmo_708", "csisolatinarabic", "ecma_114", "iso_8859_6", "iso_8859_6_1987", "iso_ir_127":
		return charmap.ISO8859_6, true
	case "iso8859_7", "csisolatingreek", "ecma_118", "elot_928", "greek", "greek8", "iso_8859_7", "iso_8859_7_1987", "iso_ir_126":
		return charmap.ISO8859_7, true
	case "iso8859_8", "csisolatinhebrew", "hebrew", "iso_8859_8", "iso_8859_8_1988", "iso_8859_8_e", "iso_8859_8_i", "iso_ir_138":
		return charmap.ISO8859_8, true
	case "iso8859_9", "csisolatin5", "iso_8859_9", "iso_8859_9_1989", "iso_ir_148", "l5", "latin5":
		return charmap.ISO8859_9, true
	case "iso8859_10", "csisolatin6", "iso_8859_10", "iso_8859_10_1992", "iso_ir_157", "l6", "latin6":
		return charmap.ISO8859_10, true
	case "iso8859_13", "iso_8859_13", "l7", "latin7":
		return charmap.ISO8859_13, true
	case "iso8859_14", "iso_8859_14", "iso_8859_14_1998", "iso_celtic", "iso_ir_199", "l8", "latin8":
		return charmap.ISO8859_14, true
	case "iso8859_15", "iso_8859_15", "l9", "latin9":
		return charmap.ISO8859_15, true
	case "iso8859_16", "iso_8859_16", "iso_8859_16_2001", "iso_ir_226", "l10", "latin10":
		return charmap.ISO8859_16, true
	case "cp037", "037", "csibm037", "ebcdic_cp_ca", "ebcdic_cp_nl", "ebcdic_cp_us", "ebcdic_cp_wt", "ibm037", "ibm039":
		return charmap.CodePage037, true
	case "cp1140", "1140", "cp01140", "csibm01140", "ebcdic_us_37_euro", "ibm01140", "ibm1140":
		return charmap.CodePage1140, true
	case "cp437", "437", "cspc8codepage437", "ibm437":
		return charmap.CodePage437, true
	case "cp850", "850", "cspc850multilingual", "ibm850":
		return charmap.CodePage850, true
	case "cp852", "852", "cspcp852", "ibm852":
		return charmap.CodePage852, true
	case "cp855", "855", "csibm855", "ibm855":
		return charmap.CodePage855, true
	case "cp858", "858", "cp00858", "csibm00858", "csibm858", "ibm00858", "ibm858", "pc_multilingual_850_euro":
		return charmap.CodePage858, true
	case "cp860", "860", "csibm860", "ibm860":
		return charmap.CodePage860, true
	case "cp862", "862", "cspc862latinhebrew", "ibm862":
		return charmap.CodePage862, true
	case "cp863", "863", "csibm863", "ibm863":
		return charmap.CodePage863, true
	case "cp865", "865", "csibm865", "ibm865":
		return charmap.CodePage865, true
	case "cp866", "866", "csibm866", "ibm866":
		return charmap.CodePage866, true
	case "cp874", "874", "ms874", "windows_874":
		return charmap.Windows874, true
	case "cp1250", "1250", "windows_1250":
		return charmap.Windows1250, true
	case "cp1251", "1251", "windows_1251":
		return charmap.Windows1251, true
	case "cp1252", "1252", "windows_1252":
		return charmap.Windows1252, true
	case "cp1253", "1253", "windows_1253":
		return charmap.Windows1253, true
	case "cp1254", "1254", "windows_1254":
		return charmap.Windows1254, true
	case "cp1255", "1255", "windows_1255":
		return charmap.Windows1255, true
	case "cp1256", "1256", "windows_1256":
		return charmap.Windows1256, true
	case "cp1257", "1257", "windows_1257":
		return charmap.Windows1257, true
	case "cp1258", "1258", "windows_1258":
		return charmap.Windows1258, true
	case "koi8_r", "cskoi8r":
		return charmap.KOI8R, true
	case "koi8_u":
		return charmap.KOI8U, true
	case "mac_roman", "macintosh", "macroman":
		return charmap.Macintosh, true
	case "mac_cyrillic", "maccyrillic":
		return charmap.MacintoshCyrillic, true
	case "big5", "big5_tw", "csbig5", "x_mac_trad_chinese", "cp950", "950", "ms950", "big5hkscs", "big5_hkscs", "hkscs":
		return traditionalchinese.Big5, true
	case "gbk", "936", "cp936", "ms936", "gb2312", "chinese", "csiso58gb231280", "euc_cn", "euccn", "eucgb2312_cn",
		"gb2312_1980", "gb2312_80", "iso_ir_58", "x_mac_simp_chinese":
		return simplifiedchinese.GBK, true
	case "gb18030", "gb18030_2000":
		return simplifiedchinese.GB18030, true
	case "euc_jp", "eucjp", "u_jis", "ujis":
		return japanese.EUCJP, true
	case "shift_jis", "csshiftjis", "s_jis", "shiftjis", "sjis", "x_mac_japanese", "cp932", "932", "ms932", "ms_kanji",
		"mskanji", "windows_31j":
		return japanese.ShiftJIS, true
	case "iso2022_jp", "csiso2022jp", "iso2022jp", "iso_2022_jp":
		return japanese.ISO2022JP, true
	case "euc_kr", "cseuckr", "euckr", "korean", "ks_c_5601", "ks_c_5601_1987", "ks_x_1001", "ksc5601", "ksx1001",
		"x_mac_korean", "cp949", "949", "ms949", "uhc":
		return korean.EUCKR, true
	}
	return nil, false
}
