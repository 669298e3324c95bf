a = ''
b = 1  #comment
c = """

"""
# 
