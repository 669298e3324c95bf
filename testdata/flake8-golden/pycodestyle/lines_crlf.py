a = 1
b = 2 
if c:
    d = """
text 
"""



e = 'one\
two'
f = (1,
     2)
g = f'''{h
} 
'''
i = 1 + \
    2
# comment
def j():
	return '\d'
