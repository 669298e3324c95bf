a = f'{b}'
a = f'{b }{ c}{ d }'
a = f'{b!r}{c !r}'
a = f'{b:>3}{c :>3}{d: >3}'
a = f'{b=}{c =}{d= }{e = }{f=!r}{g=:>3}{h = !r:>3}'
a = f'{b:{c}}{d:{e}{f}}{g:{h:{i}}}'
a = f'{b:{c }}{d:{ e}{f,g}}'
a = f'{{b}}{{ {c} }}{{{d}}}{{{{'
a = f'{b,c}{d,}{(e,f)}{[g,h]}{ {i:j} }'
a = f'{b if c else d}{(lambda e:f)}{g(h=i)}{j(k = m)}'
a = f"{f"{f'{b }'}"}"
a = f"{'a' 'b'}{"c"+"d"}"
a = f'{b+c}{d +e}{f== g}{h>i}{j!=k}{m%n}{o|p}'
a = f'''{
b}{
    c
    +d
}'''
a = f'{  # comment
    b
}'
a = f'{b[1:2]}{c[d:e, f:g]}{h[i :j]}'
a = f'{b:%Y-%m-%d %H:%M}{c:,}{d:;}'
a = f'{(yield)}{(b := 1)}{c:=1}'
a = f'{not(b)}{b in(c)}{b and  c}'
a = f'{*b,}{*c, d}'
a = f'{b}' f'{c}'f'{d}' 'e'
a = f'{"\n"}\n{'\N{EM DASH}'}'
a = f'\N{EM DASH}{b },{c}'
a = rf'\N{b },{c}\{d }'
a = f'{b:\n}{c:{d}\t}'
a = f''
a = f'''
''' ; b = 1
a = f'{b}' ;c = f'''
{d}''' ;
a = f'{b.c .d}{e (f)}{g [h]}'
a = f'a b{c}d  e'+f
f'{a}'
f'''Doc {a} text
'''
a = b[f'{c}':f'{d}']
a = {f'{b}':f'{c}'}
a = b(f'{c}'=='d', *f'{e}', f = f'{g}')
print (f'{a}'), f'{b}' [0]
if f'{a}':pass
a = f'{{,}}' ,f'{{}};' ;b=1
a = f'{{{{{b ,c}}}}} ,'
assert f'{a}',f'{b}'
a = (f'{b}'
     f'{c}'
       f'{d}')
a = f'''{b}
  {c:
}  {d }''' ;e = f'''
''' ;
a = f"{b:{'>'}{c}}{d:{"x" if e else "y" }}"
a = f'{b!r:{c }>{ d}}'
