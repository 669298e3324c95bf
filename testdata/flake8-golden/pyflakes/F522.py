x = {}
''.format(a=1)
'{}'.format(1, a=2)
'{b}'.format(b=1, c=2, a=3)
'{a}'.format(A=1, a=2, é=3, _=4)
'{0}'.format(1, x=x)
'{a.b}{c[d]}'.format(a=1, b=2, c=3, d=4)
'{{a}}'.format(a=1)
'{ a}'.format(a=1)
