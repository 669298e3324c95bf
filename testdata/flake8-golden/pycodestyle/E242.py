a = (1,	2)
b = [1,		2]
c = {1:	2}
d = 1;	e = 2
def f(g:	int, 	h=1):
    pass
if a:	b = 1
i = f(1,	  2)
j = f'{a,	b}'
k = lambda m:	m
n = (1,	\
     2)
o:	int = 1
p = (1,  	2)
