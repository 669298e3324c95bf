a or b or c and d and e or not f
not not a == b != c < d <= e > f >= g is h is not i in j not in k
a | b ^ c & d << e >> f + g - h * i / j // k % l @ m
-a ** -b ** ~c
+a + +b
(a + b) * c - (d - (e - f))
await_ = lambda: (yield)
lambda: 0
lambda a, b=1, /, c=2, *d, e, f=3, **g: a if b else c
lambda *, a: lambda **b: a
lambda *a, b=1: a, b
a if b else c if d else e
(a := 1)
[b := 1, 2]
{c := 1}
d[e := 1]
f(g := 1, h)
a.b.c[d](e)(f)[g].h
a()
a(b, *c, d, e=1, *f, g=2, **h, i=3, **j)
a(b for b in c)
a((b for b in c), d)
a[b], a[b,], a[b, c], a[:], a[b:], a[:b], a[b:c:d], a[::d], a[:, ::1, b], a[*b], a[*b, c:d]
a[b:c, (d := 1)], a[()], a[lambda: 1:2]
(), (a,), (a, b), (a, *b), (*a,)
[], [a], [a, b,], [*a]
{a}, {a, b,}, {*a, *b}
{}, {a: b}, {a: b, **c, d: e,}, {**a}
[a for b in c if d if e for f, g in h], {a for b in c}, {a: b for c in d}, (a for a in b)
[a async for b in c], [a for b, in c], [a for *b, c in d or e]
[a for a in b if c or d if not e]
[(yield), lambda: 1]
None, True, False, ..., Ellipsis
0, 00, 1, 0x1F, 0o17, 0b101, 1_000, 123456789012345678901234567890
1.0, .5, 5., 1e10, 1E-5, 1.5e+300, 1e400, 0.0001, 0.00001, 123456789.123456789, 1e16, 1e15
1j, 1.5J, 1e3j, 0j, 1e400j, 100000000000000000000j
1if a else 2, 0x1for x in y
1or 2, 1and 2, 1in a, 1is b, 1not in c
'a', "a'b", '''a"b''', 'a"b\'c', 'tab\there', 'é', '\u200b\xa0\x7f\0', '\ud800\udc00\udfff'
'\a\b\f\n\r\t\v\\\'\"\
', '\1\12\123\777\8', '\x41\u0041\U00000041', '\q\ \{'
u'a', U'a', r'\n', R"\"", u'a' 'b', 'a' u'b', ('a'
                                              'b')
b'a\x00\xff\n\\', B"'", rb'\x', bR'"', b'a' b"b", b'\777\8\q'
f'', f'a', f'{a}', f'a{b}c{d!r}e{f:>10}g{h!s:{i}.{j}}k', f'{{}}{{{a}}}'
f'{a=}', f'{a = }', f'{a=!s}', f'{a=:>3}', f'{a!=b}', f'{a != b = :>3}', f'{a, *b}', f'{yield}'
f'{a:{b=}}', f'{a:{b}{c=}}', f'{a:{b}d{c=}}', f'{a:\n}', rf'{a:\n}\n{b}'
f'''{
    a  # comment
    = !r
}''', f'{f"{f'{a}'}"}', f'{(lambda: 1)}', f'{ {a: b} }', f'{"#"}'
'a' f'b{c}d' 'e' u'f' f'', u'a' f'b', f'' 'a', f'{a}' f'{b}', '' f'{a}' '', f'\{a}\\'
t'', t'a{b}c', t'{a = !r:>{b}}', t'a' t'{b}', t'{ a != b :x}', rt'\{a}', t'''{a  # c
}'''
é = Ωμέγα = 变量
(yield)
(yield a)
(yield a, *b)
(yield from a)
x = yield
x = yield a,
x = await a ** await b
x = -await a.b(c)[d]
print(* a, ** b)
(
    a
    # comment
    , b
)
