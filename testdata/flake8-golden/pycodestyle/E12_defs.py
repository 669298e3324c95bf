def a(
        b,
        c,
):
    pass


def a(
        b,
        c) -> d:
    pass


def a(b,
      c=(
          1),
      *d: e,
      f: g = 1
      ) -> h:
    pass


class A(B,
        C):
    pass


class A(
        B, metaclass=
        C):
    pass


async def a(b: c,
            d: e
            = 1) -> None: ...


@a(b,
   c)
@d(
    e)
def f[T: (int,
          str)](g: T,
                h: T):
    pass


type X[T,
       U] = dict[T,
                 U]
match a(b,
        c):
    case [1,
          2] | [3,
                4]:
        pass
    case {'a': 1,
        'b': 2}:
        pass
    case A(
            b=1):
        pass
    case (
        1):
        pass
lambda a, \
    b: a
lambda *a, b=(1,
              2): b
try:
    pass
except (A,
    B):
    pass
finally:
    a = yield_(
    )
