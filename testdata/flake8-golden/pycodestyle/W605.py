a = '\d'
b = "\d\w\s\.\-\ \(\["
c = '\a\b\f\n\r\t\v\0\1\2\3\4\5\6\7\x41\N{EM DASH}\u0041\U00000041\\\'\"'
d = b'\d\N\u\U'
e = rb'\d' Rb'\d' bR'\d' BR'\d'
e = r'\d' R'\d'
f = u'\d' U'\d'
g = '''\d
\d
  \d \e
'''
h = '\
\d'
i = f'\d{a}\d{b}\d'
j = rf'\d{a}\d' fR'\d' Fr'\d'
k = f'{"\d"}{r"\d"}{f"\d"}'
m = f'''\d
\d{a}
\d {b}\d
'''
n = t'\d{a}\d'
o = rt'\d{a}' Tr'\d'
p = 'é\d漢\d𝒳\d'
q = f'é\d{a}漢\d'
r = '\é\漢\𝒳'
s = '\8\9\c\g\h\i\j\k\l\m\o\p\q\y\z'
u = '\A\B\C\D\E\F\G\H\I\J\K\L\M\O\P\Q\R\S\T\V\W\X\Y\Z'
v = '\\d\\\d'
w = '\d' '\e' "\f\g"
x = ('\d'
     '\e')
y = '\d'  # noqa
z = '\d'  # noqa: W605
a = """
\d  # noqa
"""
b = '\	'
c = rf'{'\d'}{f'\d{r'\d'}\d'}\d'
d = f'{{\d}}\d{{'
e = f'''{
    '\d'
}\d'''
f = f'{a:\d}{b:{c}\d}'
g = f'{a!r:\d>3}'
h = """\
\d\
\d"""
i = '\\'
j = f"\N{EM DASH}\d"
k = f'\
\d{a}\
\d'
m = B'''
\d
'''
n = '''é
é\d
'''
o = 1 + \
    len('\d')
if '\d' in """
\d""": pass
def p(q='\d') -> '\d': """\d"""
'\d'
u'''
\d'''
r = {'\d': '\d'}
s = t'''{'\d'}
\d{rt'\d{'\d'}'}'''
u = fr'\d{f'\d'}\d' '\d'
v = '\#'
w = "\`\$\?\!"
x = '\x41\d'
