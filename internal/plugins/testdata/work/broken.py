import os
def f(:
