r"""Doc."""
from __future__ import annotations
del b
from __future__ import generators
