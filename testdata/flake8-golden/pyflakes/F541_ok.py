x = 1
f'{x}'
'a' f'{x}'
f'a' f'{x}' f'b'
f'{x:>10}'
f'{x!r:{x}}'
f'{x:a}'
'f""'
f'{x:{x:a}}'
