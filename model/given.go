package model

import (
	"strings"
)

// The variables about the environment, its pools, to which values can only refer, and the table of a function.
const (
	EnvVariable            = "ENV"
	RegionVariable         = "REGION"
	UserPoolIDVariable     = "USER_POOL_ID"
	UserPoolARNVariable    = "USER_POOL_ARN"
	UserPoolClientVariable = "USER_POOL_CLIENT_ID"
	IdentityPoolVariable   = "IDENTITY_POOL_ID"
	TableNameVariable      = "TABLE_NAME"
	TableRegionVariable    = "TABLE_REGION"
)

// PoolVariables are the variables about the pools.
var PoolVariables = []string{UserPoolIDVariable, UserPoolARNVariable, UserPoolClientVariable, IdentityPoolVariable}

// resourceVariables are what the names of the variables about a resource end with.
var resourceVariables = map[Kind][]string{
	KindTable:    {"NAME", "ARN", "REGION"},
	KindFunction: {"NAME", "ARN", "REGION"},
	KindAPI:      {"NAME", "ID", "URL", "ARN", "REGION"},
	KindStorage:  {"NAME", "ARN", "REGION"},
}

// Given returns the names to which the values of a function's environment variables may refer,
// each with what it is about: a resource such as table/items, auth for the pools, environment.
// They are the variables that the program gives the function in the environment that the backend
// is for, and those about its pools. Its own variables and secrets are not among them.
func (b *Backend) Given(f *Function) map[string]string {
	if !b.Defines(KindFunction) {
		return nil // the CLI's templates say what a value is
	}
	given := map[string]string{EnvVariable: string(KindEnvironment), RegionVariable: string(KindEnvironment)}
	if f.Table != "" {
		table := string(KindTable) + "/" + f.Table
		given[TableNameVariable], given[TableRegionVariable] = table, table
	}
	for _, a := range f.Access {
		prefix := ResourcePrefix(a.Resource)
		for _, what := range b.Described(a.Resource) {
			given[prefix+what] = a.Resource
		}
	}
	for _, name := range b.poolsGiven() {
		given[name] = string(KindAuth)
	}
	return given
}

// Described lists what the variables about a resource tell.
func (b *Backend) Described(resource string) []string {
	kind, name, _ := strings.Cut(resource, "/")
	what := resourceVariables[Kind(kind)]
	switch Kind(kind) {
	case KindAPI:
		if b.API(name) == nil {
			return nil
		}
	case KindStorage:
		if b.Storage == nil || b.Storage.BucketName == "" {
			return nil
		}
		if b.Storage.Region == "" {
			return what[:len(what)-1]
		}
	}
	return what
}

// poolsGiven lists the variables about the pools that are known. A pool that exists already is
// known as far as the definition has its ids.
func (b *Backend) poolsGiven() []string {
	auth := b.Auth
	switch {
	case !b.UsesUserPool():
		return nil
	case !auth.PoolExists():
		return PoolVariables
	}
	var given []string
	if auth.UserPoolID != "" {
		given = append(given, UserPoolIDVariable, UserPoolARNVariable)
	}
	if auth.UserPoolClientID != "" {
		given = append(given, UserPoolClientVariable)
	}
	if auth.IdentityPoolID != "" {
		given = append(given, IdentityPoolVariable)
	}
	return given
}

// PoolExists reports whether the definition is of pools that a push does not make.
func (a *Auth) PoolExists() bool {
	return a != nil && (a.UserPoolID != "" || a.UserPoolClientID != "" || a.IdentityPoolID != "")
}

// PoolRegion returns the region of a user pool, with which its id begins
// (https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_DescribeUserPool.html).
func PoolRegion(id string) string {
	region, _, _ := strings.Cut(id, "_")
	return region
}

// ResourcePrefix returns what the names of the variables about a resource begin with, such as
// TABLE_MY_ITEMS_ for table/my-items.
func ResourcePrefix(resource string) string {
	kind, name, _ := strings.Cut(resource, "/")
	return VariableName(kind) + "_" + VariableName(name) + "_"
}

// VariableName returns a name as a part of a variable's name: "my-items.old" becomes MY_ITEMS_OLD.
func VariableName(name string) string {
	return strings.Map(func(c rune) rune {
		if c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' {
			return c
		}
		return '_'
	}, strings.ToUpper(name))
}
