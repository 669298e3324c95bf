"""Names that Python spells otherwise: NFKC, and characters by name."""
é = ﬁ = 𝐚.𝐛
ªº = _𝟣
import 𝐚.ﬁ . 𝐛 as ﬁ
def ﬁ(ª, *º, 𝐚=1, **𝐛): pass
'\N{LATIN SMALL LETTER A}\N{bom}\N{Em Dash}\N{VS17}\N{Hangul Syllable GAG}\N{CJK UNIFIED IDEOGRAPH-4e00}'
f'{a:\N{EM DASH}x}', f'\N{EM DASH}\{a}\\'
