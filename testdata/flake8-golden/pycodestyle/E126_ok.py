a = (
    42)
b = (
   42)
if c(
        d):
    pass
e = (1,
        2)
