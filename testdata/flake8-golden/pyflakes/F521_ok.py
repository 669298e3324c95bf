x = 1
'{{'.format()
'}}'.format()
'{{}}'.format()
'{!r}'.format(x)
'{!y}'.format(x)
'{:}'.format(x)
'{:{}}'.format(x, x)
'{:{{}}}'.format(x)
'{0[{]}{0[}]}{0[:]}{0[!]}'.format(x)
'{0[a]b}'.format(x)
b'{'.format(x)
f'{x}'.format()
x.format('{')
'{'.join(x)
'{'.format
'{'.format[x]
('{' + '}').format(x)
