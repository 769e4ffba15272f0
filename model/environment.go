package model

import (
	"cmp"
	"slices"

	"gatewright/internal/text/phrase"
	"gatewright/model/field"
)

// Provider says where an environment is deployed.
type Provider string

// Local runs on this machine, AWS in the cloud.
const (
	Local Provider = "local"
	AWS   Provider = "aws"
)

// Providers lists every Provider.
var Providers = []Provider{Local, AWS}

// FirstEnvironment is the name of the environment of a new project, unless a person gives another one.
const FirstEnvironment = "dev"

// Environment is one separately deployed copy of the backend. Its name is the stage in its URLs.
type Environment struct {
	Name     string
	Provider Provider
	// Region and Account are empty if the project's default applies.
	Region, Account string
	// Branch is the git branch whose builds deploy it; empty means Name.
	Branch string
	// Guarded says that a change asks for the environment's name first.
	Guarded bool
	// APIResources is how many resources of API Gateway an API of its account may have, if AWS has
	// raised that quota; 0 is DefaultAPIResources.
	APIResources int
	// APIs are the labels of the APIs it has; nil means all.
	APIs []string
	// Parameters are values without a fixed meaning. Variables are added to the environment variables of functions.
	Parameters []Variable
	Variables  []FunctionVariables
	// Data and Storage override single fields of the definitions; nil overrides nothing.
	Data    *Data
	Storage *Storage
}

// DefaultAPIResources is how many resources an API has at most, unless AWS raises the quota "Resources per API"
// (https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-execution-service-limits-table.html).
const DefaultAPIResources = 300

// MostResources is how many resources of API Gateway an API may have in the environment.
func (e *Environment) MostResources() int { return cmp.Or(e.APIResources, DefaultAPIResources) }

// FunctionVariables are one function's environment variables.
type FunctionVariables struct {
	Function string
	Values   []Variable
}

// Fields are the fields of the file of an environment.
func (e *Environment) Fields() []field.Row {
	return []field.Row{
		{Name: "provider", Flag: "provider", Value: (*string)(&e.Provider), Written: true, Words: field.Words(Providers)},
		{Name: "region", Flag: "region", Value: &e.Region},
		{Name: "account", Flag: "account", Value: &e.Account},
		{Name: "branch", Flag: "branch", Value: &e.Branch, Default: e.Name},
		{Name: "guarded", Flag: "guarded", Value: &e.Guarded},
		{
			Name: "apiResources", Flag: "api-resources", Value: &e.APIResources,
			Range: field.Range{
				Min: DefaultAPIResources, Default: DefaultAPIResources, Max: 100_000, Unit: "resource", Sign: "resources",
			},
		},
		// An empty list is none, and not all.
		{Name: "apis", Flag: "api", Value: &e.APIs, Written: e.APIs != nil},
		{Name: "parameters", Flag: "parameter", Value: &e.Parameters},
		{Name: "variables", Flag: "variable", Value: &e.Variables},
		{Name: "data", Flag: "data", Value: &e.Data},
		{Name: "storage", Flag: "storage", Value: &e.Storage},
	}
}

// Has reports whether the environment has the API.
func (e *Environment) Has(label string) bool {
	return e.APIs == nil || slices.Contains(e.APIs, label)
}

// CheckHas returns a *Problem if the environment does not have the API.
func (e *Environment) CheckHas(label string) error {
	if e.Has(label) {
		return nil
	}
	return &Problem{
		Of: Ref{Kind: KindEnvironment, Name: e.Name}, Text: "has no API " + phrase.Quote(label),
		Fix: "see its APIs with: gatewright env show " + phrase.Quote(e.Name),
	}
}

// BranchName returns Branch, or Name if that is empty.
func (e *Environment) BranchName() string {
	if e.Branch != "" {
		return e.Branch
	}
	return e.Name
}
