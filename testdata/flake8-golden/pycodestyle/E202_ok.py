print(1)
a = (1, )
b = '1 )'
c = (1
     )
d = (1,
     )
e = f'a )'
f = ()
