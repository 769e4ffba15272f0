package model

import "slices"

// Provider is where an environment is deployed to.
type Provider string

// Local runs on this machine, AWS in the cloud.
const (
	Local Provider = "local"
	AWS   Provider = "aws"
)

// Providers lists every Provider.
var Providers = []Provider{Local, AWS}

// Environment is one separately deployed copy of the backend. Its name is the
// stage segment of its URLs (specification, "Versioning" 3).
type Environment struct {
	Name     string
	Provider Provider
	// Region and Account are empty where the project's default applies.
	Region, Account string
	// Branch is the git branch whose builds deploy it; empty means Name.
	Branch string
	// Guarded environments want their name typed before they change.
	Guarded bool
	// APIs are the labels of the APIs it has; nil means all.
	APIs []string
	// Parameters are free values, Variables the environment variables that
	// functions get here on top of their own.
	Parameters []Variable
	Variables  []FunctionVariables
	// Data and Storage override single values of the definitions; nil for none.
	Data    *Data
	Storage *Storage
}

// FunctionVariables are one function's environment variables.
type FunctionVariables struct {
	Function string
	Values   []Variable
}

// Has reports whether the environment has the API.
func (e *Environment) Has(label string) bool {
	return e.APIs == nil || slices.Contains(e.APIs, label)
}

// BranchName is Branch, or Name where that is empty.
func (e *Environment) BranchName() string {
	if e.Branch != "" {
		return e.Branch
	}
	return e.Name
}
