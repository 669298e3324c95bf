package evaluator

import (
	"strings"
	"testing"
)

func TestHasCode(t *testing.T) {
	for _, text := range []string{
		"", "\n", " \n\t\n", "\f", "\f\n", "\ufeff", "\r\n\r\n", "\\\n",
		"# done\n", "# x = 1", "#!/usr/bin/python\n# -*- coding: utf-8 -*-\n\n",
		"pass\n", "pass; pass\n", "...\n", "... # later\n", "pass;...;\n",
		"\"\"\"Nothing to do.\"\"\"\n", "'''\nx = 1\n'''\n", "'a' 'b'\n", "r'\\'\n", `'\'' # 'x'` + "\n", `Rb"x = 1"`, "\"\"\"x = \"1\" \\\"\"\" 1\"\"\"",
		"None\n", "True\nFalse\n", "0\n", "3.5e3\n", "0xff_ff", "1_000j",
	} {
		if hasCode(text) {
			t.Errorf("%q has code", text)
		}
	}
	for _, text := range []string{
		"x = 1\n", "# x\nx = 1\n", "'''doc'''\nx = 1\n", "pass\nx", "passing", "def f():\n    pass\n", "f'{x()}'\n", "rf'{x}'",
		"print()", "'a'.join(x)", "\"\"\"doc\"\"\" + x", "...\nx", "-x", "(x)", "@", "1 + x", "..", "é = 1", "\x00", "\ufffd", "\u00a0",
	} {
		if !hasCode(text) {
			t.Errorf("%q has no code", text)
		}
	}
}

// Texts of which no statement does anything are looked at once.
func BenchmarkHasCode(b *testing.B) {
	for name, text := range map[string]string{"first": "import os\n", "comments": strings.Repeat("# x\n", 1<<14), "docstring": `"""` + strings.Repeat("x\n", 1<<15) + `"""`} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				hasCode(text)
			}
		})
	}
}
