# comment



# comment



def a():
    pass
if b:
    c = """



    """


    d = 1
  
	


e = 1



f = 1
    
    
    
g = 1


# one


# two



# three
h = 1; i = 2



j = (1,



     2)



k = f'''



{h}'''
