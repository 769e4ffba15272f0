package adopt

import (
	"strings"

	"gatewright/internal/openapi"
	"gatewright/internal/text/phrase"
	"gatewright/model"
)

// answerer returns what the document says that answers an operation: the name of a function
// if that is known, else the address of the integration; "" if it does not say.
func answerer(o *openapi.Operation) string {
	if o.Integration == nil || o.Integration.Type == "mock" {
		return ""
	}
	if name := o.Integration.Function; name != "" && model.CheckName(model.KindFunction, name) == nil {
		return name
	}
	return o.Integration.URI
}

// groupKey is what has one function: paths below the same node that the same integration
// answers.
type groupKey struct {
	group    *node
	answerer string
}

func (m *made) key() groupKey { return groupKey{m.group, m.top.function} }

// nameFunctions gives each path its function.
func (a *adoption) nameFunctions() {
	used := make(map[string]bool)
	functions := make(map[groupKey]string)
	for _, m := range a.paths {
		if m.path.Function = a.named(m); m.path.Function == "" {
			continue
		}
		used[strings.ToLower(m.path.Function)] = true
		if functions[m.key()] == "" {
			functions[m.key()] = m.path.Function
		}
	}
	taken := func(name string) bool {
		return used[strings.ToLower(name)] || a.options.Taken != nil && a.options.Taken(name)
	}
	for _, m := range a.paths {
		if m.path.Function != "" {
			continue
		}
		m.proposed = true
		if m.path.Function = functions[m.key()]; m.path.Function != "" {
			continue
		}
		names := model.SuggestFunctions(m.group.name())
		if m.group.parent == nil {
			names = []string{model.SuggestName(a.options.Label, "root")}
		}
		m.path.Function = model.FreeName(names, taken)
		used[strings.ToLower(m.path.Function)] = true
		functions[m.key()] = m.path.Function
	}
}

// named returns the function of a path that somebody has named: the caller, the document, or
// the project; "" for none.
func (a *adoption) named(m *made) string {
	switch {
	case a.options.Function != "":
		return a.options.Function
	case m.path.Function != "":
		return m.path.Function
	case model.CheckName(model.KindFunction, m.top.function) == nil:
		return m.top.function
	case a.options.Have != nil:
		return a.options.Have(m.path.Name)
	}
	return ""
}

// loseIntegration notes what answers an operation and no function does.
func (a *adoption) loseIntegration(o *operation, n *node) {
	i := o.Integration
	switch {
	case i == nil:
	case i.Type == "mock":
		if o.actions != 0 {
			a.lose(Function, o.Place, "let the function answer it",
				"%s %s is answered by the gateway itself, and a function answers here", o.Method, phrase.Quote(o.Item.Name))
		}
	case i.Type != "aws_proxy" && i.Type != "":
		a.lose(Function, o.Place, "let the function answer it",
			"%s %s is passed on by an integration of the type %s, and a function answers here", o.Method,
			phrase.Quote(o.Item.Name), phrase.Quote(i.Type))
	case n.function != "" && answerer(o.Operation) != n.function:
		a.lose(Function, o.Place, "let that function answer both, or give one another path",
			"%s %s has a different function from %s, and a path has one", o.Method, phrase.Quote(o.Item.Name),
			phrase.Quote(n.name()))
	}
}
