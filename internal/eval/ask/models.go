package ask

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Servers refuse an unknown model or a wrong address in different ways: by 404
// (vLLM, Ollama, OpenAI) or 400 (LiteLLM, transformers), with messages of varying
// use. But all list their models at GET /models, and only below the right base
// URL. So after a refusal the client asks for this list and adds its conclusion
// to the error.

// A modelList has the models of a server. ok is false if the server did not list
// them.
type modelList struct {
	names []string
	ok    bool
}

const (
	maxList   = 4 << 20 // bytes of a list
	maxListed = 5       // names in a message
)

// models returns the models listed below a base URL. It asks for each list once.
func (c *client) models(ctx context.Context, base *url.URL) modelList {
	address := base.JoinPath("models").String()
	c.explaining.Lock()
	defer c.explaining.Unlock()
	list, known := c.lists[address]
	if !known {
		list = c.fetchModels(ctx, address)
		if ctx.Err() == nil {
			c.lists[address] = list
		}
	}
	return list
}

func (c *client) fetchModels(ctx context.Context, address string) (list modelList) {
	ctx, cancel := context.WithTimeout(ctx, min(c.options.Timeout, 10*time.Second))
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return list
	}
	c.sign(request)
	response, err := c.http.Do(request)
	if err != nil {
		return list
	}
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, maxList))
	if err != nil || response.StatusCode != http.StatusOK {
		return list
	}
	return parseModels(text)
}

// parseModels reads {"data": [{"id": "..."}]}, or the list alone. llama.cpp's
// models have more names in aliases.
func parseModels(text []byte) (list modelList) {
	type model struct {
		ID      string   `json:"id"`
		Aliases []string `json:"aliases"`
	}
	var (
		models []model
		object struct {
			Data *[]model `json:"data"`
		}
	)
	switch {
	case json.Unmarshal(text, &object) == nil && object.Data != nil:
		models = *object.Data
	case json.Unmarshal(text, &models) != nil:
		return list
	}
	for _, m := range models {
		for _, name := range append([]string{m.ID}, m.Aliases...) {
			if name != "" && !slices.Contains(list.names, name) {
				list.names = append(list.names, name)
			}
		}
	}
	list.ok = true
	return list
}

// has reports whether a list has a model. Ollama's names have a tag; a missing
// tag means the latest.
func (l modelList) has(name string) bool {
	return slices.Contains(l.names, name) || slices.Contains(l.names, name+":latest")
}

// near returns the list for a message. Names similar to the given one come first.
func (l modelList) near(name string) string {
	if len(l.names) == 0 {
		return "none"
	}
	name = strings.ToLower(name)
	far := func(other string) int {
		other = strings.ToLower(other)
		common := 0
		for common < min(len(name), len(other)) && name[common] == other[common] {
			common++
		}
		if strings.Contains(other, name) || strings.Contains(name, other) {
			common = max(common, min(len(name), len(other)))
		}
		return -common
	}
	names := slices.Clone(l.names)
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(far(a), far(b)) })
	more := ""
	if len(names) > maxListed {
		more = fmt.Sprintf(" and %d more", len(names)-maxListed)
		names = names[:maxListed]
	}
	return strings.Join(names, ", ") + more
}

// explain adds the conclusion from the lists of models to a fault.
func (c *client) explain(ctx context.Context, f *fault) {
	model := c.options.Settings.Model
	if list := c.models(ctx, c.base); list.ok {
		if !list.has(model) {
			f.err = fmt.Errorf("%w (the server lists no model %s, but %s)", f.err, c.brief(strconv.Quote(model)), c.brief(list.near(model)))
			f.kind = fatal
		}
		return
	}
	if f.kind != fatal {
		return
	}
	for _, base := range []*url.URL{c.base.JoinPath("v1"), c.base.ResolveReference(&url.URL{Path: "/v1", RawQuery: c.base.RawQuery})} {
		if base.Path != c.base.Path && c.models(ctx, base).ok {
			f.err = fmt.Errorf("%w (try %s as the base URL)", f.err, shown(base))
			return
		}
	}
	f.err = fmt.Errorf("%w (base URLs often end in /v1; is the model's name right?)", f.err)
}
