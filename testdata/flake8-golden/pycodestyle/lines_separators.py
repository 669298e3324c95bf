a = 'one two threefourfivesixseven' ;b=1
# one two 
# one
c = ''' 
 
''' ;
#     
# comment
'''Doc text 
 '''
