"""generate.py PYTHON...: writes names.txt, the tables *.bin and testdata/sums.txt beside it. PYTHONs are the CPythons that we follow, oldest first. names.txt
is of all of them, the others are of this Python, which should be the newest.

names.txt has a line a codec: its kind, its name, its aliases. The kind is the family whose tables it needs, or "code" for one without a table, or "none" for
one that flake8 cannot read files with. An alias that not all CPythons have has the first that does after it, and the last if it is not the newest:
cseuckr@3.14, korean@3.10-3.14.

A family's .bin is deflated. Inflated it is a list of numbers in bytes of seven bits, the most significant first; the top bit is set in all bytes of a number but
the last. It begins with the pairs, for what stands for two characters: how many, and the two of each. Then the number of tables, and the tables:

    how many tables it comes after the one that it resembles, 0 if it resembles none
    lead bytes: how many ranges, first and last of each; trail bytes likewise
    what 256 bytes alone, then every trail byte after every lead byte, stand for

This is 0 for nothing, else the character plus 1, or 0x110001 plus the number of the pair. It is written as the difference to the last one written but 0, the
lowest bit 0 if it is less. Where it is the same as in the other table, there is a 0, and how many are the same.
"""
import codecs
import encodings
import encodings.aliases
import json
import os
import pkgutil
import subprocess
import sys
import warnings
import zlib
from itertools import zip_longest

HERE = os.path.dirname(os.path.abspath(__file__))
EUC = ((0xA1, 0xFE), (0x8E, 0x8E)), ((0xA1, 0xFE),)
SJIS = ((0x81, 0x9F), (0xE0, 0xFC)), ((0x40, 0x7E), (0x80, 0xFC))  # has JIS X 0208 at the same places as EUC
GBK = ((0x81, 0xFE),), ((0x40, 0x7E), (0x80, 0xFE))
KOREAN = ((0x81, 0xFE),), ((0x41, 0x5A), (0x61, 0x7A), (0x81, 0xFE))
JOHAB = ((0x84, 0xF9),), ((0x31, 0x7E), (0x81, 0xFE))
BIG5 = ((0x81, 0xFE),), ((0x40, 0x7E), (0xA1, 0xFE))
ALL = ((0x00, 0xFF),), ((0x00, 0xFF),)
NONE = (), ()

# The bytes that choose tables, before which a test tries all bytes.
PREFIXES = {
    "euc_jis_2004": [b"\x8f"], "euc_jisx0213": [b"\x8f"], "euc_jp": [b"\x8f"], "hz": [b"~", b"~{"],
    "gb18030": [b"\x810", b"\x81\x3081", b"\x84\x31\xa4", b"\x90\x30\x81", b"\xe3\x32\x9a"], "euc_kr": [b"\xa4\xd4\xa4\xa1\xa4\xbf", b"\xa4\xd4\xa4\xbe\xa4\xd3"],
    "utf_7": [b"+", b"+2", b"+2A", b"+2D3e"], "utf_16_le": [b"\x3d\xd8"], "utf_16_be": [b"\xd8\x3d"], "punycode": [b"-", b"ab-c"],
    "unicode_escape": [b"\\", b"\\x", b"\\u30", b"\\N{BULLET", b"\\U00110", b"\\U0010ff", b"\\ud8"], "raw_unicode_escape": [b"\\", b"\\x", b"\\u30", b"\\ud8", b"\\\\u00"],
}
SETS = b"$@ $A $B $C $D $O $P $Q $(B $(C (A (B (F (I (J )J $)C .A\x1bN .B\x1bN .F\x1bN N & &@\x1b$B $ ( ) $( $)".split()

# The tables of a family: first the codecs, as names.txt has them, then others: a codec and the bytes that come before. A table of ISO 2022 has the top bits of
# its two bytes set.
FAMILIES = {
    "chinese": {"gb18030": GBK, "gb2312": GBK, "gbk": GBK, "gb18030, four bytes": ALL},
    "japanese": {
        "cp932": SJIS, "euc_jis_2004": EUC, "euc_jisx0213": EUC, "euc_jp": EUC, "shift_jis": SJIS, "shift_jis_2004": SJIS, "shift_jisx0213": SJIS,
        "euc_jis_2004 \x8f": EUC, "euc_jisx0213 \x8f": EUC, "euc_jp \x8f": EUC,
        "iso2022_jp_3 \x1b$(O": EUC, "iso2022_jp_2004 \x1b$(Q": EUC, "iso2022_jp_2004 \x1b$(P": EUC, "iso2022_jp_2 \x1b.F\x1bN": NONE,
    },
    "korean": {"cp949": KOREAN, "euc_kr": KOREAN, "johab": JOHAB, "iso2022_kr \x1b$(C": KOREAN},
    "single": {},
    "taiwanese": {"big5": BIG5, "big5hkscs": BIG5, "cp950": BIG5},
}
WITHOUT_TABLE = """ascii latin_1 utf_8 utf_8_sig utf_7 utf_16_le utf_16_be unicode_escape raw_unicode_escape idna punycode hz iso2022_jp iso2022_jp_1
iso2022_jp_2 iso2022_jp_2004 iso2022_jp_3 iso2022_jp_ext iso2022_kr""".split()


def characters(codec, data):
    try:
        return data.decode(codec)
    except UnicodeError:
        return ""


def is_single(codec):
    """Whether each byte is a character, or none."""
    table = [characters(codec, bytes([b])) for b in range(256)]
    known = bytes(b for b in range(256) if table[b])
    return max(map(len, table)) == 1 and len(known) > 0x80 and characters(codec, known) == "".join(table) and \
        not any(characters(codec, bytes([a, b])) for a in range(256) if not table[a] for b in range(256))


def find_codecs():
    names = {}
    for module in sorted(m.name for m in pkgutil.iter_modules(encodings.__path__)):
        try:
            found = codecs.lookup(module)
        except LookupError:
            continue
        # Python folds a name to lower case before it looks for an alias.
        aliases = [a for a, m in encodings.aliases.aliases.items() if m == module and a == a.lower()]
        names[module] = sorted(a for a in aliases if codecs.lookup(a) is found or codecs.lookup(a).name == found.name)
    for name in [*names]:
        if name in names.get("latin_1", ()):
            del names[name]  # iso8859_1 is a module, and the name of another one
    return names


def kind(name):
    if name in WITHOUT_TABLE:
        return "code"
    for family, tables in FAMILIES.items():
        if name in tables:
            return family
    if codecs.lookup(name)._is_text_encoding and is_single(name):
        return "single"
    return "none"


def cells(name, shape):
    """What the 256 bytes and all pairs of bytes stand for."""
    if name == "gb18030, four bytes":  # in their order, as far as they are below U+10000
        fours = (bytes([n // 12600 + 0x81, n // 1260 % 10 + 0x30, n // 10 % 126 + 0x81, n % 10 + 0x30]) for n in range(0x10000))
        return [""] * 256 + [characters("gb18030", four) for four in fours]
    codec, _, before = name.partition(" ")
    before = before.encode("latin-1")
    mask = 0x7F if before[:1] == b"\x1b" else 0xFF
    one = [characters(codec, before + bytes([b])) for b in range(256)]
    leads, trails = ([b for first, last in ranges for b in range(first, last + 1)] for ranges in shape)
    two = {(a, b): "" if one[a] else characters(codec, before + bytes([a & mask, b & mask])) for a in range(0x80, 256) for b in range(256)}
    out = [two[a, b] for a in leads for b in trails]
    if shape != NONE and mask == 0xFF:  # the shape has all there is
        assert sum(map(bool, two.values())) == sum(map(bool, out)), name
    return [*one, *out]


def number(out, n):
    low = [n & 0x7F]
    while n := n >> 7:
        low.append(n & 0x7F | 0x80)
    out.extend(reversed(low))


def write(family, tables):
    pairs, lists = [], []
    for name, shape in tables.items():
        values = []
        for text in cells(name, shape):
            if len(text) > 1 and text not in pairs:
                pairs.append(text)
            values.append(ord(text) + 1 if len(text) == 1 else 0x110001 + pairs.index(text) if text else 0)
        lists.append(values)
    out = bytearray()
    number(out, len(pairs))
    for pair in pairs:
        number(out, ord(pair[0]))
        number(out, ord(pair[1]))
    number(out, len(lists))
    for n, (values, shape) in enumerate(zip(lists, tables.values())):
        others = [[0] * len(values), *reversed(lists[:n])]
        like = min(range(n + 1), key=lambda k: sum(a != b for a, b in zip_longest(values, others[k][:len(values)])))
        number(out, like)
        for ranges in shape:
            number(out, len(ranges))
            for r in ranges:
                out.extend(r)
        same, last = 0, 0
        for a, b in zip(values, others[like] + [0] * len(values)):
            if a == b:
                same += 1
                continue
            if same:
                number(out, 0)
                number(out, same)
                same = 0
            number(out, 2 * (a - last) + 1 if a >= last else 2 * (last - a))
            last = a or last
        if same:
            number(out, 0)
            number(out, same)
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15, 9)
    packed = deflate.compress(out) + deflate.flush()
    with open(os.path.join(HERE, family + ".bin"), "wb") as file:
        file.write(packed)


if sys.argv[1:] == ["names"]:
    json.dump([f"{sys.version_info[0]}.{sys.version_info[1]}", find_codecs()], sys.stdout)
    sys.exit()


def marked(name, alias):
    """An alias with the versions that have it, unless all do."""
    having = [version for version, found in versions if alias in found[name]]
    first, last = having[0], having[-1]
    if last != versions[-1][0]:
        return f"{alias}@{first}-{last}"
    return alias if first == versions[0][0] else f"{alias}@{first}"


warnings.simplefilter("ignore", DeprecationWarning)  # of unicode_escape
plain = {name: value for name, value in os.environ.items() if name != "PYTHONHOME"}  # which may be this Python's
versions = [json.loads(subprocess.check_output([python, __file__, "names"], env=plain)) for python in sys.argv[1:]]
names = find_codecs()
assert all(found.keys() == names.keys() for _, found in versions) and versions[-1][1] == names
with open(os.path.join(HERE, "names.txt"), "w") as file:
    for name in sorted(names):
        aliases = sorted({alias for _, found in versions for alias in found[name]})
        file.write(" ".join([kind(name), name, *(marked(name, alias) for alias in aliases)]) + "\n")
        if kind(name) == "single":
            FAMILIES["single"][name] = NONE
for family, tables in FAMILIES.items():
    write(family, tables)


def sum_of(codec, prefix):
    """The checksum of what the prefix with one byte after it stands for, and but for the simplest codecs with two."""
    tails = [bytes([a]) for a in range(256)]
    if kind(codec) != "single":
        tails += [bytes([a, b]) for a in range(256) for b in range(256)]
    crc = 0
    for tail in tails:
        try:
            text = prefix + tail
            line = text.decode(codec).encode() + b"\n"
        except Exception:  # RuntimeError is among them
            line = b"\xff\n"
        crc = zlib.crc32(line, crc)
    return f"{codec} {prefix.hex() or '-'} {crc:08x}\n"


with open(os.path.join(HERE, "testdata", "sums.txt"), "w") as file:
    for name in sorted(names):
        if kind(name) == "none":
            continue
        prefixes = [b"\x1b" + s for s in SETS] if name.startswith("iso2022") else PREFIXES.get(name, [])
        for prefix in [b"", *prefixes]:
            file.write(sum_of(name, prefix))
