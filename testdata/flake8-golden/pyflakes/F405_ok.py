from os import *
import sys
print(len(sys.argv), __name__, __file__)
for i in range(3):
    print(i)
