package model

import "strings"

// PathResource is one resource that a push makes for a path: its kind, such as "log group",
// and its printable name.
type PathResource struct{ Kind, Name string }

// APIResources lists the resources that a push makes for each path of an API, in the order of
// the paths: the path, its main resource and its proxy resource, the handler function and its
// log group. The reserved ProxyPath has no main resource. A proxy resource that no request
// reaches, because a path with a variable is directly below (Takeover.All), is not made.
func (b *Backend) APIResources(api *API) [][]PathResource {
	functions := make(map[string]*Function, len(b.Functions))
	for _, f := range b.Functions {
		functions[f.Name] = f
	}
	taken := api.takenBelow()
	all := make([][]PathResource, len(api.Paths))
	for i, p := range api.Paths {
		const methods = ": ANY, OPTIONS"
		resources := []PathResource{{"path", Quote(p.Name)}}
		if p.Name != ProxyPath {
			resources = append(resources, PathResource{"API resource", Quote(p.Name) + methods})
		}
		if !taken(p) {
			resources = append(resources, PathResource{"API resource", Quote(ProxyOf(p.Name)) + methods})
		}
		if p.Function != "" {
			name := p.Function
			if f := functions[name]; f != nil {
				name = f.DeployedName()
			}
			resources = append(resources, PathResource{"handler function", Quote(name)},
				PathResource{"log group", Quote(LogGroup(name))})
		}
		all[i] = resources
	}
	return all
}

// LogGroup returns the name of the log group of a deployed function.
func LogGroup(functionName string) string { return "/functions/" + functionName }

// takenBelow gives a function that reports whether another path takes everything below a
// path: one that has one more segment, a variable. It is not exact for invalid and
// conflicting paths, whose API cannot be pushed.
func (a *API) takenBelow() func(p *Path) bool {
	taken := make(map[string]bool)
	root := false
	for _, p := range a.Paths {
		root = root || p.Name == "/"
		if slash := strings.LastIndexByte(p.Name, '/'); slash >= 0 && strings.HasPrefix(p.Name[slash+1:], "{") &&
			p.Name != ProxyPath {
			taken[p.Name[:slash]] = true
		}
	}
	return func(p *Path) bool {
		// If there is a path /, the requests below the root belong to it.
		return taken[strings.TrimSuffix(ProxyOf(p.Name), ProxyPath)] && (p.Name != ProxyPath || !root)
	}
}
