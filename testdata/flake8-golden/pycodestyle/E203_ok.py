if (a := 1):
    pass
if (b :=1):
    pass
c = a[1:, 2]
d = a[1, :]
e = ' , :'
f = {1: 2}
g = (a,
     b)
h = f' , {a} :'
i = a[1, ::2]
a = 1  # ; , :
