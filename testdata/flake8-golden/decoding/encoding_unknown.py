# coding: nonsense
a = "é" ;b=1
