a = 1
    
b = 2
	
c = """
  

	
text
"""
if d:
    e = 1
    
    f = 2
  
# comment
 
g = (1,
 
     2)
h = f"""
  
{i
  
}
  
"""
 
 
j = '''

 	 
  '''
k = t'''
	
'''
  
m = 1  # noqa

class N:
  
    o = 1
  
    def p(self):
  
        q = '\
  \
'
        return q
  
