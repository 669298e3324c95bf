a = b | c
d = ~e
f = b |c
g = 'a|b'
h |= 1
print(a, b >> c)
