# coding: utf-8
a = 1 \
    + 2
