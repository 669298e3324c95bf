from os import path
from __future__ import annotations
print(path)
