package template

import "gatewright/model"

// Counted returns how many resources the plan of an environment says that the root stack and
// the nested stacks will have.
func Counted(b *model.Backend, env *model.Environment) (root int, nested []int) {
	p, _ := planOf(b, env)
	if len(p.decide()) > 0 {
		return 0, nil
	}
	c := p.count()
	root = c.shared
	for _, n := range c.perAPI {
		if c.nested {
			root, nested = root+2, append(nested, n-1)
		} else {
			root += n
		}
	}
	return root, nested
}
