a = f'''{b
c = 1
