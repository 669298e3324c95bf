a = 1
b = 'x '
c = 1 \
    + 2
# comment
d = 1
e = """ x
"""
f = f'{a} '
