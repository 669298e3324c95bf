"""A docstring decides.
	The first indented line begins with a tab.
"""
if True:
    a = 1
