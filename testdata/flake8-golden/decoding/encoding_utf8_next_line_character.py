# coding: utf-8
# U+0085  end
a = " " ;b=1
