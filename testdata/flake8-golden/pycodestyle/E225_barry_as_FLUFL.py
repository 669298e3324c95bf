from __future__ import barry_as_FLUFL
x = 1
x <>x
x<>x
x<> x
x <>-x
x  <>  x
if x<>(x): pass
