if a:
    pass
b = True  == a
c = 'and  d'
match  a:
    case  b:
        pass
type  D = e
f = (a and
     b)
async_  = 1
iffy  = 1
g = print(a)
h = f'and  {a}'
