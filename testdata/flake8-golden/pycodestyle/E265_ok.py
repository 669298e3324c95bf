#!/usr/bin/env python
# one
#  two
#
#: doc
#:
##########
a = 1  #one
b = '''
#one
'''
