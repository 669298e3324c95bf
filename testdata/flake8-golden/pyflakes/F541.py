x = 1
f''
f'a'
F"a" 'b'
'a' f'b'
rf'\d'
f'{{}}'
f'a' f'b'
('a'
 f'b')
f'''
'''
f'{x:{f"a"}}'
f'{f"a"}'
print(f'a', f'{x}')


def function(argument=f'a') -> f'int':
    return f'a' 'b'
