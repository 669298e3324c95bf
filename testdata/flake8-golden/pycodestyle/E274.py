b = a	and c
b = a 	or c
b = a	in c
b = a	is	not c
for d	in e:
    pass
with a	as b:
    pass
from a	import b
b = a	 if b	else c
b = a	\
    and c
b = f'{a	and c}'
if a:	pass
b =	not a
