# coding: ascii
a = "x" ;b=1
