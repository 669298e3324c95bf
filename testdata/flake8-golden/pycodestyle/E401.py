import a, b
import c,d
import e.f, g as h, i
if j:
    import k, m
import n; import o, p
import q, r; import s
import t \
    , u
import  v, w
import x as y,z
def f(): import a, b
try: import c, d
except E: pass
import f, g  # noqa
import h, i  # noqa: E4
import j, k  # noqa: W
