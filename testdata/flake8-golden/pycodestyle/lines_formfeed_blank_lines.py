a = 1
b = 2

c = 3
if d:
    e = 4
    
    f = 5
def g():
    pass
h = 6 + 7
i=8
j = [1]
k = '''
'''
m = f'{n}'
o = (1,
     2)
p = 1  # comment
q = 1# comment
# comment
  # comment
r, s = 1, 2
if t:
    pass
