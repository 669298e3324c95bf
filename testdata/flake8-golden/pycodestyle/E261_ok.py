a = 1  # two
b = 1    # four
# own line
if a:
    # own line
    pass
c = [  # two
    1,
    # own line
]
d = '# not a comment'
e = 1		# two tabs
