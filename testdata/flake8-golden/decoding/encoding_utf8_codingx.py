# codingx: latin-1
b = "é" ;
