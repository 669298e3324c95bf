package guard_test

import (
	"strings"
	"testing"

	"codelinter/internal/guard"
	"codelinter/lint"
)

// The program imports what nothing is known of, so that only what its findings ask for
// may differ. Each rewrite has near misses: the same edit where no finding asks for it, or
// where its condition does not hold.
func TestAsked(t *testing.T) {
	const head = "import numpy\n\nnumpy.seterr()\n\n\n"
	for _, test := range []struct {
		name, program string
		same, other   []string
		callers       []string
	}{
		{
			name:    "layout",
			program: "def f(a,b) :\n    return numpy.dot(a, b); \n",
			same:    []string{"def f(a, b):\n    return numpy.dot(a, b)\n"},
			other:   []string{"def f(a, b):\n    return numpy.dot(b, a)\n", "def f(b, a):\n    return numpy.dot(b, a)\n"},
		},
		{
			name:    "E711",
			program: "def f(a, b):\n    return a == None, b is None, a == b\n",
			same:    []string{"def f(a, b):\n    return a is None, b is None, a == b\n"},
			other: []string{
				"def f(a, b):\n    return a is not None, b is None, a == b\n",
				"def f(a, b):\n    return not a, b is None, a == b\n",
				"def f(a, b):\n    return a is None, b is None, a is b\n",
				"def f(a, b):\n    return b is None, b is None, a == b\n",
			},
		},
		{
			name:    "E711 and E712 of a returned truth",
			program: "def f(a, b):\n    if a == None:\n        return True\n    return False\n\n\ndef g(a):\n    if a == True:\n        return False\n    return True\n",
			same:    []string{"def f(a, b):\n    if a is None:\n        return True\n    return False\n\n\ndef g(a):\n    return not a\n", "def f(a, b):\n    return a is None\n\n\ndef g(a):\n    if a is True:\n        return False\n    return True\n"},
			other:   []string{"def f(a, b):\n    return a is not None\n\n\ndef g(a):\n    return not a\n"},
		},
		{
			name:    "E711 without a finding",
			program: "def f(a,b):\n    return a.eq(None), a == b\n",
			other:   []string{"def f(a, b):\n    return a is None, a == b\n", "def f(a, b):\n    return a.eq(None), a is b\n"},
		},
		{
			name:    "E711 on the left, in a chain",
			program: "def f(a):\n    if None != a:\n        return not a == None\n    return 1 < a == None\n",
			same:    nil,
			other: []string{
				"def f(a):\n    if a is not None:\n        return a is not None\n    return 1 < a is None\n",
			},
		},
		{
			name:    "E711 negated",
			program: "def f(a):\n    if None != a:\n        return not a == None\n",
			same: []string{
				"def f(a):\n    if a is not None:\n        return a is not None\n",
				"def f(a):\n    if None is not a:\n        return not a is None\n",
			},
			other: []string{"def f(a):\n    if a is not None:\n        return a is None\n"},
		},
		{
			name:    "E712",
			program: "def f(a, b):\n    if a == True and b != True:\n        return a == True\n    while not b == False:\n        pass\n",
			same: []string{
				"def f(a, b):\n    if a is True and b is not True:\n        return a is True\n    while b is not False:\n        pass\n",
				"def f(a, b):\n    if a and not b:\n        return a is True\n    while b:\n        pass\n",
			},
			other: []string{
				"def f(a, b):\n    if a and not b:\n        return a\n    while b:\n        pass\n",
				"def f(a, b):\n    if a and b:\n        return a is True\n    while b:\n        pass\n",
				"def f(a, b):\n    if not a and not b:\n        return a is True\n    while b:\n        pass\n",
				"def f(a, b):\n    if a and not b:\n        return a is True\n    while not b:\n        pass\n",
			},
		},
		{
			name:    "E721",
			program: "def f(a, b):\n    return type(a) == type(b), a == b\n",
			same:    []string{"def f(a, b):\n    return type(a) is type(b), a == b\n"},
			other:   []string{"def f(a, b):\n    return type(a) is type(b), a is b\n", "def f(a, b):\n    return isinstance(a, type(b)), a == b\n"},
		},
		{
			name:    "E722",
			program: "def f(a):\n    try:\n        return a()\n    except:\n        return None\n",
			same: []string{
				"def f(a):\n    try:\n        return a()\n    except Exception:\n        return None\n",
				"def f(a):\n    try:\n        return a()\n    except BaseException:\n        return None\n",
			},
			other: []string{"def f(a):\n    try:\n        return a()\n    except ValueError:\n        return None\n"},
		},
		{
			name:    "E722 without a finding",
			program: "def f(a) :\n    try:\n        return a()\n    except Exception:\n        return None\n",
			other:   []string{"def f(a):\n    try:\n        return a()\n    except BaseException:\n        return None\n"},
		},
		{
			name:    "E722 where the name is another's",
			program: "class Exception(numpy.Error):\n    pass\n\n\ndef f(a):\n    try:\n        return a()\n    except:\n        return None\n",
			other:   []string{"class Exception(numpy.Error):\n    pass\n\n\ndef f(a):\n    try:\n        return a()\n    except Exception:\n        return None\n"},
		},
		{
			name:    "E731",
			program: "f = lambda a, b=2, *c: numpy.sum(a, b)\n",
			same:    []string{"def f(a, b=2, *c):\n    return numpy.sum(a, b)\n"},
			other: []string{
				"def f(a, b=3, *c):\n    return numpy.sum(a, b)\n",
				"def f(a, b, *c):\n    return numpy.sum(a, b)\n",
				"def g(a, b=2, *c):\n    return numpy.sum(a, b)\n",
				"def f(a, b=2, *c):\n    numpy.sum(a, b)\n",
				"@numpy.wrap\ndef f(a, b=2, *c):\n    return numpy.sum(a, b)\n",
			},
		},
		{
			name:    "E731 in a class whose module knows its name",
			program: "class A:\n    f = lambda self: __name__\n\n    def g(self):\n        self.__doc__ = str(self.f)\n",
			same:    []string{"class A:\n    def f(self):\n        return __name__\n\n    def g(self):\n        self.__doc__ = str(self.f)\n"},
			other:   []string{"class A:\n    @staticmethod\n    def f(self):\n        return __name__\n\n    def g(self):\n        self.__doc__ = str(self.f)\n"},
		},
		{
			name:    "E731 without a finding",
			program: "f = numpy.wrap(lambda a: a) ; g = 1\n",
			other:   []string{"@numpy.wrap\ndef f(a):\n    return a\n\n\ng = 1\n"},
		},
		{
			name:    "E741",
			program: "def f(x, line):\n    l = numpy.array(x)\n    for I in l:\n        numpy.dot(I, l, line)\n    return l.l\n",
			same:    []string{"def f(x, line):\n    items = numpy.array(x)\n    for item in items:\n        numpy.dot(item, items, line)\n    return items.l\n", "def f(y, line):\n    items = numpy.array(y)\n    for item in items:\n        numpy.dot(item, items, line)\n    return items.l\n"},
			other: []string{
				"def f(x, line):\n    items = numpy.array(x)\n    for item in items:\n        numpy.dot(items, items, line)\n    return items.l\n",
				"def f(x, line):\n    line = numpy.array(x)\n    for item in line:\n        numpy.dot(item, line, line)\n    return line.l\n",
				"def f(x, line):\n    items = numpy.array(x)\n    for items in items:\n        numpy.dot(items, items, line)\n    return items.l\n",
				"def f(x, line):\n    numpy = numpy.array(x)\n    for item in numpy:\n        numpy.dot(item, numpy, line)\n    return numpy.l\n",
				"def f(x, line):\n    items = numpy.array(x)\n    for item in items:\n        numpy.dot(item, items, line)\n    return items.items\n",
			},
		},
		{
			name:    "E741 and a name that is declared global",
			program: "def f(x):\n    global y\n    y = 1\n    l = numpy.array(x)\n    return l\n",
			same:    []string{"def f(x):\n    global y\n    y = 1\n    z = numpy.array(x)\n    return z\n"},
			other: []string{
				"def f(x):\n    global y\n    y = 1\n    y = numpy.array(x)\n    return y\n",
				"def f(x):\n    global y\n    y = 1\n    x = numpy.array(x)\n    return x\n",
			},
		},
		{
			name:    "E741 and a name of an inner function",
			program: "def f():\n    l = numpy.array()\n\n    def g(x):\n        y = x\n        return l, y, [z for z in x]\n    return g, l\n",
			same:    []string{"def f():\n    u = numpy.array()\n\n    def g(x):\n        y = x\n        return u, y, [z for z in x]\n    return g, u\n"},
			other: []string{
				"def f():\n    x = numpy.array()\n\n    def g(x):\n        y = x\n        return x, y, [z for z in x]\n    return g, x\n",
				"def f():\n    y = numpy.array()\n\n    def g(x):\n        y = x\n        return y, y, [z for z in x]\n    return g, y\n",
				"def f():\n    u = numpy.array()\n\n    def g(x):\n        y = x\n        return u, y, [z for z in x]\n    return g, l\n",
			},
		},
		{
			name:    "E741 of names in match, except, import, for and with",
			program: "def f(x):\n    match x:\n        case [l, *I]:\n            return numpy.f(l, I)\n    with x as O:\n        return O\n",
			same:    []string{"def f(x):\n    match x:\n        case [l, *I]:\n            return numpy.f(l, I)\n    with x as o:\n        return o\n"},
			other: []string{
				"def f(x):\n    match x:\n        case [l, *I]:\n            return numpy.f(I, l)\n    with x as o:\n        return o\n",
				"def f(x):\n    match x:\n        case [l, *I]:\n            return numpy.f(l, I)\n    with x as l:\n        return l\n",
			},
		},
		{
			name:    "E741 with locals",
			program: "def f(x):\n    l = numpy.array(x)\n    return locals()\n",
			other:   []string{"def f(x):\n    items = numpy.array(x)\n    return locals()\n"},
		},
		{
			name:    "E741 by keyword",
			program: "def f(l):\n    return numpy.sum(l)\n",
			callers: []string{"assert f(l=[1]) == 1"},
			other:   []string{"def f(items):\n    return numpy.sum(items)\n"},
		},
		{
			name:    "F401",
			program: "import scipy\nfrom .here import a, b as c\nfrom os import path\n\n\ndef f():\n    import torch\n    return numpy.sum(c)\n",
			same:    []string{"from .here import b as c\n\n\ndef f():\n    return numpy.sum(c)\n"},
			other: []string{
				"from .here import a as c\n\n\ndef f():\n    return numpy.sum(c)\n",
				"from ..here import b as c\n\n\ndef f():\n    return numpy.sum(c)\n",
				"\n\ndef f():\n    return numpy.sum(c)\n",
			},
		},
		{
			name:    "F401 with frames and tracebacks",
			program: "import scipy\n\n\ndef f(e):\n    e = e.__traceback__.tb_next\n    return numpy.f(e)\n",
			same:    []string{"def f(e):\n    e = e.__traceback__.tb_next\n    return numpy.f(e)\n"},
		},
		{
			name:    "F401 with the variables of frames",
			program: "import scipy\n\n\ndef f(e):\n    e = e.__traceback__.tb_frame.f_globals\n    return numpy.f(e)\n",
			other:   []string{"def f(e):\n    e = e.__traceback__.tb_frame.f_globals\n    return numpy.f(e)\n"},
		},
		{
			name:    "F401 that callers read",
			program: "import scipy\n\n\ndef f():\n    return numpy.sum(1)\n",
			callers: []string{"assert scipy.x(f())"},
			other:   []string{"def f():\n    return numpy.sum(1)\n"},
		},
		{
			name:    "F401 that asks whether there is a module",
			program: "try:\n    import scipy\n    HAS = True\nexcept ImportError:\n    HAS = False\nwith numpy.quiet():\n    import torch\n\n\ndef f():\n    try:\n        from . import keras\n    except ImportError:\n        return HAS\n",
			other: []string{
				"try:\n    HAS = True\nexcept ImportError:\n    HAS = False\nwith numpy.quiet():\n    import torch\n\n\ndef f():\n    try:\n        from . import keras\n    except ImportError:\n        return HAS\n",
				"try:\n    import scipy\n    HAS = True\nexcept ImportError:\n    HAS = False\nwith numpy.quiet():\n    pass\n\n\ndef f():\n    try:\n        from . import keras\n    except ImportError:\n        return HAS\n",
				"try:\n    import scipy\n    HAS = True\nexcept ImportError:\n    HAS = False\nwith numpy.quiet():\n    import torch\n\n\ndef f():\n    try:\n        pass\n    except ImportError:\n        return HAS\n",
			},
		},
		{
			name:    "F401 in a class, and by a global declaration",
			program: "import torch\n\n\nclass A(numpy.B):\n    import scipy\n\n\ndef f():\n    global torch\n    torch = 1 \n",
			other: []string{
				"import torch\n\n\nclass A(numpy.B):\n    pass\n\n\ndef f():\n    global torch\n    torch = 1\n",
				"class A(numpy.B):\n    import scipy\n\n\ndef f():\n    global torch\n    torch = 1\n",
			},
		},
		{
			name:    "F401 of two modules in one package",
			program: "import scipy.a\nimport scipy.b\nimport torch.a\nimport torch.b\nprint(torch.a.x)\n",
			same:    []string{"import torch.a\nimport torch.b\nprint(torch.a.x)\n"},
			other:   []string{"import torch.a\nprint(torch.a.x)\n", "import torch.b\nprint(torch.a.x)\n"},
		},
		{
			name:    "F401 where locals sees another scope",
			program: "import scipy\n\n\ndef f(a):\n    return locals()\n",
			same:    []string{"def f(a):\n    return locals()\n"},
		},
		{
			name:    "F401 where modules find themselves",
			program: "import scipy\nimport sys\nprint(getattr(sys.modules[__name__], numpy.x))\n",
			other:   []string{"import sys\nprint(getattr(sys.modules[__name__], numpy.x))\n"},
		},
		{
			name:    "F401 with eval",
			program: "import scipy\n\n\ndef f(a):\n    return eval(a)\n",
			other:   []string{"def f(a):\n    return eval(a)\n"},
		},
		{
			name:    "F401 without a finding",
			program: "import scipy as scipy\n__all__ = ['scipy'] ;\n",
			other:   []string{"__all__ = ['scipy']\n"},
		},
		{
			name:    "F541, E713, E714, W605",
			program: "def f(a, b):\n    return f'x', '\\d', not a in b, not a is b, numpy\n",
			same:    []string{"def f(a, b):\n    return 'x', r'\\d', a not in b, a is not b, numpy\n"},
			other: []string{
				"def f(a, b):\n    return 'x', 'd', a not in b, a is not b, numpy\n",
				"def f(a, b):\n    return 'x', r'\\d', a in b, a is not b, numpy\n",
			},
		},
		{
			name:    "F504, F522",
			program: "def f(a, b):\n    return '%(x)s' % {'x': a, 'y': b, 'z': numpy.sum(b)}, '{x}'.format(x=a, y=b, z=numpy.sum(b)), {'x': a, 'y': b}\n",
			same:    []string{"def f(a, b):\n    return '%(x)s' % {'x': a, 'z': numpy.sum(b)}, '{x}'.format(x=a, z=numpy.sum(b)), {'x': a, 'y': b}\n"},
			other: []string{
				"def f(a, b):\n    return '%(x)s' % {'x': a}, '{x}'.format(x=a, z=numpy.sum(b)), {'x': a, 'y': b}\n",
				"def f(a, b):\n    return '%(x)s' % {'x': a, 'z': numpy.sum(b)}, '{x}'.format(x=a), {'x': a, 'y': b}\n",
				"def f(a, b):\n    return '%(x)s' % {'x': b, 'z': numpy.sum(b)}, '{x}'.format(x=a, z=numpy.sum(b)), {'x': a, 'y': b}\n",
				"def f(a, b):\n    return '%(x)s' % {'x': a, 'z': numpy.sum(b)}, '{x}'.format(x=a, z=numpy.sum(b)), {'x': a}\n",
			},
		},
		{
			name:    "F632",
			program: "def f(a, b):\n    return a is 'x', a is not 1, a is b\n",
			same:    []string{"def f(a, b):\n    return a == 'x', a != 1, a is b\n"},
			other: []string{
				"def f(a, b):\n    return a == 'x', a != 1, a == b\n",
				"def f(a, b):\n    return a == 'x', a == 1, a is b\n",
			},
		},
		{
			name:    "F841",
			program: "def f(a):\n    x = numpy.sum(a)\n    y = 1\n    z = a\n    u = v = a.b\n    try:\n        with a as w:\n            return v\n    except ValueError as e:\n        pass\n",
			same: []string{
				"def f(a):\n    numpy.sum(a)\n    v = a.b\n    try:\n        with a:\n            return v\n    except ValueError:\n        pass\n",
				"def f(a):\n    numpy.sum(a)\n    a\n    v = a.b\n    try:\n        with a:\n            return v\n    except ValueError:\n        pass\n",
			},
			other: []string{
				"def f(a):\n    v = a.b\n    try:\n        with a:\n            return v\n    except ValueError:\n        pass\n",
				"def f(a):\n    numpy.sum(a)\n    try:\n        with a:\n            return v\n    except ValueError:\n        pass\n",
			},
		},
		{
			name:    "F841 that may have an effect",
			program: "def f(a):\n    x = a()\n    y = a[0]\n    z = [g]\n    u = a.b, g.c\n    return 1\n\n\ng = numpy\n",
			same: []string{
				"def f(a):\n    a()\n    a[0]\n    [g]\n    a.b, g.c\n    return 1\n\n\ng = numpy\n",
			},
			other: []string{
				"def f(a):\n    a[0]\n    return 1\n\n\ng = numpy\n",
				"def f(a):\n    a()\n    return 1\n\n\ng = numpy\n",
			},
		},
		{
			name:    "F841 of a property, in a try, and under with",
			program: "class A:\n    @property\n    def b(self):\n        print(1)\n\n\ndef f(a):\n    x = a.b\n    try:\n        y = a.c\n    except AttributeError:\n        return 1\n    with a:\n        z = a.d\n",
			other: []string{
				"class A:\n    @property\n    def b(self):\n        print(1)\n\n\ndef f(a):\n    try:\n        a.c\n    except AttributeError:\n        return 1\n    with a:\n        a.d\n",
				"class A:\n    @property\n    def b(self):\n        print(1)\n\n\ndef f(a):\n    a.b\n    try:\n        pass\n    except AttributeError:\n        return 1\n    with a:\n        a.d\n",
				"class A:\n    @property\n    def b(self):\n        print(1)\n\n\ndef f(a):\n    a.b\n    try:\n        a.c\n    except AttributeError:\n        return 1\n    with a:\n        pass\n",
			},
			same: []string{"class A:\n    @property\n    def b(self):\n        print(1)\n\n\ndef f(a):\n    a.b\n    try:\n        a.c\n    except AttributeError:\n        return 1\n    with a:\n        a.d\n"},
		},
		{
			name:    "F841 twice",
			program: "def f(a):\n    x = a()\n    x = a()\n    for x in a:\n        numpy.f()\n    x = 1\n",
			same:    []string{"def f(a):\n    a()\n    a()\n    for x in a:\n        numpy.f()\n", "def f(a):\n    a()\n    a()\n    for y in a:\n        numpy.f()\n"},
			other:   []string{"def f(a):\n    a()\n    for x in a:\n        numpy.f()\n"},
		},
		{
			name:    "F841 of one handler of two",
			program: "def f(a):\n    try:\n        a()\n    except ValueError as e:\n        pass\n    try:\n        a()\n    except TypeError as e:\n        print(e)\n",
			same:    []string{"def f(a):\n    try:\n        a()\n    except ValueError:\n        pass\n    try:\n        a()\n    except TypeError as e:\n        print(e)\n"},
			other:   []string{"def f(a):\n    try:\n        a()\n    except ValueError:\n        pass\n    try:\n        a()\n    except TypeError:\n        print(e)\n"},
		},
		{
			name:    "F841 that nonlocal and del see",
			program: "def f(a):\n    x = a()\n\n    def g():\n        nonlocal x\n        x = 1\n    y = a()\n    del y\n    z = a() \n    return g\n",
			other: []string{
				"def f(a):\n    a()\n\n    def g():\n        nonlocal x\n        x = 1\n    y = a()\n    del y\n    a()\n    return g\n",
				"def f(a):\n    x = a()\n\n    def g():\n        nonlocal x\n        x = 1\n    a()\n    del y\n    a()\n    return g\n",
				"def f(a):\n    x = a()\n\n    def g():\n        nonlocal x\n    y = a()\n    del y\n    a()\n    return g\n",
			},
		},
		{
			name:    "E402",
			program: "a = numpy.b\nimport scipy\nfrom .c import d\n\n\ndef f():\n    return scipy.x(d)\n\n\nimport torch\nnumpy.g()\nimport keras\nprint(torch, keras)\n",
			same: []string{
				"import scipy\nfrom .c import d\nimport torch\na = numpy.b\n\n\ndef f():\n    return scipy.x(d)\n\n\nnumpy.g()\nimport keras\nprint(torch, keras)\n",
				"import scipy\nimport scipy\nfrom .c import d\nimport torch\na = numpy.b\n\n\ndef f():\n    return scipy.x(d)\n\n\nnumpy.g()\nimport keras\nprint(torch, keras)\n",
				"from .c import d\na = numpy.b\nimport torch\nimport scipy\n\n\ndef f():\n    return scipy.x(d)\n\n\nnumpy.g()\nimport keras\nprint(torch, keras)\n",
			},
			other: []string{
				"import keras\nimport scipy\nfrom .c import d\nimport torch\na = numpy.b\n\n\ndef f():\n    return scipy.x(d)\n\n\nnumpy.g()\nprint(torch, keras)\n",
				"import scipy\nfrom c import d\nimport torch\na = numpy.b\n\n\ndef f():\n    return scipy.x(d)\n\n\nnumpy.g()\nimport keras\nprint(torch, keras)\n",
				"import scipy\nfrom .c import d\na = numpy.b\n\n\ndef f():\n    return scipy.x(d)\n\n\nnumpy.g()\nimport keras\nprint(torch, keras)\n",
				"import scipy\nfrom .c import d\na = numpy.b\n\n\ndef f():\n    return scipy.x(d)\n\n\nnumpy.g()\nimport torch\nimport keras\nprint(torch, keras)\n",
			},
		},
		{
			name:    "E402 over what sees the name",
			program: "a = scipy = 1\nimport scipy\nb = [torch]\nimport torch\nnumpy.g(a, b)\n\n\ndef f(x=keras):\n    return keras\n\n\nimport keras\n\n\n@numpy.wrap\ndef g():\n    return jax\n\n\nimport jax\n",
			other: []string{
				"import scipy\na = scipy = 1\nb = [torch]\nimport torch\nnumpy.g(a, b)\n\n\ndef f(x=keras):\n    return keras\n\n\nimport keras\n\n\n@numpy.wrap\ndef g():\n    return jax\n\n\nimport jax\n",
				"a = scipy = 1\nimport scipy\nimport torch\nb = [torch]\nnumpy.g(a, b)\n\n\ndef f(x=keras):\n    return keras\n\n\nimport keras\n\n\n@numpy.wrap\ndef g():\n    return jax\n\n\nimport jax\n",
				"a = scipy = 1\nimport scipy\nb = [torch]\nimport torch\nnumpy.g(a, b)\nimport keras\n\n\ndef f(x=keras):\n    return keras\n\n\n@numpy.wrap\ndef g():\n    return jax\n\n\nimport jax\n",
				"a = scipy = 1\nimport scipy\nb = [torch]\nimport torch\nnumpy.g(a, b)\n\n\ndef f(x=keras):\n    return keras\n\n\nimport keras\nimport jax\n\n\n@numpy.wrap\ndef g():\n    return jax\n",
			},
		},
		{
			name:    "E402 without a finding",
			program: "try:\n    import torch\nexcept ImportError:\n    torch = None \nif numpy.x:\n    import scipy\nprint(scipy, torch)\n",
			other: []string{
				"if numpy.x:\n    import scipy\ntry:\n    import torch\nexcept ImportError:\n    torch = None\nprint(scipy, torch)\n",
				"try:\n    import torch\nexcept ImportError:\n    torch = None\nimport scipy\nif numpy.x:\n    pass\nprint(scipy, torch)\n",
			},
		},
		{
			name:    "F811",
			program: "import scipy\nimport scipy\n\n\nclass A(numpy.B):\n    def f(self):\n        return 1\n\n    x = numpy.g()\n\n    def f(self):\n        return scipy\n\n\ndef h():\n    import scipy\n    return scipy.x\n",
			same: []string{
				"import scipy\n\n\nclass A(numpy.B):\n    x = numpy.g()\n\n    def f(self):\n        return scipy\n\n\ndef h():\n    import scipy\n    return scipy.x\n",
			},
			other: []string{
				"class A(numpy.B):\n    x = numpy.g()\n\n    def f(self):\n        return scipy\n\n\ndef h():\n    import scipy\n    return scipy.x\n",
				"import scipy\n\n\nclass A(numpy.B):\n    def f(self):\n        return 1\n\n    x = numpy.g()\n\n\ndef h():\n    import scipy\n    return scipy.x\n",
				"import scipy\nimport scipy\n\n\nclass A(numpy.B):\n    x = numpy.g()\n\n\ndef h():\n    import scipy\n    return scipy.x\n",
			},
		},
		{
			name:    "F811 in a function",
			program: "import scipy\n\n\ndef h():\n    import scipy\n    return scipy.x\n",
			other:   []string{"def h():\n    return scipy.x\n", "import scipy\n\n\ndef h():\n    return numpy.x\n"},
		},
		{
			name:    "F811 that is read in between",
			program: "def f():\n    return 1\n\n\ndef g():\n    return f()\n\n\nnumpy.h(g())\n\n\ndef f():\n    return 2\n",
			other:   []string{"def g():\n    return f()\n\n\nnumpy.h(g())\n\n\ndef f():\n    return 2\n"},
		},
		{
			name:    "F811 with a decorator",
			program: "class A:\n    @numpy.wrap\n    def f(self):\n        return 1\n\n    def f(self):\n        return 2\n",
			other:   []string{"class A:\n    def f(self):\n        return 2\n", "class A:\n    @numpy.wrap\n    def f(self):\n        return 1\n"},
		},
		{
			name:    "F811 of another import",
			program: "import scipy.a as s\nimport scipy.b as s\nprint(s)\n",
			same:    []string{"import scipy.b as s\nprint(s)\n"},
			other:   []string{"import scipy.a as s\nprint(s)\n"},
		},
		{
			name:    "F841 with locals",
			program: "def f(a):\n    x = a\n    return locals()\n",
			other:   []string{"def f(a):\n    return locals()\n"},
		},
		{
			name:    "F842",
			program: "def f(a):\n    x: int\n    y: int = numpy.f(a)\n    return 1\n",
			same:    []string{"def f(a):\n    numpy.f(a)\n    return 1\n"},
			other:   []string{"def f(a):\n    x: int\n    return 1\n"},
		},
		{
			name:    "W291 in texts",
			program: "def f(a):\n    \"\"\"One. \n\n      two\n    \"\"\"\n    return numpy, '''a \n b'''\n",
			same: []string{
				"def f(a):\n    \"\"\"One.\n\n    two\"\"\"\n    return numpy, '''a\n b'''\n",
				"def f(a):\n    \"\"\"One, two.\"\"\"\n    return numpy, '''a\n b'''\n",
				"def f(a):\n    return numpy, '''a\n b'''\n",
			},
			other: []string{"def f(a):\n    \"\"\"One.\n\n    two\"\"\"\n    return numpy, '''a\nb'''\n"},
		},
		{
			name:    "a docstring that is read",
			program: "def f(a) :\n    \"\"\"One  two.\"\"\"\n    return numpy.help(f.__doc__)\n",
			other:   []string{"def f(a):\n    \"\"\"One two.\"\"\"\n    return numpy.help(f.__doc__)\n"},
		},
		{
			name:    "W291 elsewhere",
			program: "def f(a): \n    \"\"\"One  two.\"\"\"\n    return numpy, 'a  '\n",
			same:    []string{"def f(a):\n    \"\"\"One.\"\"\"\n    return numpy, 'a  '\n"},
			other:   []string{"def f(a):\n    \"\"\"One  two.\"\"\"\n    return numpy, 'a'\n"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			var c guard.Checker
			p, err := c.Program([]byte(head+test.program), test.callers...)
			if err != nil {
				t.Fatal(err)
			}
			for want, list := range map[bool][]string{true: test.same, false: test.other} {
				for _, answer := range list {
					if got := c.Check(p, []byte(head+answer), lint.Facts{}).SameTree; got != want {
						t.Errorf("same tree: %v, want %v:\n%s\n%v", got, want, answer, c.Check(p, []byte(head+answer), lint.Facts{}).Reasons)
					}
				}
			}
		})
	}
}

// An edit counts only if the options of the task have its finding.
func TestFollow(t *testing.T) {
	program, answer := []byte("import numpy\n\nprint(numpy.a == None)\n"), []byte("import numpy\n\nprint(numpy.a is None)\n")
	options := lint.DefaultOptions()
	options.Select = []string{"F"}
	for _, test := range []struct {
		options lint.Options
		want    bool
	}{{lint.DefaultOptions(), true}, {options, false}, {lint.DefaultOptions(), true}} {
		var c guard.Checker
		if err := c.Follow(test.options); err != nil {
			t.Fatal(err)
		}
		p, err := c.Program(program)
		if err != nil {
			t.Fatal(err)
		}
		if got := c.Check(p, answer, lint.Facts{}).SameTree; got != test.want {
			t.Errorf("select %v: same tree: %v, want %v", test.options.Select, got, test.want)
		}
	}
}

// A program that is given its findings asks for what they ask for, and for nothing else. A variable
// may have another name in any case.
func TestProgramOf(t *testing.T) {
	const text = "from b import c\n\n\ndef f(l):\n    x: int\n    return c, l\n"
	linter, err := lint.New(lint.Options{})
	if err != nil {
		t.Fatal(err)
	}
	findings := linter.Lint(lint.Input{Data: []byte(text)}).Findings // E741 and F842
	if len(findings) != 2 {
		t.Fatal(findings)
	}
	renamed := strings.ReplaceAll(strings.ReplaceAll(text, "(l)", "(m)"), "c, l", "c, m")
	dropped := strings.ReplaceAll(text, "    x: int\n", "")
	var c guard.Checker
	p, err := c.ProgramOf([]byte(text), findings[:1])
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range [...]struct{ renamed, dropped bool }{{true, false}, {true, true}} {
		p.Ask(findings[i : i+1])
		if got := c.Check(p, []byte(renamed), lint.Facts{}).SameTree; got != want.renamed {
			t.Errorf("asked for %v: the renamed program is the same: %v", findings[i].Code, got)
		}
		if got := c.Check(p, []byte(dropped), lint.Facts{}).SameTree; got != want.dropped {
			t.Errorf("asked for %v: the program without the annotation is the same: %v", findings[i].Code, got)
		}
	}
}
