"""Statements outside of functions have a complexity of their own."""
a = []
if a:
    pass
elif a:
    pass
elif a:
    pass
for a in a:
    if a:
        if a: pass
while a:
    if a: pass
    if a: pass
else:
    if a: pass
try:
    if a: pass
except ValueError:
    if a: pass
except KeyError: pass
finally:
    if a: pass
if a:
    def function():
        if a: pass
    class Class:
        def method(self): pass
with a:
    if a:
        if a:
            if a: pass
    def within(a):
        if a: pass
        if a: pass
        if a: pass
match a:
    case 1:
        def unseen(a):
            if a: pass
            if a: pass
            if a: pass
try: pass
except* ValueError:
    def unseen_too(a):
        if a: pass
        if a: pass
        if a: pass
try: pass
finally:
    def unseen_three(a):
        if a: pass
        if a: pass
        if a: pass
