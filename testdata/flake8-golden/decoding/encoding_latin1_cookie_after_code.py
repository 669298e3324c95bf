x = 1
# coding: cp1252
a = "é" ;b=1
