# coding: koi8-r
а = "б" ;b=1
