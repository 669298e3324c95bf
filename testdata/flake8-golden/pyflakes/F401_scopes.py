"""Scopes: an import is used where it is seen, and each scope has its own."""
import outer
import shadowed
import used_in_default
import used_in_decorator
import used_in_base


def function(default=used_in_default):
    import inner
    import inner_used
    from package import name as local_name
    shadowed = inner_used.shadow()
    return shadowed


@used_in_decorator.wrap
class Class(used_in_base.Base):
    import attribute
    from package import another

    def method(self):
        import inner
        return self.attribute, outer

    class Inner:
        import attribute


lambda: outer.spam
print([inner for inner in function()])


def generator():
    import module
    yield [module for module in ()]


def nested():
    import held

    def closure():
        return held
    return closure
