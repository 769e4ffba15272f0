package model

import "strings"

// PathResource is one thing that a push makes for a path: its kind, in the words
// of the specification ("Creation and deployment flow" 7), and its name, fit for
// a line of text.
type PathResource struct{ Kind, Name string }

// Resources lists what a push makes for a path of an API: the path, an API
// resource for itself and one for what lies below it, the handler function and
// its log group. The reserved ProxyPath has no resource for itself. A proxy
// resource that is never reached, since a path with a variable stands right below
// (Takeover.All), is not made.
func (b *Backend) Resources(api *API, p *Path) []PathResource {
	const methods = ": ANY, OPTIONS"
	resources := []PathResource{{"path", Quote(p.Name)}}
	if p.Name != ProxyPath {
		resources = append(resources, PathResource{"API resource", Quote(p.Name) + methods})
	}
	if !api.shadowsProxy(p) {
		resources = append(resources, PathResource{"API resource", Quote(ProxyOf(p.Name)) + methods})
	}
	if p.Function == "" {
		return resources
	}
	name := p.Function
	if f := b.Function(p.Function); f != nil {
		name = f.DeployedName()
	}
	return append(resources, PathResource{"handler function", Quote(name)}, PathResource{"log group", Quote(LogGroup(name))})
}

// LogGroup is the log group of a function, by the name of the deployed function.
func LogGroup(functionName string) string { return "/functions/" + functionName }

// shadowsProxy reports whether another path takes everything below p: one that
// goes on from p by a variable and no more. Names that break the rules for paths,
// and those that conflict, do not count: such an API is not pushed.
func (a *API) shadowsProxy(p *Path) bool {
	below := strings.TrimSuffix(ProxyOf(p.Name), ProxyPath) + "/"
	for _, other := range a.Paths {
		rest, ok := strings.CutPrefix(other.Name, below)
		if ok && strings.HasPrefix(rest, "{") && !strings.Contains(rest, "/") && other.Name != ProxyPath {
			// What lies at the root belongs to / where that is there.
			return p.Name != ProxyPath || a.Path("/") == nil
		}
	}
	return false
}
