package userpool

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/sandbox/identity/pool"
	"gatewright/sandbox/identity/userpool/record"
)

// fixedClaims are claims that no function changes, see
// https://docs.aws.amazon.com/cognito/latest/developerguide/user-pool-lambda-pre-token-generation.html
// The claims of groups are changed by groupOverrideDetails alone.
var fixedClaims = []string{
	"acr", "amr", "at_hash", "aud", "auth_time", "azp", "client_id", "cognito:groups", "cognito:preferred_role",
	"cognito:roles", "cognito:username", "device_key",
	"event_id", "exp", "iat", "identities", "iss", "jti", "nbf", "nonce", "origin_jti", "scope", "sub", "token_use",
	"username", "version",
}

// claimChanges are what a function changes in one token.
type claimChanges struct {
	Add            map[string]jsontext.Value `json:"claimsToAddOrOverride"`
	Suppress       []string                  `json:"claimsToSuppress"`
	AddScopes      []string                  `json:"scopesToAdd"`
	SuppressScopes []string                  `json:"scopesToSuppress"`
}

// groupChanges replace the groups of a token.
type groupChanges struct {
	Groups    []string `json:"groupsToOverride"`
	Roles     []string `json:"iamRolesToOverride"`
	Preferred string   `json:"preferredRole"`
}

// tokenChanges are what a function changes in the tokens of a sign-in.
type tokenChanges struct {
	id, access claimChanges
	// groups is nil if they stay.
	groups *groupChanges
}

// beforeTokens asks the trigger for changes of tokens.
func (p *Pools) beforeTokens(o occasion, source string, u *record.User) (changes tokenChanges, err error) {
	at := model.PreTokenGeneration
	if !hasTrigger(o.pool, at) {
		at = model.PreTokenGenerationV2
	}
	if !hasTrigger(o.pool, at) {
		return changes, nil
	}
	groups := append([]string{}, o.pool.GroupsOf(u.Groups)...)
	roles := groupRoles(o.pool, groups)
	configuration := map[string]any{"groupsToOverride": groups, "iamRolesToOverride": roles, "preferredRole": nil}
	if len(roles) > 0 {
		configuration["preferredRole"] = roles[0]
	}
	m := moment{
		at: at, source: source, userName: u.Name,
		request:  map[string]any{"userAttributes": eventAttributes(u, o.pool), "groupConfiguration": configuration},
		response: map[string]any{"claimsOverrideDetails": nil},
	}
	if at == model.PreTokenGenerationV2 {
		m.request["scopes"] = []string{scope}
		m.response = map[string]any{"claimsAndScopeOverrideDetails": nil}
	}
	var given struct {
		First *struct {
			claimChanges
			Groups jsontext.Value `json:"groupOverrideDetails"`
		} `json:"claimsOverrideDetails"`
		Second *struct {
			ID     claimChanges   `json:"idTokenGeneration"`
			Access claimChanges   `json:"accessTokenGeneration"`
			Groups jsontext.Value `json:"groupOverrideDetails"`
		} `json:"claimsAndScopeOverrideDetails"`
	}
	err = p.call(o, m, &given)
	switch {
	case err != nil:
	case at == model.PreTokenGenerationV2 && given.Second != nil:
		changes.id, changes.access = given.Second.ID, given.Second.Access
		changes.groups, err = readGroups(given.Second.Groups)
	case at == model.PreTokenGeneration && given.First != nil:
		// This version changes the id token, and claims that are texts.
		changes.id = given.First.claimChanges
		if err = changes.id.asTexts(); err == nil {
			changes.groups, err = readGroups(given.First.Groups)
		}
	}
	return changes, err
}

// readGroups reads groupOverrideDetails: an empty object and null remove the groups.
func readGroups(text jsontext.Value) (*groupChanges, error) {
	if text == nil {
		return nil, nil
	}
	groups := &groupChanges{}
	if err := json.Unmarshal(text, groups); err != nil {
		return nil, errOutput.Because(err)
	}
	return groups, nil
}

// asTexts makes texts of numbers and booleans, and refuses objects and lists.
func (c *claimChanges) asTexts() error {
	for name, value := range c.Add {
		switch value.Kind() {
		case '"', 'n':
		case '0', 't', 'f':
			c.Add[name], _ = jsontext.AppendQuote(nil, value)
		default:
			return errOutput.Because(fmt.Errorf("the claim %q is not a text", name))
		}
	}
	return nil
}

// isFixed reports whether a claim stays as it is.
func isFixed(name string) bool {
	return slices.Contains(fixedClaims, name) || strings.HasPrefix(name, "dev:")
}

// apply changes the claims of a token.
func (c claimChanges) apply(claims map[string]any) error {
	for _, name := range c.Suppress {
		if !isFixed(name) {
			delete(claims, name)
		}
	}
	for name, text := range c.Add {
		if isFixed(name) || text.Kind() == 'n' {
			continue
		}
		var value any
		if err := json.Unmarshal(text, &value); err != nil {
			return errOutput.Because(errors.Join(fmt.Errorf("the claim %q", name), err))
		}
		claims[name] = value
	}
	if len(c.AddScopes) == 0 && len(c.SuppressScopes) == 0 {
		return nil
	}
	before, _ := claims["scope"].(string)
	var scopes []string
	for _, each := range slices.Concat(strings.Fields(before), c.AddScopes) {
		if each != "" && !strings.ContainsAny(each, " \t\r\n") && !slices.Contains(scopes, each) &&
			!slices.Contains(c.SuppressScopes, each) {
			scopes = append(scopes, each)
		}
	}
	claims["scope"] = strings.Join(scopes, " ")
	return nil
}

// apply replaces the claims about groups in both tokens.
func (g *groupChanges) apply(access, id map[string]any) {
	if g == nil {
		return
	}
	for _, claims := range []map[string]any{access, id} {
		maps.DeleteFunc(claims, func(name string, _ any) bool {
			return name == "cognito:groups" || name == "cognito:roles" || name == "cognito:preferred_role"
		})
		if len(g.Groups) > 0 {
			claims["cognito:groups"] = g.Groups
		}
	}
	if len(g.Roles) > 0 {
		id["cognito:roles"] = g.Roles
	}
	if g.Preferred != "" {
		id["cognito:preferred_role"] = g.Preferred
	}
}

// roleGroups are the groups whose roles an id token gives: the preferred one, else the only
// one. Of several roles without a preferred one none is given, see
// https://docs.aws.amazon.com/cognito/latest/developerguide/role-based-access-control.html
func roleGroups(cfg pool.Pool, claims map[string]any) []string {
	named := func(role any, group string) bool {
		text, _ := role.(string)
		// The account in the ARN may have changed since.
		_, name, _ := strings.Cut(text, ":role/")
		return name == cfg.RoleName(access.Principal{Kind: access.Group, Group: group})
	}
	roles, _ := claims["cognito:roles"].([]any)
	preferred, prefers := claims["cognito:preferred_role"].(string)
	var groups []string
	for _, group := range cfg.Groups {
		if slices.ContainsFunc(roles, func(role any) bool { return named(role, group) }) {
			groups = append(groups, group)
		}
	}
	if !prefers {
		if len(roles) > 1 {
			return nil
		}
		return groups
	}
	at := slices.IndexFunc(cfg.Groups, func(group string) bool { return named(preferred, group) })
	switch {
	case at < 0:
		return nil
	case len(groups) > 0 && groups[0] == cfg.Groups[at]:
		return groups
	}
	return []string{cfg.Groups[at]}
}
