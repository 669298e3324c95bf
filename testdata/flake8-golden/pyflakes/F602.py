a = b = 1
{a: 1, a: 2}
{a: 1, b: 2, a: 3, b: 4}
{a: a, a: b}
{a: 1, 'a': 2, a: 3}
{a: 1, a: 1, a: 2}
{(a): 1, a: []}


def function(é):
    return {é: 1, é: 2}
