

def a():
    pass
