if True:
	a = (
				1)
	b = (
			2)
	c = (
		3)
if True:
        d = [
                1]
        e = [
            2]
