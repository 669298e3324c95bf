def f():
# comment
