a = 1 # one
b = 2# none
c = [ # one
    1,# none
    2 # one
]# none
if a: # one
    pass # one
d = """
""" # one
e = f'{a}' # one
f = (1,
     # own line
     2)
g = 1	# tab
h = 1  # two
i = 1   # three
j = \
    1 # one
class K: # one
    pass
def m(): # one
    pass# none
n = f'''{
    a # one
}'''
