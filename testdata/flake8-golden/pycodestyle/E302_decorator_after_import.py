#!/bin/sh
# -*- coding: utf-8 -*-
import a

@b
def c():
    pass



# three blank lines

def d():
    pass



def e():
    pass
class F(G): h = 1
class I(J):
    pass
