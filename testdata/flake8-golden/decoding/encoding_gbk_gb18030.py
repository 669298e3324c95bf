# coding: gb18030
a = "你" ;b=1
