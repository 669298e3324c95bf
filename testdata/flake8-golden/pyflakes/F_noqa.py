import os  # noqa
import sys  # noqa: F401
import re  # noqa: E501
import json  # noqa:F401,E501
from math import (  # noqa: F401
    pi,
    tau,
)
from string import (
    digits,  # noqa
    punctuation,
)
undefined  # noqa: F8
undefined  # NOQA : F821
'%s' % (1,
        2)  # noqa: F507


def function(a,
             b, a):  # noqa: F831
    x = """
    """  # noqa
