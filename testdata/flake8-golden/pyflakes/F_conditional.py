"""Bindings in branches of if, try, while and for."""
import a
if a:
    b = 1
    def c(): pass
    class d: pass
    import e
elif b:
    b = 2
    def c(): pass
    class d: pass
    import e
else:
    import f
    c = d = e = None
print(b, c, d, f)
try:
    g = 1
    import h
    def i(): pass
except ImportError:
    h = i = None
except (AttributeError, NameError):
    undefined
else:
    import h
    def i(): pass
finally:
    def i(): pass
while a:
    def j(): pass
    def j(): pass
else:
    def j(): pass
for k in a:
    import k
else:
    import k
if a: import m
import m
if a: n = 1
def n(): pass
(o if a else p) if a else (q := 1)
print(q)
if a:
    del a
print(a)
try:
    import r
except:
    r = None
else:
    r = 1
