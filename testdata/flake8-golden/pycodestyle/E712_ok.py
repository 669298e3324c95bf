if a:
    pass
if a is True:
    pass
b = 'a == True'
c = a(True) == b
d = a == (True)
e = a == Truth
