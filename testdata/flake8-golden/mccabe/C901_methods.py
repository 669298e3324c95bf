class Outer:
    def method(self, a):
        if a: pass
        if a: pass
        if a: pass

    @staticmethod
    async def coroutine(a):
        if a: pass
        if a: pass
        if a: pass

    class Inner:
        def method(self, a):
            if a: pass
            if a: pass
            if a: pass

    if method:
        def conditional(self, a):
            if a: pass
            if a: pass
    for x in []:
        if x:
            if x: pass
    try: pass
    except ValueError: pass
    except KeyError: pass


class Outer:
    def method(self, a):
        if a: pass
        if a: pass
        if a: pass
        if a: pass
