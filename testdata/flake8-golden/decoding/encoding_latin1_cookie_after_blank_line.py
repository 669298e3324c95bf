
# coding=iso-8859-15
a = "€€" ;b=1
