"""Names with two underscores."""
print(__name__, __file__, __doc__, __package__, __spec__, __loader__)
print(__path__, __module__, __qualname__, __annotations__, __builtins__)
print(__debug__, __import__, __build_class__, __class__, __dict__, __all__)
print(__firstlineno__, __static_attributes__, __conditional_annotations__)
print(__annotate__, __type_params__, __classdict__, __version__, __author__)
__version__ = '1'


class Class:
    print(__name__, __module__, __qualname__, __doc__, __dict__, __class__)
    print(__firstlineno__, __static_attributes__, __annotations__, __slots__)
    print(__annotate__, __type_params__, __classdict__, __classcell__)
    x = [__module__ for _ in [__qualname__]]

    def method(self):
        __tracebackhide__ = True
        print(__class__, __module__, __qualname__, __static_attributes__)
        return __name__, __mangled, [__class__ for _ in []]


def function():
    __class__
    __tracebackhide__ = __other__ = 1
    lambda: __class__
