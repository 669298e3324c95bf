# coding: cp1252
a = "€“”" ;b=1
