package lint

// namedOptions gives flake8's names to the fields of [Options]. Options that are read
// by name, from a command line, a configuration file or a task, are looked up in this
// table.
var namedOptions = [...]struct {
	name  string
	field func(*Options) any
}{
	{"select", func(o *Options) any { return &o.Select }},
	{"ignore", func(o *Options) any { return &o.Ignore }},
	{"extend-select", func(o *Options) any { return &o.ExtendSelect }},
	{"extend-ignore", func(o *Options) any { return &o.ExtendIgnore }},
	{"max-line-length", func(o *Options) any { return &o.MaxLineLength }},
	{"max-doc-length", func(o *Options) any { return &o.MaxDocLength }},
	{"indent-size", func(o *Options) any { return &o.IndentSize }},
	{"hang-closing", func(o *Options) any { return &o.HangClosing }},
	{"max-complexity", func(o *Options) any { return &o.MaxComplexity }},
	{"builtins", func(o *Options) any { return &o.Builtins }},
	{"doctests", func(o *Options) any { return &o.Doctests }},
	{"disable-noqa", func(o *Options) any { return &o.DisableNoqa }},
	{"flake8-version", func(o *Options) any { return &o.Release }},
	{"target-version", func(o *Options) any { return &o.Target }},
}

// OptionNames returns the names of all options, which are those that they have on
// flake8's command line, without dashes: "max-line-length". The last two,
// "flake8-version" and "target-version", are ours.
func OptionNames() []string {
	names := make([]string, len(namedOptions))
	for i := range namedOptions {
		names[i] = namedOptions[i].name
	}
	return names
}

// Option returns where the option of that name is kept: a *[]string, *int, *bool,
// *[rule.Release] or *[source.Version]. It returns nil if there is no such option.
func (o *Options) Option(name string) any {
	for i := range namedOptions {
		if namedOptions[i].name == name {
			return namedOptions[i].field(o)
		}
	}
	return nil
}
