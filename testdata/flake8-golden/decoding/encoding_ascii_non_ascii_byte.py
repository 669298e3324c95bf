# coding: us-ascii
a = "é" ;b=1
