package freeze

import (
	"context"
	"fmt"
	"slices"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"

	"codelinter/sandbox/internal/memory"
	"codelinter/sandbox/internal/wasi"
	"codelinter/sandbox/internal/wasm"
)

// typical are programs that each do some of what programs do, and end by
// themselves.
var typical = []string{
	"x = 1\n",
	"def f(a, b):\n    return [x for x in a if x in b]\nassert f([1, 2], [2]) == [2]\n",
	"def f(n):\n    found = {}\n    for i in range(2, n):\n        if all(i % j for j in range(2, i)):\n            found[i] = i * i\n    return found\nassert len(f(30)) == 10\nassert f(3) == {2: 4}\n",
	"import re\ndef f(text):\n    if re.search('ab{2,3}', text):\n        return 'Found a match!'\n    else:\n        return('Not matched!')\nassert f('abbb') == ('Found a match!')\nassert f('a') == ('Not matched!')\n",
	"import math\ndef f(r, h):\n    total = 0\n    while r > 0:\n        total += math.sqrt(r) * h ** 2 / 3\n        r -= 1\n    return round(total, 2)\nassert f(10, 5) == 187.24\n",
	"from collections import Counter\ndef f(words):\n    count = Counter(words.split())\n    return sorted(count.items(), key=lambda x: (-x[1], x[0]))[:2]\nassert f('a b a c b a') == [('a', 3), ('b', 2)]\n",
	"class A:\n    def __init__(self, n):\n        self.n = n\n    def __repr__(self):\n        return f'A({self.n!r})'\ntry:\n    print({k: A(k).n for k in range(9)}, [A('x')])\n    A()\nexcept TypeError as error:\n    print(error)\n",
	"R = 3\ndef f(cost, m, n):\n    t = [[0 for x in range(R)] for x in range(R)]\n    t[0][0] = cost[0][0]\n    for i in range(1, m + 1):\n        t[i][0] = t[i - 1][0] + cost[i][0]\n    for j in range(1, n + 1):\n        t[0][j] = min(t[0][j - 1], cost[0][j], 9)\n    return tuple(map(tuple, t))\nassert f([[1, 2, 3], [4, 8, 2], [1, 5, 3]], 2, 2)[2][0] == 6\n",
}

// Pages returns the pages of memory that at least a quarter of typical programs
// write to, ascending, and whether these are all: a system that does not say
// which pages were written to misses those that got back what they had.
//
// They are a property of the module and the image, which is why they are found
// when those are made. To find them takes as long as 8 starts of a process that
// runs programs.
func (f Frozen) Pages() (pages []int, exact bool, err error) {
	ctx := context.Background()
	size := (len(f.Image) + Room + wasm.PageSize - 1) / wasm.PageSize * wasm.PageSize
	image, err := memory.NewImage(f.Image, size)
	if err != nil {
		return nil, false, err
	}
	defer image.Close()
	runtime := wazero.NewRuntime(ctx)
	defer runtime.Close(ctx)
	if err := wasi.Instantiate(ctx, runtime); err != nil {
		return nil, false, err
	}
	compiled, err := runtime.CompileModule(ctx, f.Module)
	if err != nil {
		return nil, false, err
	}
	count := make([]int, size/memory.PageSize)
	exact = true
	for _, source := range typical {
		written, all, err := writtenBy(ctx, runtime, compiled, image, source)
		if err != nil {
			return nil, false, err
		}
		exact = exact && all
		for _, page := range written {
			count[page]++
		}
	}
	for page, n := range count {
		if 4*n >= len(typical) {
			pages = append(pages, page)
		}
	}
	return pages, exact, nil
}

// A linear is a memory as wazero wants it. What is in it is read after wazero
// freed it.
type linear struct{ *memory.Memory }

func (linear) Free() {}

// writtenBy returns the pages that a program writes to, and whether these are all.
func writtenBy(ctx context.Context, runtime wazero.Runtime, compiled wazero.CompiledModule, image *memory.Image, source string) (pages []int, exact bool, err error) {
	m, err := image.NewMemory()
	if err != nil {
		return nil, false, err
	}
	defer m.Free()
	system := &wasi.System{}
	ctx = wasi.WithSystem(ctx, system)
	allocator := experimental.MemoryAllocatorFunc(func(_, _ uint64) experimental.LinearMemory { return linear{m} })
	guest, err := runtime.InstantiateModule(experimental.WithMemoryAllocator(ctx, allocator), compiled, wazero.NewModuleConfig().WithName("").WithStartFunctions())
	if err != nil {
		return nil, false, err
	}
	defer guest.Close(ctx)
	guest.ExportedGlobal("budget").(api.MutableGlobal).Set(1e9)
	g := caller{ctx, guest}
	if err := g.request("exec", []byte(source), 0); err != nil {
		return nil, false, err
	}
	if _, err := g.call("finish"); err != nil {
		return nil, false, fmt.Errorf("the end of %q: %w", source, err)
	}
	pages, exact = m.Written()
	return slices.Clone(pages), exact, nil
}
