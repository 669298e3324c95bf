return
return 1
if undefined: return undefined


class Class:
    return 1

    def method(self): return

    class Inner:
        return undefined


for x in []: return x
try: return
finally: return
