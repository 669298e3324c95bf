   
import a
if b: c = 1; import d
import e
B"x"
import f
U"y"
import g
