if a:
	b = 1
d = (1,
	2)
e = """
	text
  	text
"""
	# comment
f =	1
if g:
		h = f"""
	{
	i}
	"""
j = 1 + \
	2
k = 3
	
if m:
	n = '\
	o'
	p = (
		1,  # comment
	)
if q:
	r = t'''
	'''
