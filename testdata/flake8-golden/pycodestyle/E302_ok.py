#!/bin/sh
# comment
def a():
    pass


# comment

def b():
    pass


@c
def d():
    pass


def e(): pass
def f(): pass
@g
def h(): pass
async def i(): pass
class J: pass


if k:
    def m():
        pass
define = 1
classify = 2
def_ = 3
class_ = 4
