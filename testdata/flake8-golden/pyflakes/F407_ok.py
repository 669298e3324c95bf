from __future__ import annotations, barry_as_FLUFL, division, generators
from __future__ import nested_scopes, absolute_import, print_function
from __future__ import unicode_literals, with_statement, generator_stop
