# coding: latin-1
import os
x = "é"; spam = 1;
def ab(): return x
