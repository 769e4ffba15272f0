package project

// Profile is the profile that this machine keeps for an environment.
func (p *Project) Profile(string) string { return "" }
