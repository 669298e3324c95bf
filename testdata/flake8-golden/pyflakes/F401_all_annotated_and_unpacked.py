"""__all__ with an annotation, from a comprehension, taken apart."""
import a
import b
import c

__all__: list[str] = ['a']
(__all__, other) = (['b'], 1)
for __all__ in (): pass
