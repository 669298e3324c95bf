"""Exceptions, everywhere."""
try: pass
except ValueError as a: pass
try: pass
except ValueError as b: print(b)
try: pass
except* ValueError as c: pass
d = 1
try: pass
except ValueError as d: pass
try: pass
except ValueError as e:
    try: pass
    except KeyError as e: pass
    print(e)


def function():
    try: pass
    except ValueError as f: pass
    except KeyError as f: print(f)
    try: pass
    except ValueError as g:
        def inner(): return g
        return inner
    try: pass
    except ValueError as h:
        del h
    try: pass
    except ValueError as i:
        i = 1
    i = 2
    try: pass
    except ValueError as i: pass
    try: pass
    except ValueError as _: pass


class Class:
    try: pass
    except ValueError as j: pass
