package model

import "strings"

// PathResource is one thing that a push makes for a path: its kind, in the words
// of the specification ("Creation and deployment flow" 7), and its name, fit for
// a line of text.
type PathResource struct{ Kind, Name string }

// APIResources lists what a push makes for each path of an API, in the order of
// its paths: the path, an API resource for itself and one for what lies below it,
// the handler function and its log group. The reserved ProxyPath has no resource
// for itself. A proxy resource that is never reached, since a path with a variable
// stands right below (Takeover.All), is not made.
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
			resources = append(resources, PathResource{"handler function", Quote(name)}, PathResource{"log group", Quote(LogGroup(name))})
		}
		all[i] = resources
	}
	return all
}

// LogGroup is the log group of a function, by the name of the deployed function.
func LogGroup(functionName string) string { return "/functions/" + functionName }

// takenBelow reports of a path whether another takes everything below it: one
// that goes on from it by a variable and no more. Names that break the rules for
// paths, and those that conflict, do not count: such an API is not pushed.
func (a *API) takenBelow() func(p *Path) bool {
	taken := make(map[string]bool)
	root := false
	for _, p := range a.Paths {
		root = root || p.Name == "/"
		if slash := strings.LastIndexByte(p.Name, '/'); slash >= 0 && strings.HasPrefix(p.Name[slash+1:], "{") && p.Name != ProxyPath {
			taken[p.Name[:slash]] = true
		}
	}
	return func(p *Path) bool {
		// What lies at the root belongs to / where that is there.
		return taken[strings.TrimSuffix(ProxyOf(p.Name), ProxyPath)] && (p.Name != ProxyPath || !root)
	}
}
