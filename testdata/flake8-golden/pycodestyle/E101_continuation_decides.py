a = 1 + \
	\
    2
if a:
    b = 3
