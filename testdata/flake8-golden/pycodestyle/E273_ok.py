if a:
	b = 1
c = 'and	d'
match	a:
    case	b:
        pass
d = True	== e
f = a	and g
