package main

import (
	"strings"
	"testing"
)

func TestDebug(t *testing.T) {
	tests := []struct{ command, in, want string }{
		{"ast", "x", "Module(body=[Expr(value=Name(id='x', lineno=1, col_offset=0, end_lineno=1, end_col_offset=1)," +
			" lineno=1, col_offset=0, end_lineno=1, end_col_offset=1)])\n"},
		{"tokens", "if é:\n  f'''{x}\n''' # c\n", strings.Join([]string{
			`1,0-1,2:            NAME           'if'           `,
			`1,3-1,4:            NAME           'é'            `,
			`1,4-1,5:            OP             ':'            `,
			`1,5-1,6:            NEWLINE        '\n'           `,
			`2,0-2,2:            INDENT         '  '           `,
			`2,2-2,6:            FSTRING_START  "f'''"         `,
			`2,6-2,7:            OP             '{'            `,
			`2,7-2,8:            NAME           'x'            `,
			`2,8-2,9:            OP             '}'            `,
			`2,9-3,0:            FSTRING_MIDDLE '\n'           `,
			`3,0-3,3:            FSTRING_END    "'''"          `,
			`3,4-3,7:            COMMENT        '# c'          `,
			`3,7-3,8:            NEWLINE        '\n'           `,
			`4,0-4,0:            DEDENT         ''             `,
			`4,0-4,0:            ENDMARKER      ''             `,
			"",
		}, "\n")},
		{"ast --target-version=3.12", "def f(): pass", "Module(body=[FunctionDef(name='f', args=arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])," +
			" body=[Pass(lineno=1, col_offset=9, end_lineno=1, end_col_offset=13)], decorator_list=[], type_params=[]," +
			" lineno=1, col_offset=0, end_lineno=1, end_col_offset=13)], type_ignores=[])\n"},
		{"tokens --target-version=3.11", "f'{x}' $", strings.Join([]string{
			`1,0-1,6:            STRING         "f'{x}'"       `,
			`1,6-1,7:            ERRORTOKEN     ' '            `,
			`1,7-1,8:            ERRORTOKEN     '$'            `,
			`1,8-1,9:            NEWLINE        ''             `,
			`2,0-2,0:            ENDMARKER      ''             `,
			"",
		}, "\n")},
	}
	for _, test := range tests {
		debug := newDebugCommand()
		var out strings.Builder
		debug.SetArgs(append(strings.Fields(test.command), "-"))
		debug.SetIn(strings.NewReader(test.in))
		debug.SetOut(&out)
		if err := debug.Execute(); err != nil {
			t.Fatal(err)
		}
		if out.String() != test.want {
			t.Errorf("debug %s of %q:\n%s\nwant:\n%s", test.command, test.in, out.String(), test.want)
		}
	}
}
