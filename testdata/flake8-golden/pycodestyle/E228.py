a = b%c
d = '%s'%e
f = '%s'%(g)
h = (i%j)%k
m = f'{a%b}'
n = a()%b[1]
o = 1%2
p = ('%s'
     %q)
r = (a%
     b)
s = a%-b
