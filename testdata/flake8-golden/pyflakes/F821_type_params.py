"""Type parameters and their scopes."""


def a[T](x: T) -> T:
    y: T = x
    return T, y


T


def b[T: T, S: undefined, *Ts, **P](x: S = T) -> Ts: return P


def c[T = undefined, S = T](): pass


class C[T](T, Base[T], metaclass=T):
    x: T = T

    def method[S](self) -> T | S | U: return S, T


type A = B
type B[T] = T | A | undefined
type D[T: 'undefined'] = 'undefined'
type E[*Ts = *undefined, **P = [undefined]] = Ts | P
S, P, Ts
@a[T]
def e[T](): pass


class F[T]:
    type G = T
    def m[T](self): return T
    G
type A = int
