package preview

import (
	"gatewright/model"
	"gatewright/model/assertion"
)

// AccessTests are access tests that say what the access of the paths is, in the backend next to
// which the overview leads.
func (o Overview) AccessTests(next *model.Backend) []string {
	var tests []string
	for _, path := range o.Paths {
		tests = append(tests, assertion.Describe(next, path.API, path.Name)...)
	}
	return tests
}
