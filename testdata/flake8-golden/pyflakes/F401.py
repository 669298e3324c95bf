"""Imports that nothing uses, in each form of the statement."""
import os
import sys, re
import os.path
import xml.dom.minidom
import json as js
import collections as collections
import email.message as message
import email.message as email_message
from math import pi
from math import sin as sine, cos as cos, tan
from . import sibling
from .. import cousin as c
from .nephew import niece
from .. nephew import name as other
from ... import *
from string import (
    digits,
    punctuation as marks,
)
print(re, tan)
