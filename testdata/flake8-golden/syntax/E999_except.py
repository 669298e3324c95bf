try:
    a = 1
except* :
    pass
