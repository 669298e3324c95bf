def function(x):
    raise NotImplemented
    raise NotImplemented('message')
    raise (NotImplemented)
    raise NotImplemented()
    raise NotImplemented from x


raise NotImplemented
