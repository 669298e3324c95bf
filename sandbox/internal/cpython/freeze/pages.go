package freeze

import (
	"context"
	"fmt"
	"slices"

	"codelinter/sandbox/internal/job"
	"codelinter/sandbox/internal/reactor"
)

// typical are programs that each use some of the usual features, and end.
var typical = []string{
	"x = 1\n",
	"def f(a, b):\n    return [x for x in a if x in b]\nassert f([1, 2], [2]) == [2]\n",
	"def f(n):\n    found = {}\n    for i in range(2, n):\n        if all(i % j for j in range(2, i)):\n            found[i] = i * i\n    return found\nassert len(f(30)) == 10\nassert f(3) == {2: 4}\n",
	"import re\ndef f(text):\n    if re.search('ab{2,3}', text):\n        return 'Found a match!'\n    else:\n        return('Not matched!')\nassert f('abbb') == ('Found a match!')\nassert f('a') == ('Not matched!')\n",
	"import math\ndef f(r, h):\n    total = 0\n    while r > 0:\n        total += math.sqrt(r) * h ** 2 / 3\n        r -= 1\n    return round(total, 2)\nassert f(10, 5) == 187.24\n",
	"from collections import Counter\ndef f(words):\n    count = Counter(words.split())\n    return sorted(count.items(), key=lambda x: (-x[1], x[0]))[:2]\nassert f('a b a c b a') == [('a', 3), ('b', 2)]\n",
	"class A:\n    def __init__(self, n):\n        self.n = n\n    def __repr__(self):\n        return f'A({self.n!r})'\ntry:\n    print({k: A(k).n for k in range(9)}, [A('x')])\n    A()\nexcept TypeError as error:\n    print(error)\n",
	"R = 3\ndef f(cost, m, n):\n    t = [[0 for x in range(R)] for x in range(R)]\n    t[0][0] = cost[0][0]\n    for i in range(1, m + 1):\n        t[i][0] = t[i - 1][0] + cost[i][0]\n    for j in range(1, n + 1):\n        t[0][j] = min(t[0][j - 1], cost[0][j], 9)\n    return tuple(map(tuple, t))\nassert f([[1, 2, 3], [4, 8, 2], [1, 5, 3]], 2, 2)[2][0] == 6\n",
	"def f(s):\n    return ''.join(c.upper() if i % 2 else c.lower() for i, c in enumerate(reversed(s)))\nassert f('Hello') == 'oLlEh'\nassert f('') == ''\n",
	"def f(n):\n    if n <= 1:\n        return n\n    return f(n - 1) + f(n - 2)\nassert f(9) == 34\nassert [f(i) for i in range(6)] == [0, 1, 1, 2, 3, 5]\n",
	"import heapq\ndef f(items, n):\n    return heapq.nlargest(n, items, key=lambda d: d['price'])\nassert f([{'name': 'a', 'price': 10.5}, {'name': 'b', 'price': 22.25}], 1) == [{'name': 'b', 'price': 22.25}]\n",
	"import re\ndef f(text):\n    words = re.findall(r'\\b\\w{4,}\\b', text)\n    return re.sub('[ ,.]', ':', text), words\nassert f('Python is, fun.') == ('Python:is::fun:', ['Python'])\n",
	"def f(a, key):\n    low, high = 0, len(a) - 1\n    while low <= high:\n        middle = (low + high) // 2\n        if a[middle] == key:\n            return middle\n        elif a[middle] < key:\n            low = middle + 1\n        else:\n            high = middle - 1\n    return -1\nassert f([1, 3, 5, 7, 9, 11], 7) == 3\nassert f([1], 2) == -1\n",
	"from itertools import groupby\nfrom collections import defaultdict\ndef f(pairs):\n    found = defaultdict(list)\n    for key, value in pairs:\n        found[key].append(value)\n    return dict(found), [(k, len(list(g))) for k, g in groupby('aabbb')]\nassert f([('x', 1), ('y', 2), ('x', 3)]) == ({'x': [1, 3], 'y': [2]}, [('a', 2), ('b', 3)])\n",
	"class Node:\n    def __init__(self, value, left=None, right=None):\n        self.value, self.left, self.right = value, left, right\ndef height(node):\n    if node is None:\n        return 0\n    return 1 + max(height(node.left), height(node.right))\nroot = Node(1, Node(2, Node(4)), Node(3))\nassert (height(root)) == 3\nassert height(None) == 0\n",
	"from typing import List\n\n\ndef f(numbers: List[float], threshold: float) -> bool:\n    \"\"\" Check whether two numbers are closer to each other than a threshold.\n    >>> f([1.0, 2.0], 0.5)\n    False\n    \"\"\"\n    for i, a in enumerate(numbers):\n        for j, b in enumerate(numbers):\n            if i != j and abs(a - b) < threshold:\n                return True\n    return False\n\n\nMETADATA = {'author': 'x', 'dataset': 'test'}\n\n\ndef check(candidate):\n    assert candidate([1.0, 2.0, 3.9, 4.0], 0.3) == True\n    assert candidate([1.0, 2.0, 3.9], 0.05) == False\n\n\ncheck(f)\n",
	"import sys\ndef f(n):\n    sieve = [True] * (n + 1)\n    p = 2\n    while p * p <= n:\n        if sieve[p]:\n            for i in range(p * p, n + 1, p):\n                sieve[i] = False\n        p += 1\n    return [i for i in range(2, n + 1) if sieve[i]]\nassert f(30)[-1] == 29 and sys.maxsize > len(f(200))\n",
	"def f(first, *rest, key=None, **more):\n    total = first\n    for r in rest:\n        total = total * 10 + r\n    return (total, sorted(more), set(rest) & {1, 2}, tuple(map(lambda x: x ** 2, filter(None, rest))))\nassert f(1, 2, 0, 3, a=1, b=2) == (1203, ['a', 'b'], {2}, (4, 9))\n",
	"def f(s1, s2):\n    m, n = len(s1), len(s2)\n    dp = [[0] * (n + 1) for _ in range(m + 1)]\n    for i in range(m + 1):\n        for j in range(n + 1):\n            if i == 0 or j == 0:\n                dp[i][j] = i or j\n            elif s1[i - 1] == s2[j - 1]:\n                dp[i][j] = dp[i - 1][j - 1]\n            else:\n                dp[i][j] = 1 + min(dp[i][j - 1], dp[i - 1][j], dp[i - 1][j - 1])\n    return dp[m][n]\nassert f('kitten', 'sitting') == 3\nassert f('', 'abc') == 3\n",
	"from math import gcd\nfrom functools import reduce\ndef f(numbers):\n    try:\n        result = reduce(gcd, numbers)\n        return '%.3f|{:>5}|%s' % (sum(numbers) / len(numbers), result), f'{result:04d}', int('12') + float('1.5'), divmod(17, 5)\n    except (TypeError, ZeroDivisionError) as error:\n        return str(error)\nassert f([12, 18]) == ('15.000|{:>5}|6', '0006', 13.5, (3, 2))\nassert f(['a', 2]).startswith('')\n",
	"def f(matrix):\n    rows = [sum(row) for row in matrix]\n    columns = [sum(c) for c in zip(*matrix)]\n    return {'rows': rows, 'columns': columns, 'total': sum(rows)}\ndef g(n):\n    while n > 9:\n        n = sum(int(d) for d in str(n))\n    return n\nassert f([[1, 2], [3, 4]]) == {'rows': [3, 7], 'columns': [4, 6], 'total': 10}\nassert g(98765) == 8\nassert g(0) == 0\n",
}

// pages returns the pages of memory that at least a twelfth of the typical
// programs write to, ascending. exact is false if some may be missing: a system
// that does not report written pages misses those that got their old content
// back.
//
// The pages depend on the module and the image, so they are found when those are
// made. This takes as long as starting 21 child processes.
func (f frozen) pages() (pages []int, exact bool, err error) {
	rt, err := reactor.New(context.Background(), f.module, f.image, reactor.Config{Memory: room})
	if err != nil {
		return nil, false, err
	}
	defer rt.Close()
	count := map[int]int{}
	exact = true
	for _, source := range typical {
		written, all, err := writtenBy(rt, source)
		if err != nil {
			return nil, false, err
		}
		exact = exact && all
		for _, page := range written {
			count[page]++
		}
	}
	for page, n := range count {
		if 12*n >= len(typical) {
			pages = append(pages, page)
		}
	}
	slices.Sort(pages)
	return pages, exact, nil
}

// writtenBy returns the pages that a program writes to, and whether these are
// all.
func writtenBy(rt *reactor.Runtime, source string) (pages []int, exact bool, err error) {
	in, err := rt.NewInstance()
	if err != nil {
		return nil, false, err
	}
	defer in.Close()
	r := in.Run(&job.Job{Source: []byte(source), Budget: 1e9})
	for _, step := range []job.Step{r.Exec, r.Finish} {
		if r.Failure != "" || step.Stop != job.Replied || len(step.Reply) == 0 || step.Reply[0] != 0 {
			return nil, false, fmt.Errorf("%q does not come to its end: %s%q", source, r.Failure, step.Reply)
		}
	}
	pages, exact = in.Written()
	return pages, exact, nil
}
