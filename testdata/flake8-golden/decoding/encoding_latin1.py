# -*- coding: latin-1 -*-
a = "éè" ;b=1
