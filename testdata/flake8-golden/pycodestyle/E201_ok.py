print(1)
a = (  # comment
    1)
b = '( 1'
c = (
     2)
d = [\
     3]
e = f'( {a}'
f = f'{{ a }}'
g = {1: ()}
