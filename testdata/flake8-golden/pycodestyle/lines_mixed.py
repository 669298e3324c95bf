a = 1
b = 2c = 3 

d = """x
y
"""
e = 1 
f = 2