@a
class B:
    pass


import c
