a = (1 +
     2)
b = (c,
     -d)
e = (
    -f)
g = (h
     in i)
j = (k
     % m)
n = (o
     .p)
q = """
""" + r
s = (t
     @ u)
