from a import b
__all__ = [b, 'b'] + list('c')
__all__ = ['missing'] if b else []
