"""The last __all__ counts, with what was added to it before."""
import a
import b
import c
import d

__all__ = ['a']
__all__ = ['b']
__all__ += [name for name in ('c',)] + ['d']
if a:
    __all__ += ['c', 'missing']
