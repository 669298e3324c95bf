a = f"""{f'''
	first tab
'''}
    then blanks
	"""
if a:
    b = 1
