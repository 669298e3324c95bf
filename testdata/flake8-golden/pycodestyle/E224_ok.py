a = 1
b = '=	1'
c	= 1
d = 1  #	comment
if a:
	e = (
		1)
