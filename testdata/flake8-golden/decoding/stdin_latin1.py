# coding: latin-1
a = 'é' ;b=1
