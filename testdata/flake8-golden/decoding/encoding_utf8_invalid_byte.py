# coding: utf-8
a = "é" ;b=1
