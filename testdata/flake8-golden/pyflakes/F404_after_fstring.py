f'no docstring'
from __future__ import annotations
