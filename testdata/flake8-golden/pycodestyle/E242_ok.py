a = (1, 2)
b = 'a,	b'
c = (1,
	2)
d = 1,	# comment
e	= 1
