"""Names in __all__ are used."""
import first
import second
import third
import fourth
import fifth
import sixth
from seventh import seventh
import eighth.part
import ninth as renamed

__all__ = ['first', 'second']
__all__ += ['third']
__all__ += ('seventh',)
__all__ = __all__ + ['fourth']
__all__.append('fifth')
__all__ += ['eighth', 'ninth']
