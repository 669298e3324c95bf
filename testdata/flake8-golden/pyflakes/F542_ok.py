x = 1
t'{x}'
t'a' t'{x}'
t'{x:a}'
t'{x!r:{x}}'
t'{f"a"}'
