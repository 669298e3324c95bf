if a:
																																																																									b = 1
																																																																									c = 12
																																																																									d = '''
																																																																									xxxxxxxxx
	'''
