print( 1)
a[ 1]
b = { 1}
c = [	2]
d = ( 3, [ 4, { 5}])
e = f'{ a}{ b!r}{ c:>{ d}}'
g = t"{ a}"
h = (  1)
i = f'{ {1: 2}}'
if ( a):
    j = ( # comment
        1)
k = ( "text")
m = [ ]
n = ( ( 1 ) )
o = '''(''' + ( ' a')
class P( object):
    pass
