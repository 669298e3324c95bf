
# coding: x-nonsense
a = 1;
