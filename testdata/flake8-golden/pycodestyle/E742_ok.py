class L:
    pass


class II:
    pass


a.O = 1
b = 'class I: pass'
