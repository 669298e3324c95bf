a = 1; b = 2
c; d; e
if f: g = 1; h = 2
import i; import j
k = 'a;b'; m = 2
n = 1 ; o = 2
p = 1;q = 2
r = [1, 2]; s = {3: 4}
def t(): u = 1; v = 2
w = 1; \
    x = 2
y = f'{a};{b}'; z = 1
a = 1; b = 2;
class C: d = 1; e = 2
while a: b; c
a = """
;
"""; b = 1
(a
 ); b
a = 1;  b = 2
