a = (1, 2)
b = 'a,  b'
c = (1,
     2)
d = (1,  # comment
     2)
e = a  [1]
f = {1: 2}  # ,  comment
g = f'a,  {b}'
