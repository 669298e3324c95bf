__a__, __b__ = 1, 2
import c
