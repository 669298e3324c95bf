if True:
	a = (1,
	     2)
	b = (
		3,
		4,
	)
	c = (
	    5,
	)
	d = e(f,
			g)
	h = [
			i,
			j,
	]
	if (k and
		l2):
		pass
	if (m and
	    n):
		pass
	o = {
	    'p': 1,
		'q': 2,
		}
r = (1,
	2)
s = (
	1)
t = (
		2)
u = (
    3)
