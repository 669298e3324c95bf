print(1 )
a[1 ]
b = {1 }
c = [2	]
d = (3, [4, {5 } ] )
e = f'{a }{b !r}{c :>{d }}'
f = t"{a }"
g = (1   )
h = (1,
     2 )
i = (1, )
j = [1, 2 ,]
k = f'{a = }'
m = ('text' )
n = (1  # comment
     )
o = f'''{
    a }'''
p = (1 \
     )
