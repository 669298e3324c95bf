if a:
	b = 1
	if b:
		c = 1
if d:
        e = 1
