"""Definitions in branches of one statement do not redefine each other."""
x = 1
if x:
    def a(): pass
else:
    def a(): pass

if x:
    def b(): pass
elif x > 1:
    def b(): pass
else:
    def b(): pass

if x:
    def c(): pass
    def c(): pass

try:
    def d(): pass
except ValueError:
    def d(): pass

try:
    def e(): pass
except ValueError:
    pass
else:
    def e(): pass

try:
    pass
except ValueError:
    def f(): pass
except KeyError:
    def f(): pass
else:
    def f(): pass
finally:
    def f(): pass

match x:
    case 1:
        def g(): pass
    case 2:
        def g(): pass

for x in []:
    def h(): pass
else:
    def h(): pass

while x:
    def i(): pass
else:
    def i(): pass

with x:
    def j(): pass
def j(): pass

if x:
    def k(): pass
def k(): pass

try:
    def m(): pass
except* ValueError:
    def m(): pass

if x:
    if x:
        def n(): pass
    else:
        def n(): pass
else:
    def n(): pass


def function():
    if x:
        def a(): pass
    else:
        def a(): pass
    return a
