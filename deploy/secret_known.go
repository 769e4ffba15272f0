package deploy

import (
	"maps"
	"slices"

	"gatewright/project"
)

// KnownSecrets names the secrets of an environment that have a value on this
// machine, and says in problem why they cannot be told ("" where they can). No
// value leaves this room by it.
func KnownSecrets(root, environment string) (names []string, problem string) {
	s := readSecrets(root, environment)
	if s.problem != "" {
		return nil, project.QuotePath(s.file) + " " + s.problem
	}
	return slices.Sorted(maps.Keys(s.values)), ""
}
