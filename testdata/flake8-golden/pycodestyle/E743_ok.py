def L():
    pass


def ll():
    pass


a.l = 1
b = 'def l(): pass'
l()
