a = 1
b = -1
c = a[b:  c]
d = (1,
     -1)
e = 'a  + b'
f = 1  # a  = b
g = f'  = {a}'
h = a \
    + b
