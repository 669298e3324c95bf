if True:
	a = 1
	b = (1,
			2)
	c = 3
