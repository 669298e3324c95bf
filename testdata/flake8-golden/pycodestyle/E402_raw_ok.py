R'''A raw docstring.'''
import os
