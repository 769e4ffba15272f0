package template

import (
	"maps"
	"slices"

	"gatewright/model"
)

// Counted returns how many resources the plan of an environment says that the root stack and
// the nested stacks will have.
func Counted(b *model.Backend, env *model.Environment) (root int, nested []int) {
	p, _ := planOf(b, env)
	if len(p.decide(Deployed{})) > 0 {
		return 0, nil
	}
	for _, a := range p.apis {
		for _, number := range slices.Sorted(maps.Keys(a.parts)) {
			nested = append(nested, a.parts[number])
		}
		if a.nested {
			nested = append(nested, p.inHome(a))
		}
	}
	return p.inRoot(), nested
}
