# coding: utf8
a = "é𝒳" ;b=1
