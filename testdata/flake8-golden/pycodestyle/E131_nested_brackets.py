a = (b(
    c,
      d),
    e)
f = {
    g:
        h,
    i:
            j,
    k:
      l2,
    m: n,
      o: p,
}
def q(r: (
        s),
        t=(
            u,
              v)) -> (
        w):
    return w
x = y(
    lambda:
        z,
    lambda z:
            y)
