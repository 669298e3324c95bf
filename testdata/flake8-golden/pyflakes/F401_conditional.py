"""Imports in branches: each is one binding, and one use is enough for the name."""
import sys
try:
    import json
except ImportError:
    import simplejson as json

try:
    import fast
except ImportError:
    fast = None

try:
    from fast import quick
except ImportError:
    def quick():
        return None

if sys.version_info > (3, 0):
    import new as module
else:
    import old as module

try:
    import unused
except ImportError:
    pass
else:
    import unused_too
finally:
    import unused_three

if sys:
    import twice
if sys:
    import twice

while sys:
    import in_loop
else:
    import in_loop
    break

match sys:
    case 1:
        import in_case
    case 2:
        import in_case

with sys:
    import in_with
import in_with

try:
    import handled
except (ImportError, AttributeError) as error:
    handled = error
    import again
try:
    import again
except:
    import again

print(json, quick, module)
