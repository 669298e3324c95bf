"""Every star import around is listed, and all of them are used."""
from z import *
from .y import *
from .. import *
from a.b.c import *
name
