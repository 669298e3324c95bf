if	a:
    pass
b = a and	c
b = a or 	c
b = not	a
for	d in	e:
    pass
import	f
print	(1)
def	g():
    return	1
b = a is	not	 c
b = a and	\
    c
b = f'{a and	c}'
lambda	: 1
