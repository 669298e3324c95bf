if True:
    a = 1
if True:
	b = 2
if True:
    if c:
    	d = 4
e = """
	tab first
    blanks
  	blanks and tab
"""
f = (1,
	    2,
    	3)
# a comment
	# a tab before a comment
