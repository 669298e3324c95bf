from __future__ import annotations, division
from __future__ import print_function as print_
import os
