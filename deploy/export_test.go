package deploy

import "gatewright/deploy/account"

// BuildSystems returns the names of the known build systems.
func BuildSystems() []string {
	var names []string
	for _, system := range buildSystems {
		names = append(names, system.name)
	}
	return names
}

// newAccount is an account that is not asked.
func newAccount(id, region string) *account.Account { return &account.Account{ID: id, Region: region} }
