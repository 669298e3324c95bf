a = 1  # comment
b = 2  #  comment
# comment
#  comment
c = "x"  #　x
d = 1  # x 
e = """ 
　
"""
f = 1 # x
# x  
