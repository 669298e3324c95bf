lazy import a
lazy from b import c
import d
from e import f
x = 1
lazy import g
lazy from h import i
lazy  import j
lazy import  k
if x:
    lazy import m
