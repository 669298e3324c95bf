a = b(lambda c:
      c,
      lambda d:
          d)
e = {
    f: lambda:
        g,
    h: lambda: i
        if j else k,
}
m = [
    n[1:
      2],
    o[
        1:
            2],
    p if q
        else r,
]
def s(t:
      u,
      v:
          w): pass
x = y(
    z=lambda:
        1,
    a={b:
        c},
    d={
        e:
        f},
)
if a: b = {
    c:
        d}
