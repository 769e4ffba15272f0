package policy

import (
	"gatewright/model"
	"gatewright/model/access"
)

// Patterns gives the policies that a backend has in the cloud, as patterns of METHOD/path, by
// the label of an API and its caller. It is for one goroutine.
func Patterns(b *model.Backend) func(api string, who access.Principal) (allow, deny []string) {
	made := make(map[string]*Policies)
	return func(api string, who access.Principal) (allow, deny []string) {
		if made[api] == nil {
			made[api] = Of(b.API(api), b.RoleOrder(), b.Terms())
		}
		for _, role := range made[api].Roles {
			if role.Who == who {
				return role.Allow, role.Deny
			}
		}
		return nil, nil
	}
}
