a =	1
b = 1 +	2
c = b - 	1
d +=	1
if a < 	b:
    pass
e = (a :=	1)
f = a +	\
    b
g = f'{a +	b}'
def h(*	i, **	j) ->	k:
    pass
