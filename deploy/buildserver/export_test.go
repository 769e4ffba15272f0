package buildserver

// BuildSystems returns the names of the known build systems.
func BuildSystems() []string {
	var names []string
	for _, system := range buildSystems {
		names = append(names, system.name)
	}
	return names
}
