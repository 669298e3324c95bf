from os import path
from math import pi as p
import math
print(path, p, math)
