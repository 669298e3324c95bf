
def a():
    pass
