# coding: shift_jis
a = "日本" ;b=1
