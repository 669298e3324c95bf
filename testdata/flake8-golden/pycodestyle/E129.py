if (a or
    b):
    pass
if (item in
    basket):
    pay()
while d(1,
        2):
        pass
if (tea == 1
    or salt == 'one '
            'two'):
    enter()
if (tea == 1 or
    salt == """one
two"""):
    enter()
for (a,
    b) in c:
    pass
if (e or
    f) and (g or
    h):
    pass
