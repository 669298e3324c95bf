package results

import (
	"bytes"
	_ "embed"
	"fmt"
	"text/template"
)

//go:embed speed.svg.tmpl
var chartText string

// A bar is a tool's bar in the chart.
type bar struct {
	Tool, Label   string
	Y, Width      float64
	TextY, LabelX float64
}

// Sizes of the chart, in its own units.
const (
	barsLeft  = 110.0
	barsWidth = 440.0
	rowHeight = 30.0
)

// chart returns the chart of speeds for README.md: for each tool a bar as long as its
// processor time.
func chart(all []Speed) []byte {
	longest := 0.0
	for _, s := range all {
		longest = max(longest, s.CPU)
	}
	var bars []bar
	for i, s := range all {
		b := bar{Tool: s.Tool, Y: float64(i)*rowHeight + 36, Width: max(barsWidth*s.CPU/longest, 1.5)}
		b.Label = fmt.Sprintf("%.2f s", s.CPU)
		b.TextY, b.LabelX = b.Y+14, barsLeft+b.Width+8
		bars = append(bars, b)
	}
	var out bytes.Buffer
	data := map[string]any{"Bars": bars, "Left": barsLeft, "Height": float64(len(all))*rowHeight + 48, "Title": ""}
	if len(all) > 0 {
		data["Title"] = fmt.Sprintf("Processor time to lint %s files of %s", thousands(all[0].Files), all[0].Corpus)
	}
	if err := template.Must(template.New("chart").Parse(chartText)).Execute(&out, data); err != nil {
		panic(err) // of a template that tests execute
	}
	return out.Bytes()
}
