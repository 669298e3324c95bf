package behaviour

import (
	"slices"
	"strings"
	"testing"

	"codelinter/evaluator"
)

// Modules that the sandbox lacks are played, and an answer has to do with them what the
// program does.
func TestStandIns(t *testing.T) {
	tests := []struct {
		name    string
		program string
		played  string
		answers []answerTest
	}{
		{"calls", "import numpy as np\nfrom scipy.stats import norm\n\n\ndef f(a, b):\n    x = np.dot(a, b)\n    y = norm.cdf(x , 2)\n    return x + y\n", "numpy scipy", []answerTest{
			{"in other words", "from scipy.stats import norm\nimport numpy as np\n\n\ndef f(a, b):\n    total = np.dot(a, b)\n    total = total + norm.cdf(total, 2)\n    return total\n", "pass runs", ""},
			{"another function", "import numpy as np\nfrom scipy.stats import norm\n\n\ndef f(a, b):\n    x = np.cross(a, b)\n    y = norm.cdf(x, 2)\n    return x + y\n", "fail stand-ins", "numpy.cross"},
			{"arguments swapped", "import numpy as np\nfrom scipy.stats import norm\n\n\ndef f(a, b):\n    x = np.dot(b, a)\n    y = norm.cdf(x, 2)\n    return x + y\n", "fail stand-ins", ""},
			{"operands swapped", "import numpy as np\nfrom scipy.stats import norm\n\n\ndef f(a, b):\n    x = np.dot(a, b)\n    y = norm.cdf(x, 2)\n    return y + x\n", "fail stand-ins", ""},
			{"a call left out", "import numpy as np\nfrom scipy.stats import norm\n\n\ndef f(a, b):\n    x = np.dot(a, b)\n    y = x\n    return x + y\n", "fail stand-ins", ""},
			{"a call too many", "import numpy as np\nfrom scipy.stats import norm\n\n\ndef f(a, b):\n    np.seterr()\n    x = np.dot(a, b)\n    y = norm.cdf(x, 2)\n    return x + y\n", "fail stand-ins", ""},
			{"another result", "import numpy as np\nfrom scipy.stats import norm\n\n\ndef f(a, b):\n    x = np.dot(a, b)\n    y = norm.cdf(x, 2)\n    x + y\n    return x\n", "fail result", ""},
			{"a module that the program does not import", "import torch\nimport numpy as np\nfrom scipy.stats import norm\n\n\ndef f(a, b):\n    x = np.dot(a, b)\n    y = norm.cdf(x, 2)\n    return x + y\n", "unknown missing-module", ""},
		}},
		{"branches", "from .store import load\n\n\ndef f(key):\n    item = load(key)\n    if item.ready :\n        return item.value(1)\n    return None\n", ".", []answerTest{
			{"in other words", "from .store import load\n\n\ndef f(key):\n    item = load(key)\n    if not item.ready:\n        return None\n    return item.value(1)\n", "pass runs", ""},
			{"negated", "from .store import load\n\n\ndef f(key):\n    item = load(key)\n    if not item.ready:\n        return item.value(1)\n    return None\n", "fail", ""},
			{"an effect in one branch", "from .store import load\n\n\ndef f(key):\n    item = load(key)\n    if item.ready:\n        return item.value(2)\n    return None\n", "fail", ""},
			{"another module", "from .stores import load\n\n\ndef f(key):\n    item = load(key)\n    if item.ready:\n        return item.value(1)\n    return None\n", "fail", ""},
		}},
		{"truths", "from .store import load\n\n\ndef f(key):\n    item = load(key)\n    if item.ready and item.full :\n        return True\n    return False\n", ".", []answerTest{
			{"asked twice in a row", "from .store import load\n\n\ndef f(key):\n    item = load(key)\n    return bool(item.ready and item.full)\n", "pass runs", ""},
			{"of another condition", "from .store import load\n\n\ndef f(key):\n    item = load(key)\n    return bool(item.ready or item.full)\n", "fail", ""},
		}},
		{"classes, decorators, errors", "import click\nimport requests\nfrom base import Model, field\n\n\nclass User(Model):\n    name = field(int)\n\n    def save(self, value):\n        super().save(value , 1)\n        try:\n            self.check(value)\n        except requests.HTTPError as e:\n            raise requests.Timeout(str(e))\n        return value\n\n\n@click.command()\ndef main(value):\n    with requests.get(value) as reply:\n        for line in reply:\n            print(line)\n    user = User(value)\n    return user.save(value)\n", "base click requests", []answerTest{
			{"in other words", "import click\nimport requests\nfrom base import Model, field\n\n\nclass User(Model):\n    name = field(int)\n\n    def save(self, value):\n        super().save(value, 1)\n        try:\n            self.check(value)\n        except requests.HTTPError as e:\n            raise requests.Timeout(str(e))\n        return value\n\n\n@click.command()\ndef main(value):\n    with requests.get(value) as reply:\n        for row in reply:\n            print(row)\n    return User(value).save(value)\n", "pass runs", ""},
			{"super left out", "import click\nimport requests\nfrom base import Model, field\n\n\nclass User(Model):\n    name = field(int)\n\n    def save(self, value):\n        try:\n            self.check(value)\n        except requests.HTTPError as e:\n            raise requests.Timeout(str(e))\n        return value\n\n\n@click.command()\ndef main(value):\n    with requests.get(value) as reply:\n        for line in reply:\n            print(line)\n    user = User(value)\n    return user.save(value)\n", "fail stand-ins", ""},
			{"the field of another type", "import click\nimport requests\nfrom base import Model, field\n\n\nclass User(Model):\n    name = field(str)\n\n    def save(self, value):\n        super().save(value, 1)\n        try:\n            self.check(value)\n        except requests.HTTPError as e:\n            raise requests.Timeout(str(e))\n        return value\n\n\n@click.command()\ndef main(value):\n    with requests.get(value) as reply:\n        for line in reply:\n            print(line)\n    user = User(value)\n    return user.save(value)\n", "fail", ""},
			{"not closed", "import click\nimport requests\nfrom base import Model, field\n\n\nclass User(Model):\n    name = field(int)\n\n    def save(self, value):\n        super().save(value, 1)\n        try:\n            self.check(value)\n        except requests.HTTPError as e:\n            raise requests.Timeout(str(e))\n        return value\n\n\n@click.command()\ndef main(value):\n    reply = requests.get(value)\n    for line in reply:\n        print(line)\n    user = User(value)\n    return user.save(value)\n", "fail stand-ins", ""},
		}},
		{"names that a program hides", "from . import __import__, super, f\nimport numpy as np\n\n\ndef g(a):\n    return np.sum(a) , f(__import__, super)\n", ". numpy", []answerTest{
			{"in other words", "from . import __import__, super, f\nimport numpy as np\n\n\ndef g(a):\n    total = np.sum(a)\n    return total, f(__import__, super)\n", "pass runs", ""},
			{"another function", "from . import __import__, super, f\nimport numpy as np\n\n\ndef g(a):\n    total = np.prod(a)\n    return total, f(__import__, super)\n", "fail stand-ins", ""},
		}},
		{"a star import, and what only some libraries have", "from numpy import *\nimport xml.dom\nimport xml.things\n\n\ndef f(a):\n    return xml.things.parse(array(a) , len(a)), xml.dom.Node\n", "numpy xml", []answerTest{
			{"in other words", "from numpy import *\nimport xml.things\nimport xml.dom\n\n\ndef f(a):\n    items = array(a)\n    return xml.things.parse(items, len(a)), xml.dom.Node\n", "pass runs", ""},
			{"another function", "from numpy import *\nimport xml.things\nimport xml.dom\n\n\ndef f(a):\n    items = array(a)\n    return xml.things.read(items, len(a)), xml.dom.Node\n", "fail stand-ins", ""},
		}},
		{"modules of special names, and their table", "import sys\nimport pack.client\nfrom .__pack__ import Base\n\nx = sys.modules['pack.client']\nsetattr(x, 'name', Base)\n\n\ndef f(a):\n    return x.name(a , 1)\n", ". pack", []answerTest{
			{"in other words", "import sys\nimport pack.client\nfrom .__pack__ import Base\n\nx = sys.modules['pack.client']\nsetattr(x, 'name', Base)\n\n\ndef f(a):\n    made = x.name(a, 1)\n    return made\n", "pass runs", ""},
			{"another base", "import sys\nimport pack.client\nfrom .__pack__ import Bases\n\nx = sys.modules['pack.client']\nsetattr(x, 'name', Bases)\n\n\ndef f(a):\n    return x.name(a, 1)\n", "fail stand-ins", ""},
		}},
		{"unpacking, arithmetic and async", "import asyncio\nimport aio\n\n\nasync def f(a):\n    async with aio.open(a) as s:\n        x, y = await s.pair()\n        first, *rest = x\n    return -x @ y // 2 , first, rest, a in y, x[a:1]\n\n\ndef g(a):\n    return asyncio.run(f(a))\n", "aio", []answerTest{
			{"in other words", "import asyncio\nimport aio\n\n\nasync def f(a):\n    async with aio.open(a) as s:\n        (x, y) = await s.pair()\n        first, *rest = x\n    total = -x @ y\n    return total // 2, first, rest, a in y, x[a:1]\n\n\ndef g(a):\n    return asyncio.run(f(a))\n", "pass runs", ""},
			{"the other order", "import asyncio\nimport aio\n\n\nasync def f(a):\n    async with aio.open(a) as s:\n        y, x = await s.pair()\n        first, *rest = x\n    return -x @ y // 2, first, rest, a in y, x[a:1]\n\n\ndef g(a):\n    return asyncio.run(f(a))\n", "fail", ""},
			{"not awaited", "import asyncio\nimport aio\n\n\nasync def f(a):\n    async with aio.open(a) as s:\n        x, y = s.pair()\n        first, *rest = x\n    return -x @ y // 2, first, rest, a in y, x[a:1]\n\n\ndef g(a):\n    return asyncio.run(f(a))\n", "fail stand-ins", ""},
			{"without rest", "import asyncio\nimport aio\n\n\nasync def f(a):\n    async with aio.open(a) as s:\n        x, y = await s.pair()\n        first = x[0]\n    return -x @ y // 2, first, [], a in y, x[a:1]\n\n\ndef g(a):\n    return asyncio.run(f(a))\n", "fail stand-ins", ""},
		}},
		{"what a try does without", "try:\n    import numpy\nexcept ImportError:\n    numpy = None\n\n\ndef f(a):\n    return a if numpy is None else numpy.sum(a) \n", "", []answerTest{
			{"in other words", "try:\n    import numpy\nexcept ImportError:\n    numpy = None\n\n\ndef f(a):\n    if numpy is None:\n        return a\n    return numpy.sum(a)\n", "pass runs", ""},
			{"something else where there is one", "try:\n    import numpy\nexcept ImportError:\n    numpy = None\n\n\ndef f(a):\n    if numpy is None:\n        return a\n    return numpy.prod(a)\n", "unknown unreached", ""},
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			j := newJudge(t, Options{})
			task := &Task{ID: test.name, Program: test.program}
			for _, a := range test.answers {
				v := judgeAnswer(t, j, task, a.answer)
				text, said := v.Outcome.String()+" "+v.Proof, ""
				if len(v.Reasons) > 0 {
					text, said = v.Outcome.String()+" "+v.Reasons[0].Name, v.Reasons[0].Text
				}
				if !strings.HasPrefix(text, a.want) || !strings.Contains(said, a.text) {
					t.Errorf("%s: %s: %s; want %s %q", a.name, text, said, a.want, a.text)
				}
				if got := strings.Join(v.StandIns, " "); got != test.played {
					t.Errorf("%s: played %q, want %q", a.name, got, test.played)
				}
			}
			if test.played == "" {
				return
			}
			v := judgeAnswer(t, newJudge(t, Options{NoStandIns: true}), task, test.answers[0].answer)
			if v.Outcome != evaluator.Unknown || !slices.Contains([]string{"no-reference", "missing-module"}, v.Reasons[0].Name) || len(v.StandIns) > 0 {
				t.Errorf("without stand-ins: %v", v)
			}
		})
	}
}
