def function(x):
    raise NotImplementedError
    raise NotImplementedError('message')
    raise x.NotImplemented
    raise NotImplemented.x
    raise x(NotImplemented)
    raise ValueError from NotImplemented
    raise
    return NotImplemented
