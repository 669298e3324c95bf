a = t'{b}'
a = t'{b }{ c}'
a = t'{b=}{c = !r}{d:>{e }}'
a = t'{{b}}{ {c:d} }'
a = t'''
{b
 +c}  
''' ;
a = t"{f"{t'{b ,c}'}"}"
a = t'{b}' t'{c}'
a = rt'\d{b}' ;b = tR'\d'
if t'{a}':pass
a = t'{b:{c,d}}{e,f}'
a = t'{lambda_:x}{(lambda y:z)}'
print (t'{a}') ,t'' [0]
