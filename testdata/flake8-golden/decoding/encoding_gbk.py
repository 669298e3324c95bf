# coding: gbk
a = "你好" ;b=1
