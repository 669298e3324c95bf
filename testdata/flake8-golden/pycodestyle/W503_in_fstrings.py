a = f'''{b
    # comment
    + c!r
    :>3}'''
d = f'''
{e}
''' + f
g = f'''{h
}
''' \
    + i
j = (k ==
     m
     + n)
o = (p
     ,
     + q)
r = {s
     : + t}
u = [v,

     * w]
x = f'''
    {'a'
     'b' + 'c'
     + 'd'}
'''
y = (~
     - z)
match (a
       | b):
    case (1
          | 2):
        pass
    case [c
          , *d]:
        pass
lambda a, *\
    b, **\
    c: (a
        - b)
e += \
    - f
g: h \
    = i
j = (k
     <
     -
     m)
