br'''A raw docstring of bytes.'''
import os
