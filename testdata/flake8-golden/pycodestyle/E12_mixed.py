if True:
    a = (
	1,
	2)
    b = (1,
	  2)
    c = d(1,
	  2)
if e:
        f = (
	    1)
