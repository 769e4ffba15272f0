package deploy

// StackNameOf is StackName for any prefix and kind of stack, so that it can be
// held against the names that the systems give from which the rule comes.
var StackNameOf = stackName

// BuildSystems are the names of the systems whose variables are known.
func BuildSystems() []string {
	var names []string
	for _, system := range buildSystems {
		names = append(names, system.name)
	}
	return names
}
