if a:
    \
b = 1
if c:
  \
    d = 1
if e:
    f = [
    ]; g = (
    1)
