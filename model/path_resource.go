package model

import (
	"gatewright/internal/text/phrase"
	"gatewright/model/access"
)

// PathResource is one resource that a push makes for a path: its kind, such as "log group", and its printable name.
type PathResource struct{ Kind, Name string }

// APIResources lists the resources that a push makes for each path of an API, in the order of
// the paths: the path, its main resource and its proxy resource, the handler function and its
// log group. The reserved ProxyPath has no main resource. A proxy resource that no request
// reaches, because a path with a variable is directly below (Takeover.All), is not made.
func (b *Backend) APIResources(api *access.API) [][]PathResource {
	functions := make(map[string]*Function, len(b.Functions))
	for _, f := range b.Functions {
		functions[f.Name] = f
	}
	taken := api.TakenBelow()
	all := make([][]PathResource, len(api.Paths))
	for i, p := range api.Paths {
		const methods = ": ANY, OPTIONS"
		resources := []PathResource{{"path", phrase.Quote(p.Name)}}
		if p.Name != access.ProxyPath {
			resources = append(resources, PathResource{"API resource", phrase.Quote(p.Name) + methods})
		}
		if !taken(p) {
			resources = append(resources, PathResource{"API resource", phrase.Quote(access.ProxyOf(p.Name)) + methods})
		}
		if p.Function != "" {
			name := p.Function
			if f := functions[name]; f != nil {
				name = f.DeployedName()
			}
			resources = append(resources, PathResource{"handler function", phrase.Quote(name)},
				PathResource{"log group", phrase.Quote(LogGroup(name))})
		}
		all[i] = resources
	}
	return all
}

// LogGroup returns the name of the log group of a deployed function.
func LogGroup(functionName string) string { return "/functions/" + functionName }
