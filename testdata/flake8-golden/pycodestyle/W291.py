a = 1 
b = 2	
c = 3  # text
d = 4  # text 	 
# comment 
e = """ 
text  
	 
""" 
f = (1, 
     2)
g = 1 + \
    2 
h = f""" 
{a 
} 
{b} 
""" 
if i: 
    pass  
j = 5 
k = 6 
m = 7  
n = t''' 
{o} 
''' 
p = [  # comment 
    1, 
] 
q = 1;  
class R:  
    """Doc. 

     
    """ 
s = 'one\
two' 
u = '''one'''   
v = 1 \
    + 2  
# 
w = 1  # noqa 
x = 1  # noqa: W291  
y = 1  # noqa: E 
z = '''x
''' 
  
