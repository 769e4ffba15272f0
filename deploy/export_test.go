package deploy

// StackNameOf is StackName for any prefix and kind of stack, to compare it with the
// names that Amplify gives.
var StackNameOf = stackName

// BuildSystems returns the names of the known build systems.
func BuildSystems() []string {
	var names []string
	for _, system := range buildSystems {
		names = append(names, system.name)
	}
	return names
}
