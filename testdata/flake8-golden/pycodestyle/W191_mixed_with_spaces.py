if a:
        b = """
	"""
    	# comment
        c = 1
    
    	
	 
if d:
	e = f'''{
		f'{1}'
	}
	''' + '''
	'''
