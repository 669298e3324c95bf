a = 1
b = '	= 1'
if a:
	c = 1
d =	1
e,	f = 1, 2
g = 1	# comment
