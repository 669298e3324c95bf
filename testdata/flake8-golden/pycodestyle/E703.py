a = 1;
b = 2 ;
c;
if d: e = 1;
import f;
g = 1;  # comment
h = 1; i = 2;
def j(): return;
k = """
""";
m = (1,
     2);
pass; 
if n:
    pass;
class O: pass;
p = f'{a}';