package outputs

import (
	"cmp"
	"encoding/json"
	"fmt"
	"time"

	"gatewright/model"
	"gatewright/project"
	"gatewright/sandbox/identity/pool"
)

// PoolOf returns the user pool and the identity pool of an environment, as in the
// section auth of its client configuration file; nil if the backend has no user pool.
// The error is a *model.Problem if an output contradicts a value of the deployment.
func PoolOf(b *model.Backend, env *model.Environment) (*pool.Pool, error) {
	record, _, err := RecordOf(b, env, time.Now())
	if err != nil {
		return nil, err
	}
	return PoolIn(b.For(env), env, record)
}

// PoolIn is PoolOf for a record that exists. here is the backend as the environment has it (Backend.For).
func PoolIn(here *model.Backend, env *model.Environment, record project.Record) (*pool.Pool, error) {
	if !here.UsesUserPool() {
		return nil, nil
	}
	auth := new(model.Auth)
	// Values has no section auth while a required field of it is missing.
	for _, values := range []any{record.Outputs["auth"], here.Auth, record.Values["auth"]} {
		text, err := json.Marshal(values)
		if err == nil {
			err = json.Unmarshal(text, auth)
		}
		if err != nil {
			return nil, fmt.Errorf("reading the section auth: %w", err)
		}
	}
	native := ""
	if auth.HasNativeClient() {
		native = idMaker{here.Project.ApplicationID, env.Name}.text("native user pool client", lowercase, clientIDLength)
	}
	return &pool.Pool{
		Environment: env.Name, Region: record.Region, AccountID: AccountOf(env),
		UserPoolID: auth.UserPoolID, ClientID: auth.UserPoolClientID, IdentityPoolID: auth.IdentityPoolID,
		NativeClientID: native, Kept: !here.Defines(model.KindAuth),
		Definition: auth, Unknown: isUnknown(here), Groups: here.RoleOrder(), Triggers: triggersOf(here),
	}, nil
}

// isUnknown reports whether the pool exists elsewhere, and the definition does not say how people sign in. Where
// that is known, the attributes are, too.
func isUnknown(here *model.Backend) bool {
	elsewhere := !here.Defines(model.KindAuth) || here.Auth != nil && here.Auth.UserPoolID != ""
	return elsewhere && (here.Auth == nil || here.Auth.AuthFlows == nil)
}

// triggersOf are the functions that the user pool calls.
func triggersOf(here *model.Backend) map[model.Moment]string {
	triggers := make(map[model.Moment]string, len(here.Triggers))
	for _, t := range here.Triggers {
		triggers[t.At] = t.Function
	}
	return triggers
}

// AccountOf returns the id of the AWS account in the events and ARNs of an environment.
func AccountOf(env *model.Environment) string {
	return cmp.Or(env.Account, model.NoAccount)
}
