a = '\N{no such name}'
