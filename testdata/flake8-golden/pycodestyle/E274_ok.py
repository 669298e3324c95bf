if a:
	if b:
		c = 1
d = '	and'
e = a and	c
f =	True
g	= 1
