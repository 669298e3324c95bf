# é
# coding: latin-1
b = "é" ;
