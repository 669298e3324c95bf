try:
    pass
except:
    pass
try:
    pass
except :
    pass
try:
    pass
except  :
    pass
try: pass
except: pass
try:
    pass
except:  # noqa
    pass
try:
    pass
except:  # noqa: E722
    pass
try:
    pass
except\
        :
    pass
try:
    pass
except A:
    pass
except: a = 1
if b:
    try:
        pass
    except:
        pass
    else:
        pass
