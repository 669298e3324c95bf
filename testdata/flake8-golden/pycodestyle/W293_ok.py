a = 1

b = """

"""

c = '   '
if d:

    e = 1
