"""Names that nothing defines."""
undefined
print(undefined.attribute, undefined[0], undefined())
x = undefined + 1
del undefined
y += 1
del x
x
[a for a in b if c]
[d for e in f for d in e]
lambda g: h
lambda i=j: i
f'{k} {m!r:{n}}'
t'{o}'


def function(a, b=a, *c: p, d: q = r, **e: s) -> u:
    return v


@w
class Class(Base, metaclass=Meta):
    attribute = 1
    z: unknown = 1

    def method(self):
        return attribute, __class__, __module__, __qualname__

    __module__, __qualname__, __class__, __name__
    [attribute for _ in [attribute]]
    [attribute for _ in [1] for _ in [attribute]]
    lambda: attribute


__module__, __qualname__, __class__, __path__, __file__, __name__, __doc__
__builtins__, __annotations__, WindowsError, __debug__, __spec__, __loader__
__package__, __cached__, __dict__, __all__, __version__
for undefined_target.attribute in []: pass
with undefined_manager as z, z: pass
import later_used
global_later
global_later = 1
while undefined_loop: pass
assert undefined_assert, undefined_message
raise undefined_raise from undefined_cause
