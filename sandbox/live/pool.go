package live

import (
	"gatewright/model"
)

// pools returns what values may refer to of the environment's pools.
func (x *specMaker) pools() map[string]string {
	p := x.environment.Pool
	if p == nil {
		return nil
	}
	return map[string]string{
		model.UserPoolIDVariable: p.UserPoolID, model.UserPoolClientVariable: p.ClientID,
		model.IdentityPoolVariable: p.IdentityPoolID,
		model.UserPoolARNVariable: model.ARN("cognito-idp", model.PoolRegion(p.UserPoolID), p.AccountID,
			"userpool/"+p.UserPoolID),
	}
}

// reachPools adds the endpoint of the pools to a function's variables, unless it has
// one of its own.
func (x *specMaker) reachPools(variables map[string]string) {
	if x.environment.Pool == nil || x.address == "" || variables["AWS_ENDPOINT_URL"] != "" {
		return
	}
	for _, name := range []string{"AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER", "AWS_ENDPOINT_URL_COGNITO_IDENTITY"} {
		if variables[name] == "" {
			variables[name] = x.address
		}
	}
}
