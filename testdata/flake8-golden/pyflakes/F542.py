x = 1
t''
t'a'
rt'\d'
t'{{}}'
t'a' t'b'
f'{t"a"}'
t'{t"a"}'
