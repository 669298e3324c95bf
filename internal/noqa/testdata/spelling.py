import os  #noqa
import re  # noqa F401
import sys  # noqa: F401,E501
import io  # noqa:  F401
x = 1  # noqa
y=1  # noqa: E225, E225
z=1  # noqa : E225
#flake8 noqa
a=1  # noqa: E501 W291 foo
b=1  # noqa:E225 foo
c = 1  # noqa:E501 , W291,
d = 1  # noqa: E501,W291: two reasons
e = 1  #	noqa
f = 1  ## noqa: E501
g = 1  #: noqa
h = 1  # noqas: E501
i = 1  # noqa_: E501
j = 1  # see # noqa: E501 # noqa: W291
k = 1  # noqa # NoQA:E501E502,e501
l=1  # noqa: E7,E2
m=1  # type: ignore # noqa:E225,W291 # pylint: disable=all
n = 1  # noqa;E501
o = 1  # noqa : because
print(re, sys, io, a, b)
