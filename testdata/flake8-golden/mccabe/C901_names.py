def function(a):
    if a: pass
    if a: pass
    if a: pass


def function(a): pass


def other(a): pass


def other(a):
    if a: pass
    if a: pass
    if a: pass


def été(a):
    x = 'é'; 'é'
    if a: pass
    if a: pass
    if a: pass


class Été: 'é'; x = 1


class É:
	def méthode(self, a):
		if a: pass
		if a: pass
		if a: pass
