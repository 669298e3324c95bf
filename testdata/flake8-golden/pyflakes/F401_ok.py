"""Imports that are used, one way or another."""
from __future__ import annotations
import os
import sys
import xml.dom.minidom
import logging.handlers
import typing
import decimal
import fractions
import json as serializer
from math import pi, sin as sine
from . import sibling
from package import *
from string import digits

__all__ = ['digits', 'anything']


def function(value: decimal.Decimal) -> 'fractions.Fraction':
    return os.path.join(serializer.dumps(pi), sine(value))


class Class:
    import attribute
    number: typing.Optional['sys.Thing'] = sibling


print(xml, logging.handlers)
