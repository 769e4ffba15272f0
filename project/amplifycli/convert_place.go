package amplifycli

import (
	"crypto/rand"
	"slices"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/edit"
)

// place is an environment of the old project, with what its templates say there.
type place struct {
	environment *model.Environment
	// here are the values with the name of the environment, anywhere those that any
	// environment has. Both have marks for what only a deployment knows.
	here, anywhere *Values
	// variables are those of functions that have another value, or none, in other environments.
	variables []model.FunctionVariables
}

// A mark stands in a value for what a variable of the new project has. It begins with a random
// text, which no template has.
var markBegin, markEnd = "\ue000" + rand.Text(), "\ue001"

func mark(variable string) string { return markBegin + variable + markEnd }

// The marks of an environment and its pools. What a function's access gives has marks of its own (see variablesOf).
var (
	markEnvironment = mark(model.EnvVariable)
	markRegion      = mark(model.RegionVariable)
	markAccount     = mark("the id of the account")
	markPool        = mark(model.UserPoolIDVariable)
	markPoolARN     = mark(model.UserPoolARNVariable)
	markClient      = mark(model.UserPoolClientVariable)
	markIdentity    = mark(model.IdentityPoolVariable)
)

// readPlaces lists the environments, the one that was worked with first.
func (c *converter) readPlaces() {
	environments := slices.Clone(c.from.Backend.Environments)
	if environments[0].Provider == model.Local {
		c.notes = append(c.notes,
			"amplify/team-provider-info.json names no environment, so there is one: "+environments[0].Name)
	}
	if current := c.from.CurrentEnvironment(); current != nil {
		at := slices.Index(environments, current)
		environments = slices.Insert(slices.Delete(environments, at, at+1), 0, current)
	}
	for _, env := range environments {
		d := Deployment{
			Environment: env.Name, Name: env.Name, Region: markRegion, Account: markAccount,
			Pool: &Pool{
				UserPoolID: markPool, ClientID: markClient, NativeClientID: markClient, IdentityPoolID: markIdentity,
			}, WithoutSecrets: true,
		}
		for _, api := range c.from.Backend.APIs {
			prefix := model.ResourcePrefix(string(model.KindAPI) + "/" + api.Label)
			d.APIs = append(d.APIs, API{Label: api.Label, ID: mark(prefix + "ID"), URL: mark(prefix + "URL")})
		}
		backend := c.from.Backend.For(env)
		p := &place{environment: env, here: ValuesOf(c.from, backend, d)}
		d.Name = markEnvironment
		p.anywhere = ValuesOf(c.from, backend, d)
		c.places = append(c.places, p)
	}
}

// environments takes over the environments, with what their templates give functions.
func (c *converter) environments() error {
	for _, p := range c.places {
		next := &model.Environment{
			Name: p.environment.Name, Provider: c.options.Provider, Variables: p.variables,
			Storage: c.storageIn(p),
		}
		if p.environment.Region != c.region() {
			next.Region = p.environment.Region
		}
		if err := edit.AddEnvironment(c.to, next); err != nil {
			c.refused("amplify/team-provider-info.json", "the environment "+phrase.Quote(next.Name), err)
		}
	}
	return nil
}

// marked reports whether a text has a mark.
func marked(text string) bool { return strings.Contains(text, markBegin) }
