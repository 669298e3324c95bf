"""mutate.py: makes first-order mutants of a Python program, as edits of its bytes.

An edit replaces the bytes from start to end, so that all else of the text stays as it is and edits of one program can be put together.
"""
import ast
import collections

# Mutant is one edit and the class of change that it is.
Mutant = collections.namedtuple('Mutant', 'kind start end new')

COMPARISONS = {
    ast.Lt: ('<', ('<=', '>')), ast.LtE: ('<=', ('<', '>=')), ast.Gt: ('>', ('>=', '<')), ast.GtE: ('>=', ('>', '<=')),
    ast.Eq: ('==', ('!=',)), ast.NotEq: ('!=', ('==',)), ast.Is: ('is', ('is not',)), ast.IsNot: ('is not', ('is',)),
    ast.In: ('in', ('not in',)), ast.NotIn: ('not in', ('in',)),
}
OPERATORS = {
    ast.Add: ('+', ('-',)), ast.Sub: ('-', ('+',)), ast.Mult: ('*', ('+', '//')), ast.Div: ('/', ('//', '*')), ast.FloorDiv: ('//', ('/', '%')),
    ast.Mod: ('%', ('//', '*')), ast.Pow: ('**', ('*',)), ast.BitAnd: ('&', ('|',)), ast.BitOr: ('|', ('&', '^')), ast.BitXor: ('^', ('|',)),
    ast.LShift: ('<<', ('>>',)), ast.RShift: ('>>', ('<<',)),
}
METHODS = {
    'append': ('extend',), 'extend': ('append',), 'add': ('discard',), 'discard': ('add',), 'lower': ('upper', 'casefold', 'title'), 'upper': ('lower',),
    'startswith': ('endswith',), 'endswith': ('startswith',), 'strip': ('lstrip', 'rstrip'), 'lstrip': ('strip',), 'rstrip': ('strip',),
    'find': ('rfind',), 'index': ('count',), 'appendleft': ('append',), 'popleft': ('pop',), 'keys': ('values',), 'items': ('keys',),
    'values': ('keys',), 'isdigit': ('isalnum', 'isdecimal'), 'isalpha': ('isalnum',), 'isalnum': ('isalpha',), 'ljust': ('rjust',), 'rjust': ('ljust',),
    'split': ('rsplit',), 'partition': ('rpartition',), 'update': ('setdefault',), 'setdefault': ('get',), 'union': ('intersection',),
    'intersection': ('union',), 'difference': ('symmetric_difference',), 'search': ('match',), 'match': ('fullmatch', 'search'), 'remove': ('index',),
}
FUNCTIONS = {
    'min': ('max',), 'max': ('min',), 'any': ('all',), 'all': ('any',), 'sorted': ('list',), 'list': ('tuple',), 'tuple': ('list',), 'set': ('list',),
    'int': ('float', 'round'), 'float': ('int',), 'range': ('list',), 'sum': ('max', 'len'), 'str': ('repr',), 'repr': ('str',), 'round': ('int',), 'abs': ('int',),
    'enumerate': ('list',), 'zip': ('map',), 'isinstance': ('issubclass',), 'floor': ('ceil',), 'ceil': ('floor', 'trunc'), 'bisect_left': ('bisect_right',),
}
# UNWRAPPED are calls of one argument that are mutated into that argument.
UNWRAPPED = {'abs', 'copy', 'deepcopy', 'dict', 'float', 'int', 'list', 'reversed', 'round', 'set', 'sorted', 'str', 'tuple'}
# UNCALLED are methods whose call is mutated into what it is called on.
UNCALLED = {'casefold', 'copy', 'items', 'lower', 'lstrip', 'rstrip', 'strip', 'title', 'upper'}


def mutants(text):
    """Return all mutants of a program, by their place and in a fixed order."""
    return _Maker(text).made


def apply(text, edits):
    """Return a program with mutants' edits, which do not overlap."""
    data = text.encode()
    for e in sorted(edits, key=lambda e: e.start, reverse=True):
        data = data[:e.start] + e.new.encode() + data[e.end:]
    return data.decode()


class _Maker(ast.NodeVisitor):
    def __init__(self, text):
        self.data = text.encode()
        self.made = []
        self.seen = set()
        self.rows = [0, 0]
        for line in self.data.split(b'\n'):
            self.rows.append(self.rows[-1] + len(line) + 1)
        tree = ast.parse(text)
        self.tree = ast.dump(tree)
        self.names = [self._names(tree)]
        self.visit(tree)
        self.made.sort(key=lambda m: (m.start, m.end, m.kind, m.new))

    # Places and texts.

    def span(self, node):
        return self.rows[node.lineno] + node.col_offset, self.rows[node.end_lineno] + node.end_col_offset

    def of(self, node):
        start, end = self.span(node)
        return self.data[start:end].decode()

    def put(self, kind, start, end, new):
        """Add a mutant, if it is Python and another program."""
        if (start, end, new) in self.seen:
            return
        self.seen.add((start, end, new))
        text = (self.data[:start] + new.encode() + self.data[end:]).decode()
        try:
            if ast.dump(ast.parse(text)) != self.tree:
                self.made.append(Mutant(kind, start, end, new))
        except (SyntaxError, ValueError):
            pass

    def replace(self, kind, node, new):
        self.put(kind, *self.span(node), new)

    def between(self, kind, left, right, old, new):
        """Replace an operator that stands between two nodes."""
        start, end = self.span(left)[1], self.span(right)[0]
        middle = self.data[start:end].decode()
        at = middle.find(old)
        if at >= 0:
            self.put(kind, start + at, start + at + len(old), new)

    def drop(self, kind, node):
        self.replace(kind, node, 'pass')

    @staticmethod
    def _names(scope):
        """Return the variables that a function or module binds, without those of functions within."""
        found, todo = [], [scope]
        while todo:
            node = todo.pop(0)
            if isinstance(node, ast.arg) or isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                name = node.arg if isinstance(node, ast.arg) else node.id
                if name not in found and name not in ('self', 'cls', '_'):
                    found.append(name)
            if node is scope or not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
                todo.extend(ast.iter_child_nodes(node))
        return found

    # Definitions.

    def body(self, node):
        """Visit a definition's statements but its docstring, and annotations never."""
        statements = node.body
        if statements and isinstance(statements[0], ast.Expr) and isinstance(statements[0].value, ast.Constant):
            statements = statements[1:]
        for s in statements:
            self.visit(s)

    def visit_Module(self, node):
        self.body(node)

    def visit_ClassDef(self, node):
        self.decorators(node)
        for base in node.bases if len(node.bases) > 1 else ():
            others = [self.of(b) for b in node.bases if b is not base]
            self.put('base dropped', self.span(node.bases[0])[0], self.span(node.bases[-1])[1], ', '.join(others))
        self.body(node)

    def visit_FunctionDef(self, node):
        self.decorators(node)
        for default in node.args.defaults + [d for d in node.args.kw_defaults if d]:
            self.visit(default)
        self.names.append(self._names(node))
        self.body(node)
        self.names.pop()

    visit_AsyncFunctionDef = visit_FunctionDef

    def decorators(self, node):
        for d in node.decorator_list:
            start, end = self.span(d)
            at = self.data.rfind(b'@', 0, start)
            self.put('decorator dropped', at, self.data.find(b'\n', end) + 1 + self.indent(end), '')
            self.visit(d)

    def indent(self, end):
        """Return the length of the indent of the row after a place."""
        rest = self.data[self.data.find(b'\n', end) + 1:]
        return len(rest) - len(rest.lstrip(b' '))

    # Statements.

    def visit_Expr(self, node):
        self.drop('statement dropped', node)
        self.generic_visit(node)

    def visit_Assign(self, node):
        target = node.targets[0]
        if isinstance(target, (ast.Attribute, ast.Subscript)):
            self.drop('store dropped', node)
        elif isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple) and len(target.elts) == len(node.value.elts) == 2:
            a, b = node.value.elts
            self.replace('values swapped', node.value, f'{self.of(b)}, {self.of(a)}')
        self.visit(node.value)
        for t in node.targets:
            if isinstance(t, ast.Subscript):
                self.visit(t.slice)

    def visit_AnnAssign(self, node):
        if node.value:
            self.visit(node.value)

    def visit_AugAssign(self, node):
        self.drop('statement dropped', node)
        old, news = OPERATORS.get(type(node.op), ('', ()))
        for new in news:
            self.between('augmented operator', node.target, node.value, old + '=', new + '=')
        if old:
            self.between('accumulation lost', node.target, node.value, old + '=', '=')
        self.visit(node.value)

    def visit_Return(self, node):
        if node.value is None:
            return
        if not (isinstance(node.value, ast.Constant) and node.value.value is None):
            self.replace('returns nothing', node.value, 'None')
        self.visit(node.value)

    def visit_Raise(self, node):
        self.drop('raise dropped', node)
        self.generic_visit(node)

    def visit_Delete(self, node):
        self.drop('statement dropped', node)

    def visit_Global(self, node):
        self.drop('scope dropped', node)

    visit_Nonlocal = visit_Global

    def visit_Break(self, node):
        self.replace('loop control', node, 'continue')

    def visit_Continue(self, node):
        self.replace('loop control', node, 'break')
        self.drop('loop control', node)

    def condition(self, test):
        self.replace('condition negated', test, f'not ({self.of(test)})')
        self.replace('condition fixed', test, 'True')
        self.replace('condition fixed', test, 'False')

    def visit_If(self, node):
        self.condition(node.test)
        self.generic_visit(node)

    def visit_While(self, node):
        self.replace('condition negated', node.test, f'not ({self.of(node.test)})')
        self.replace('condition fixed', node.test, 'False')
        self.generic_visit(node)

    def visit_For(self, node):
        text = self.of(node.iter)
        self.replace('loop cut', node.iter, f'list({text})[1:]')
        self.replace('loop cut', node.iter, f'list({text})[:-1]')
        self.replace('loop turned', node.iter, f'list({text})[::-1]')
        self.visit(node.iter)
        for s in node.body + node.orelse:
            self.visit(s)

    def visit_ExceptHandler(self, node):
        if node.type:
            for new in 'Exception', 'KeyboardInterrupt':
                self.replace('exception class', node.type, new)
        for s in node.body:
            self.visit(s)

    def visit_Import(self, node):
        pass

    visit_ImportFrom = visit_Import

    # Expressions.

    def visit_Constant(self, node):
        value, text = node.value, self.of(node)
        if type(value) is bool:
            self.replace('constant', node, str(not value))
        elif type(value) is int:
            self.replace('constant', node, str(value + 1))
            self.replace('constant', node, str(value - 1) if value else '(-1)')
            if value > 1:
                self.replace('constant', node, '0')
        elif type(value) is float:
            self.replace('constant', node, repr(value * 1.5 + 1))
        elif type(value) is str and text[0] in '\'"' and '\n' not in text and not text.startswith(('"""', "'''")):
            self.replace('text', node, text[:-1] + 'x' + text[-1])
            if value:
                self.replace('text', node, text[0] * 2)
            if value.swapcase() != value and '\\' not in text and '%' not in text and '{' not in text:
                self.replace('text', node, text.swapcase())
        elif value is None:
            self.replace('constant', node, '0')

    def visit_JoinedStr(self, node):
        pass  # places within are not those of the text before 3.12

    visit_TemplateStr = visit_JoinedStr

    def visit_Name(self, node):
        if isinstance(node.ctx, ast.Load) and node.id in self.names[-1]:
            others = [n for n in self.names[-1] if n != node.id]
            for new in others[:3]:
                self.replace('other variable', node, new)

    def visit_Attribute(self, node):
        self.visit(node.value)

    def visit_Compare(self, node):
        sides = [node.left, *node.comparators]
        for left, op, right in zip(sides, node.ops, sides[1:]):
            old, news = COMPARISONS[type(op)]
            for new in news:
                self.between('boundary' if new[0] == old[0] and old[0] in '<>' else 'comparison', left, right, old, new)
        if len(node.ops) > 1:
            self.put('comparison dropped', self.span(sides[-2])[1], self.span(sides[-1])[1], '')
            self.put('comparison dropped', self.span(sides[0])[0], self.span(sides[1])[0], '')
        self.generic_visit(node)

    def visit_BinOp(self, node):
        old, news = OPERATORS.get(type(node.op), ('', ()))
        for new in news:
            self.between('operator', node.left, node.right, old, new)
        self.replace('operand dropped', node, self.of(node.left))
        self.replace('operand dropped', node, self.of(node.right))
        self.generic_visit(node)

    def visit_BoolOp(self, node):
        old, new = ('and', 'or') if isinstance(node.op, ast.And) else ('or', 'and')
        self.between('boolean', node.values[0], node.values[1], old, new)
        for i, value in enumerate(node.values):
            if i:
                self.put('operand dropped', self.span(node.values[i - 1])[1], self.span(value)[1], '')
            else:
                self.put('operand dropped', self.span(value)[0], self.span(node.values[1])[0], '')
        self.generic_visit(node)

    def visit_UnaryOp(self, node):
        self.replace('operand dropped', node, self.of(node.operand))
        self.generic_visit(node)

    def visit_IfExp(self, node):
        self.condition(node.test)
        self.generic_visit(node)

    def visit_Subscript(self, node):
        if isinstance(node.slice, ast.Slice):
            for part in node.slice.lower, node.slice.upper, node.slice.step:
                if part:
                    self.replace('bound dropped', part, '')
                    self.replace('bound', part, f'({self.of(part)}) + 1')
        self.generic_visit(node)

    def comprehension(self, node):
        for g in node.generators:
            for test in g.ifs:
                self.condition(test)
        self.generic_visit(node)

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = comprehension

    def visit_Call(self, node):
        name = node.func.id if isinstance(node.func, ast.Name) else node.func.attr if isinstance(node.func, ast.Attribute) else ''
        end = self.span(node.func)[1]
        table = METHODS if isinstance(node.func, ast.Attribute) and name in METHODS else FUNCTIONS
        for new in table.get(name, ()):
            self.put('other function', end - len(name.encode()), end, new)
        plain = not any(isinstance(a, ast.Starred) for a in node.args)
        if name in UNWRAPPED and len(node.args) == 1 and plain:
            self.replace('call dropped', node, self.of(node.args[0]))
        if isinstance(node.func, ast.Attribute) and (name in UNCALLED or name == 'replace'):
            self.replace('call dropped', node, self.of(node.func.value))
        if name == 'append' and len(node.args) == 1 and isinstance(node.func, ast.Attribute):
            self.replace('order', node, f'{self.of(node.func.value)}.insert(0, {self.of(node.args[0])})')
        if len(node.args) == 2 and plain:
            a, b = node.args
            self.put('arguments swapped', self.span(a)[0], self.span(b)[1], f'{self.of(b)}, {self.of(a)}')
        arguments = [*node.args, *node.keywords]
        if len(arguments) > 1:
            self.put('argument dropped', self.span(arguments[-2])[1], self.span(arguments[-1])[1], '')
        elif arguments and name not in UNWRAPPED:
            self.put('argument dropped', *self.span(arguments[0]), '')
        self.generic_visit(node)
