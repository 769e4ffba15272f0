package aws

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"gatewright/deploy/account"
	"gatewright/internal/cfn"
	"gatewright/internal/clock"
	"gatewright/internal/text/phrase"
	"gatewright/model"
)

// describedPool is a user pool as the service describes it, see
// https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_UserPoolType.html
type describedPool struct {
	ID, Name                            string
	CreationDate                        float64
	EstimatedNumberOfUsers              int
	UsernameAttributes, AliasAttributes []string
	UsernameConfiguration               *struct{ CaseSensitive bool }
	SchemaAttributes                    []model.SchemaAttribute
	UserPoolTags                        map[string]string
}

// mark tells a pool from another one.
func (p describedPool) mark() string { return fmt.Sprintf("%s %f", p.ID, p.CreationDate) }

// userPool looks for the user pools that earlier deployments of the environment left behind. A pool has no name of
// its own, so its tags say whose it is. One that a stack has is nobody's to take over, and in nobody's way.
func (s *survey) userPool(m cfn.Member) error {
	pools, err := s.userPools()
	if err = s.denied("a user pool", err); err != nil {
		return err
	}
	if chosen := s.options.AdoptPool; chosen != "" {
		pools = slices.DeleteFunc(pools, func(p describedPool) bool { return p.ID != chosen })
	}
	for _, p := range pools {
		f := s.named(m, p.ID)
		f.mark = p.mark()
		f.Text = fmt.Sprintf("%s, made %s", phrase.Count(p.EstimatedNumberOfUsers, "user"),
			clock.Moment(secondsOf(p.CreationDate)))
		switch {
		case len(pools) > 1:
			f.Cannot = fmt.Sprintf("%d user pools match", len(pools))
			f.Fix = "choose one with --adopt-pool ID, or remove the ones that nobody needs"
		default:
			f.Cannot = p.differs(m.Value)
			f.Fix = "change the definition to match the pool, or remove the pool, or rename the environment"
		}
		if f.Cannot == "" {
			f.Fix = ""
		}
		properties := cfn.MapNode()
		for _, fixed := range []string{
			"UserPoolName", "UsernameConfiguration", "AliasAttributes", "UsernameAttributes",
			"Schema",
		} {
			properties.With(fixed, m.Value.Get("Properties", fixed))
		}
		s.taken(f, m, map[string]string{"UserPoolId": p.ID}, properties)
	}
	if len(pools) != 1 {
		return nil
	}
	if err := s.denied("the groups of the user pool "+pools[0].ID, s.groups(pools[0].ID)); err != nil {
		return err
	}
	return s.denied("an identity pool", s.identityPool(pools[0].ID))
}

// userPools lists the pools that could be meant.
func (s *survey) userPools() ([]describedPool, error) {
	ids, err := s.ofEnvironment(account.Users, "ListUserPools")
	if err != nil {
		return nil, err
	}
	if chosen := s.options.AdoptPool; chosen != "" && !slices.Contains(ids, chosen) {
		ids = append(ids, chosen)
	}
	want := s.tags()
	var pools []describedPool
	for _, id := range ids {
		p, there, err := s.cloud.describePool(s.ctx, id)
		ours := p.UserPoolTags[applicationTag] == want[applicationTag] &&
			p.UserPoolTags[environmentTag] == want[environmentTag]
		owner := ""
		if err == nil && there && ours {
			owner, err = s.owner(userPoolType, id, p.UserPoolTags)
		}
		if err != nil {
			return nil, err
		}
		wrong := &model.Problem{
			Of: s.of(), Text: "the user pool " + phrase.Quote(id), Fix: "give --adopt-pool the id of another one",
		}
		switch {
		case !there:
			wrong.Text = "the account has no user pool " + phrase.Quote(id) + " in " + s.Region
		case !ours:
			wrong.Text += " does not have the tags of this environment, so it belongs to somebody else"
			wrong.Fix += ", or tag that pool with " + applicationTag + "=" + want[applicationTag] + " and " + environmentTag +
				"=" + want[environmentTag]
		case owner != "":
			wrong.Text += " belongs to the stack " + owner
		default:
			pools = append(pools, p)
			continue
		}
		if id == s.options.AdoptPool {
			return nil, wrong
		}
	}
	return pools, nil
}

// ofEnvironment lists the ids of user pools or identity pools whose names end in that of the environment. The rest of a
// name is that of the project, which may have changed.
func (s *survey) ofEnvironment(service account.Service, operation string) ([]string, error) {
	type named struct{ ID, IdentityPoolID, Name, IdentityPoolName string }
	return listAll(s.ctx, s.cloud.Account, service, operation, map[string]any{"MaxResults": mostListed},
		func(page struct {
			UserPools, IdentityPools []named
			NextToken                string
		},
		) (ids []string, next string) {
			for _, p := range append(page.UserPools, page.IdentityPools...) {
				if strings.HasSuffix(p.Name+p.IdentityPoolName, "-"+s.Environment.Name) {
					ids = append(ids, p.ID+p.IdentityPoolID)
				}
			}
			return ids, page.NextToken
		})
}

// describePool describes a user pool, if it is there.
func (c *session) describePool(ctx context.Context, id string) (p describedPool, there bool, err error) {
	var out struct{ UserPool describedPool }
	there, err = isThere(c.Ask(ctx, account.Users, "DescribeUserPool", map[string]any{"UserPoolId": id}, &out))
	return out.UserPool, there, err
}

// differs says what of a pool the definition has otherwise and no update can change; "" for nothing.
func (p describedPool) differs(wanted *cfn.Node) string {
	for _, list := range []struct {
		property, text string
		has            []string
	}{
		{"UsernameAttributes", "its users sign in with", p.UsernameAttributes},
		{"AliasAttributes", "its users may also sign in with", p.AliasAttributes},
	} {
		var want []string
		if n := wanted.Get("Properties", list.property); n != nil {
			for _, item := range n.Items {
				want = append(want, item.Text)
			}
		}
		if has := slices.Sorted(slices.Values(list.has)); !slices.Equal(has, slices.Sorted(slices.Values(want))) {
			return fmt.Sprintf("%s %s, in the definition with %s, which a pool cannot change", list.text, someOf(has, "a name"),
				someOf(want, "a name"))
		}
	}
	if p.UsernameConfiguration == nil || p.UsernameConfiguration.CaseSensitive {
		return "its user names are case-sensitive, which a definition cannot express"
	}
	custom := schemaOf(wanted)
	for i, a := range custom {
		if !a.Required {
			custom[i].Name = model.CustomPrefix + a.Name
		}
	}
	has, hasCustom := parts(p.SchemaAttributes)
	want, wantCustom := parts(custom)
	if !slices.Equal(has, want) {
		return fmt.Sprintf("it requires %s of users, the definition %s, which a pool cannot change", someOf(has, "nothing"),
			someOf(want, "nothing"))
	}
	if !slices.Equal(hasCustom, wantCustom) {
		return fmt.Sprintf("its users have the custom attributes %s, in the definition %s, which a pool cannot change",
			someOf(hasCustom, "none"), someOf(wantCustom, "none"))
	}
	return ""
}

// schemaOf reads the attributes of the users of a pool from its template.
func schemaOf(pool *cfn.Node) (list []model.SchemaAttribute) {
	if n := pool.Get("Properties", "Schema"); n != nil {
		_ = json.Unmarshal(n.Minified(), &list)
	}
	return list
}

// parts are the names of the attributes that a sign-up requires, and what the custom ones are.
func parts(all []model.SchemaAttribute) (required, custom []string) {
	for _, a := range all {
		switch name, own := strings.CutPrefix(a.Name, model.CustomPrefix); {
		case a.Required && name != "sub":
			required = append(required, name)
		case own:
			custom = append(custom, name+"="+a.Custom().String())
		}
	}
	slices.Sort(required)
	slices.Sort(custom)
	return required, custom
}

// someOf lists names, or says that there are none.
func someOf(names []string, none string) string {
	if len(names) == 0 {
		return none
	}
	return phrase.QuoteList(names)
}

// groups adds the groups of a pool, in which its users stay. Those of the pool alone are told.
func (s *survey) groups(pool string) error {
	all, err := groupsOf(s.ctx, s.cloud.Account, pool)
	if err != nil {
		return err
	}
	known := make(map[string]bool)
	for _, m := range s.made.Root.Get("Resources").Members {
		if m.Value.Get("Type").Text != groupType {
			continue
		}
		name := property(m, "GroupName")
		i := slices.IndexFunc(all, func(g describedGroup) bool { return g.GroupName == name })
		if i < 0 {
			continue
		}
		known[name] = true
		properties := cfn.MapNode().WithText("GroupName", name).With("UserPoolId", m.Value.Get("Properties", "UserPoolId"))
		if all[i].Description != "" {
			properties.WithText("Description", all[i].Description)
		}
		f := s.named(m, name)
		f.Text = "with its members"
		s.taken(f, m, map[string]string{"UserPoolId": pool, "GroupName": name}, properties)
	}
	for _, g := range all {
		if !known[g.GroupName] {
			s.told = append(s.told, "the user pool "+pool+" has the group "+phrase.Quote(g.GroupName)+
				", which the definition does not have: it stays in the pool, and grants nothing")
		}
	}
	return nil
}

// describedIdentityPool is an identity pool, see
// https://docs.aws.amazon.com/cognitoidentity/latest/APIReference/API_DescribeIdentityPool.html
type describedIdentityPool struct {
	IdentityPoolID, IdentityPoolName string
	AllowUnauthenticatedIdentities   bool
	CognitoIdentityProviders         []struct{ ProviderName string }
}

// identityPool adds the identity pool of a user pool, so that users and guests keep their identities.
func (s *survey) identityPool(pool string) error {
	resources := s.made.Root.Get("Resources").Members
	at := slices.IndexFunc(resources, func(m cfn.Member) bool { return m.Value.Get("Type").Text == identityPoolType })
	if at < 0 || s.old.Root.Get("Resources", resources[at].Name) != nil {
		return nil
	}
	m := resources[at]
	ids, err := s.ofEnvironment(account.Identities, "ListIdentityPools")
	if err != nil {
		return err
	}
	var all []describedIdentityPool
	for _, id := range ids {
		var p describedIdentityPool
		there, err := isThere(s.cloud.Ask(s.ctx, account.Identities, "DescribeIdentityPool",
			map[string]any{"IdentityPoolId": id}, &p))
		if err != nil {
			return err
		}
		if !there || !slices.ContainsFunc(p.CognitoIdentityProviders, func(provider struct{ ProviderName string }) bool {
			return strings.HasSuffix(provider.ProviderName, "/"+pool)
		}) {
			continue
		}
		owner, err := s.owner(identityPoolType, id, nil)
		if err != nil {
			return err
		}
		if owner == "" {
			all = append(all, p)
		}
	}
	switch len(all) {
	case 0:
		s.told = append(s.told, "the user pool "+pool+" no longer has an identity pool, and gets a new one")
	case 1:
		f := s.named(m, all[0].IdentityPoolID)
		f.Text = "with the identities of users and guests"
		s.taken(f, m, map[string]string{"Id": all[0].IdentityPoolID},
			cfn.MapNode().WithBool("AllowUnauthenticatedIdentities", all[0].AllowUnauthenticatedIdentities))
	default:
		s.told = append(s.told,
			fmt.Sprintf("%d identity pools use the user pool %s; none is adopted, and users get new identities in a new "+
				"one", len(all), pool))
	}
	return nil
}

// describedGroup is a group of a user pool, see
// https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_GroupType.html
type describedGroup struct {
	GroupName, Description, RoleArn string
	Precedence                      *int
}

// groupsOf lists the groups of a user pool.
func groupsOf(ctx context.Context, a *account.Account, pool string) ([]describedGroup, error) {
	return listAll(ctx, a, account.Users, "ListGroups", map[string]any{"UserPoolId": pool, "Limit": mostListed},
		func(page struct {
			Groups    []describedGroup
			NextToken string
		},
		) ([]describedGroup, string) {
			return page.Groups, page.NextToken
		})
}

// mostListed is how many things a page of a list of Amazon Cognito has at most.
const mostListed = 60

// listAll collects what all pages of a list have.
func listAll[Page, T any](
	ctx context.Context, a *account.Account, service account.Service, operation string, in map[string]any,
	read func(Page) (items []T, next string),
) ([]T, error) {
	var all []T
	for {
		var page Page
		if err := a.Ask(ctx, service, operation, in, &page); err != nil {
			return nil, err
		}
		items, next := read(page)
		all = append(all, items...)
		if next == "" {
			return all, nil
		}
		in["NextToken"] = next
	}
}
