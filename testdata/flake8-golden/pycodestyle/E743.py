def l(): pass
def O(a):
    pass
async def I(b): pass
def l[T](): pass
class C:
    def I(self): pass
def  O(l): pass
def \
        l(): pass
lambda l: l
if a: pass
def I(
        O): pass
