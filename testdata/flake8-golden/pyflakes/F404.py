"""A docstring."""
'another string'
from __future__ import division
from __future__ import (annotations, generators as g)
1
from __future__ import nested_scopes


def f():
    from __future__ import with_statement


class A:
    from __future__ import print_function
if f:
    from __future__ import absolute_import
