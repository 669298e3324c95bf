# coding: euc-jp
a = "日本" ;b=1
