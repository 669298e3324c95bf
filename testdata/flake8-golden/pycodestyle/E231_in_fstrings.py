w = f'{a:{b:{c}}}'
w = f'{a:{b,c}}'
w = f'''{a:
}{b,
c}'''
w = f"{a,b:>{c,d}}"
w = 'a,b:c;d'
w = a[f'{b:c}':d]
w = a[f'{b}',c]
w = f'{a[b:c,d]}'
w = f'{a:=3}{b:!r}{c:%H:%M:%S}'
w = f'{a if b else {c:d}}'
w = f'{ {c:d}[e]:f}'
w = f'{a(b,c=d):e}'
w = f"{a:{f'{b:c}'}}"
w = f'{(a,b)[c:d]:e}'
w = t'{a:{b,c}}{d:e}'
w = t'{f"{a:b},{c,d}":e}'
w = f'{t"{a:b}"}'
x = a[:,1]
x = a[::,]
x = a[b,:,c:]
x = (a,)[b:c]
x = a[(b,c):d]
x = a[[b,c]:d]
x = a[b[c:d]:e]
x = a[b,(c,):d]
x = a[{b:c for d,e in f}:g]
x = [a,b][c:d]
x = a[b
      :c,d]
x = a[b:  # comment
      c,
      d]
x = lambda a,b=1,*c,d:e
x = lambda:lambda:1
x = [lambda a:a[b:c]]
x = a[lambda b,c:d,e:f]
x = {a:lambda b:c,d:e}
x = (lambda a:b)[c:d]
a: b; c: d
a,= b
a ,b = c
a,b, = c
a,	b = c
a, b = c
a;
a:int
