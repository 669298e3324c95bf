import b
from c import d, e as f
__all__ = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'Class', 'method', 'é']
__all__ += ['h']
__all__ += ('i',) + ('j',)


class Class:
    def method(self): pass


a = 1
