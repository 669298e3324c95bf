"""Loops that leave imports alone, or take the name of a used one."""
import a
import b
import c
print(a)
print([b for b in []])
for d.b in []: pass
while (e := 1): pass
with open('f') as c: print(c)
