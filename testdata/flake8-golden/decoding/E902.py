# coding: nonsense
a = 1 \    + 2
b=1
