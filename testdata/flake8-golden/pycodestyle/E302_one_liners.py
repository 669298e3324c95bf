def a(): return 1
def b(): return (
    2)
def c(): return 3
def d(): return [
    4,
]
def e(): return """
x"""
def f(): return 5; \
    g = 6
def h(): return \
    7
