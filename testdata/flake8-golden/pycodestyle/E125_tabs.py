if True:
	if a(
		b):
		c = 1
if a(
	b):
	c = 1
class L(
    M):
    pass
if (a or
    b(
    c)
    ):
    pass
