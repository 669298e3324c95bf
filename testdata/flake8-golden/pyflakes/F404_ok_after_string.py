from __future__ import annotations
"""A string."""
from __future__ import division; from __future__ import print_function
