package deploy

import (
	"encoding/json"
	"fmt"
	"time"

	"gatewright/model"
	"gatewright/project"
	"gatewright/sandbox/identity/pool"
)

// PoolOf is the user pool and the identity pool of an environment, as the section
// auth of its client configuration file has them; nil where no user pool is part
// of the backend. The error is a *model.Problem where an output gives another
// value than the deployment.
func PoolOf(b *model.Backend, env *model.Environment) (*pool.Pool, error) {
	record, _, err := recordOf(b, env, time.Now())
	if err != nil {
		return nil, err
	}
	return poolOf(b.For(env), env, record)
}

// poolOf makes the pools of an environment whose record there is. here is the
// backend as the environment has it.
func poolOf(here *model.Backend, env *model.Environment, record project.Record) (*pool.Pool, error) {
	if !here.UsesUserPool() {
		return nil, nil
	}
	auth := new(model.Auth)
	// The section itself is missing while it lacks something.
	for _, values := range []any{record.Outputs["auth"], here.Auth, record.Values["auth"]} {
		text, err := json.Marshal(values)
		if err == nil {
			err = json.Unmarshal(text, auth)
		}
		if err != nil {
			return nil, fmt.Errorf("reading the section auth: %w", err)
		}
	}
	return &pool.Pool{
		Environment: env.Name, Region: record.Region, AccountID: accountOf(env),
		UserPoolID: auth.UserPoolID, ClientID: auth.UserPoolClientID, IdentityPoolID: auth.IdentityPoolID,
		Definition: auth, Groups: here.RoleOrder(),
	}, nil
}

// reachPools lets a function ask the pools what the cloud lets it ask, unless its
// own variables say where they are.
func (x *functionOf) reachPools(variables map[string]string) {
	if x.environment.Pool == nil || x.address == "" || variables["AWS_ENDPOINT_URL"] != "" {
		return
	}
	for _, name := range []string{"AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER", "AWS_ENDPOINT_URL_COGNITO_IDENTITY"} {
		if variables[name] == "" {
			variables[name] = x.address
		}
	}
}
