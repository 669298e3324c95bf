# coding:latin-1 utf-8
b = "é" ;
