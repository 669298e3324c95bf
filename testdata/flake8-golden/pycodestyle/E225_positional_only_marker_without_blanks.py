def a(b,/): pass
def a(b,/):
    pass
def a(b, /)->c: pass
def a(b, /) -> c: pass
def a(b, /,c): pass
def a(b,/,c): pass
def a(b,/ ,c): pass
def a(b, / ): pass
def a(b, /  # comment
      ): pass
def a(b,/
      ): pass
def a(b=1,/, *,c): pass
def a(b: c=1, /, *d): pass
def a(b,/)->c: pass
def a(b,/) -> c: pass
lambda a,/: a
lambda a, /:a
lambda a,/ :a
lambda a=1/2,/,b=c/d: a
class E:
    def f(self,/): return self/2
    def g(self, a, /): return (a)/2
    def h(self, a=(1), /): pass
if(a)/2: pass
if a/(2): pass
while a/(b): pass
for a in(b)*(c): pass
