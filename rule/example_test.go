package rule_test

import (
	"fmt"

	"codelinter/rule"
)

func Example() {
	finding := rule.Finding{Row: 1, Column: 80, Start: 79, End: 86, Code: rule.E501}.With(rule.Values{A: 86, B: 79})
	fmt.Println(finding.Code, finding.Message())
	// Output: E501 line too long (86 > 79 characters)
}

func ExampleFinding_AppendJSON() {
	finding := rule.Finding{Row: 1, Column: 80, Start: 79, End: 86, Code: rule.E501}.With(rule.Values{A: 86, B: 79})
	fmt.Println(string(finding.AppendJSON(nil)))
	// Output: {"code":"E501","row":1,"column":80,"start":79,"end":86,"message":"line too long (86 > 79 characters)"}
}

func ExampleFind() {
	code, ok := rule.Find("E501")
	fmt.Println(code.Rule().Name, code.Rule().Tool, ok)
	// Output: overlong-line pycodestyle true
}

func ExampleSpan() {
	first, end := rule.Span("E71")
	for code := first; code < end; code++ {
		fmt.Println(rule.Code(code))
	}
	// Output:
	// E711
	// E712
	// E713
	// E714
}

func ExampleCodes() {
	off := 0
	for code := range rule.Codes() {
		if !code.Rule().Default {
			off++
		}
	}
	fmt.Println(off, "of", rule.Count, "codes are off by default")
	// Output: 13 of 132 codes are off by default
}

func ExamplePage() {
	page, _ := rule.Page(rule.E711)
	fmt.Println(page.Title)
	fmt.Print(page.Bad)
	// Output:
	// E711 equality-with-none
	// if total == None:
	//     start()
}

func ExampleSet() {
	var set rule.Set
	set.Add(rule.F401)
	fmt.Println(set.Has(rule.F401), set.Has(rule.E501), set.Any(rule.E501, rule.F401))
	// Output: true false true
}
