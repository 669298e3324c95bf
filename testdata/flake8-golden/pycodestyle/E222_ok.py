a = 1
b = [1,  2]
c = -1
d = a = (
    1)
e = '=  1'
f = a = \
    1
g = (1 +  # comment
     2)
