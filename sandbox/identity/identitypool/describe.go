package identitypool

import (
	"maps"
	"slices"
	"strconv"

	"gatewright/model/access"
	"gatewright/sandbox/constraint"
	"gatewright/sandbox/identity/pool"
)

// mostListed is how many identity pools the cloud lists on a page at most.
const mostListed = 60

// describeIdentity describes an identity. The description of a guest's has only the id.
func (p *Pools) describeIdentity(in input) (any, error) {
	if err := checkID("identityId", in.IdentityID); err != nil {
		return nil, err
	}
	pools, owner, owned, err := p.poolOf(in.IdentityID)
	if err != nil {
		return nil, err
	}
	answer := map[string]any{"IdentityId": in.IdentityID}
	if owned {
		cfg := pools[0]
		cfg.UserPoolID = owner.UserPoolID
		answer["Logins"] = []string{provider(cfg)}
		answer["CreationDate"], answer["LastModifiedDate"] = owner.Created.Unix(), owner.Created.Unix()
	}
	return answer, nil
}

// poolsNamed are the pools with the id in an operation's input.
func (p *Pools) poolsNamed(in input) ([]pool.Pool, error) {
	if err := checkID("identityPoolId", in.IdentityPoolID); err != nil {
		return nil, err
	}
	return p.ofID(in.IdentityPoolID)
}

func (p *Pools) describePool(in input) (any, error) {
	pools, err := p.poolsNamed(in)
	if err != nil {
		return nil, err
	}
	providers := []any{}
	for _, cfg := range pools {
		for _, id := range cfg.Clients() {
			entry := map[string]any{"ProviderName": provider(cfg), "ClientId": id, "ServerSideTokenCheck": true}
			if !slices.ContainsFunc(providers, func(other any) bool { return maps.Equal(other.(map[string]any), entry) }) {
				providers = append(providers, entry)
			}
		}
	}
	return map[string]any{
		"IdentityPoolId": in.IdentityPoolID, "IdentityPoolName": pools[0].Environment,
		"AllowUnauthenticatedIdentities": pools[0].GuestsEnabled(),
		"AllowClassicFlow":               false, "CognitoIdentityProviders": providers,
	}, nil
}

func (p *Pools) describeRoles(in input) (any, error) {
	pools, err := p.poolsNamed(in)
	if err != nil {
		return nil, err
	}
	mappings := make(map[string]any)
	for _, cfg := range pools {
		for _, id := range cfg.Clients() {
			mappings[provider(cfg)+":"+id] = map[string]any{
				"Type":                    "Token",
				"AmbiguousRoleResolution": "AuthenticatedRole",
			}
		}
	}
	return map[string]any{
		"IdentityPoolId": in.IdentityPoolID, "RoleMappings": mappings,
		"Roles": map[string]any{
			"authenticated":   pools[0].RoleARN(access.Principal{Kind: access.Authenticated}),
			"unauthenticated": pools[0].RoleARN(access.Principal{Kind: access.Guest}),
		},
	}, nil
}

// listPools lists identity pools by id. NextToken is the last id of the previous page.
func (p *Pools) listPools(in input) (any, error) {
	if in.MaxResults < 1 || in.MaxResults > mostListed {
		v := constraint.Violations{HideValues: true}
		v.AddWithoutValue("maxResults", "Member must have value between 1 and "+strconv.Itoa(mostListed))
		return nil, invalid(&v)
	}
	current := p.served.Load()
	pools := []any{}
	for i, id := range current.ids {
		if id <= in.NextToken {
			continue
		}
		pools = append(pools, map[string]any{"IdentityPoolId": id, "IdentityPoolName": current.ofID[id][0].Environment})
		if len(pools) == in.MaxResults && i+1 < len(current.ids) {
			return map[string]any{"IdentityPools": pools, "NextToken": id}, nil
		}
	}
	return map[string]any{"IdentityPools": pools}, nil
}
