"""Handlers of NameError, and the scope of names behind as."""
try:
    a
except NameError:
    b
try:
    a
except (NameError, ValueError):
    pass
try:
    a
except builtins.NameError:
    pass
try:
    a
except:
    pass
try:
    a
except Exception:
    pass
try:
    try:
        a
    except ValueError:
        pass
except NameError:
    pass
try:
    def function():
        return a
    [a for b in c]
    lambda: d
except NameError:
    e
else:
    f
finally:
    g
try:
    pass
except ValueError as error:
    print(error)
error
error2 = 1
try:
    pass
except ValueError as error2:
    print(error2)
print(error2)
try:
    a
except* NameError:
    pass
try:
    pass
except undefined as x:
    pass
