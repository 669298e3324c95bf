a = b % c
d = '%s' % e
f = b %c
g %= h
i = '%s%s'
j = f'{a:%d}'
