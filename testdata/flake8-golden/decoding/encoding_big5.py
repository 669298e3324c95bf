# coding: big5
a = "中" ;b=1
