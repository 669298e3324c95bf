a = 1  # coding: latin-1
b = "é" ;
