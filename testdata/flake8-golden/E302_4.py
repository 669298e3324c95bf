# comment

def a():
    pass
