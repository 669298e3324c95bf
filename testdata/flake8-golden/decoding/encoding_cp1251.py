# coding: windows-1251
а = "б" ;b=1
