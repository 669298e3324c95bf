if a:
    b =	1  #	comment
c = 'a	b'
	
d = 1
