"""Imports of one name."""
import a
import a
import a.b
import a.b
import a.c
import a as a
from b import a
from b import a as a
import c.d as e
import c.d as e
from f import g, g
import h, h
import i.j
import i
import k
import k.m
from . import n
from .. import n
from o import *
from o import *
