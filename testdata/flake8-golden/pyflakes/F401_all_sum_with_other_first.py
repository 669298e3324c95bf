"""A sum that begins with something else."""
import a
import b
import c
from other import __all__ as theirs

__all__ = theirs + ['a'] + ['b']
