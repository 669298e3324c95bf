"""TYPE_CHECKING is an if like any other."""
from typing import TYPE_CHECKING
import typing
import typing as t

if TYPE_CHECKING:
    from collections.abc import Iterable
    from decimal import Decimal
    import fractions
    import unused

if typing.TYPE_CHECKING:
    import json
else:
    json = None

if not TYPE_CHECKING:
    import os
else:
    import os


def function(values: 'Iterable[Decimal]') -> "fractions.Fraction | None":
    late: 't.Optional[json.Thing]' = None
    return late
