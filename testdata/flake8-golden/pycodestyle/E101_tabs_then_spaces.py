if True:
	a = 1
if True:
    b = 2
if True:
	    c = 3
class D:
	def e(self):
	    return 1

	def f(self):
		return 1
    # a comment with blanks
	# a comment with a tab
