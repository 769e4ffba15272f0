package identitypool_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/sandbox/identity/identitypool"
	"gatewright/sandbox/identity/pool"
	"gatewright/sandbox/identity/token"
)

func TestInvalidInputsAreRefused(t *testing.T) {
	t.Parallel()
	w := newFixture(t, dev())
	for name, try := range map[string]struct{ operation, in, code, says string }{
		"nothing":               {"GetId", ``, "SerializationException", "The input is not a JSON object of this operation"},
		"no JSON":               {"GetId", `IdentityPoolId=x`, "SerializationException", "The input is not a JSON object of this operation"},
		"a list":                {"GetId", `[]`, "SerializationException", "The input is not a JSON object of this operation"},
		"a name twice":          {"GetId", `{"IdentityPoolId":"a","IdentityPoolId":"b"}`, "SerializationException", ""},
		"more behind it":        {"GetId", `{}{}`, "SerializationException", ""},
		"very much":             {"GetId", `{"a":"` + strings.Repeat("x", 4*token.Longest) + `"}`, "SerializationException", "too long"},
		"no id":                 {"GetId", `{}`, "ValidationException", "'identityPoolId' failed to satisfy constraint: Member must not be null"},
		"null":                  {"GetId", `null`, "ValidationException", "Member must not be null"},
		"a long id":             {"GetId", `{"IdentityPoolId":"eu-west-1:` + strings.Repeat("a", 60) + `"}`, "ValidationException", "less than or equal to 55"},
		"an id with controls":   {"GetId", `{"IdentityPoolId":"eu-west-1:a\u001b[2J"}`, "ValidationException", "regular expression pattern"},
		"an id with a line":     {"GetId", `{"IdentityPoolId":"eu-west-1:a\n"}`, "ValidationException", "regular expression pattern"},
		"an unknown pool":       {"GetId", `{"IdentityPoolId":"eu-west-1:0"}`, "ResourceNotFoundException", "IdentityPool 'eu-west-1:0' not found."},
		"no identity":           {"GetCredentialsForIdentity", `{}`, "ValidationException", "'identityId'"},
		"a strange identity":    {"GetOpenIdToken", `{"IdentityId":"x"}`, "ValidationException", "regular expression pattern"},
		"another operation":     {"CreateIdentityPool", `{}`, "UnsupportedOperationException", "The sandbox does not serve CreateIdentityPool"},
		"an unknown operation":  {"Get\u001bId", `{}`, "UnknownOperationException", ""},
		"no operation":          {"", `{}`, "UnknownOperationException", ""},
		"an unknown pool's":     {"DescribeIdentityPool", `{"IdentityPoolId":"eu-west-1:0"}`, "ResourceNotFoundException", "not found"},
		"an unknown pool's own": {"GetIdentityPoolRoles", `{"IdentityPoolId":"eu-west-1:0"}`, "ResourceNotFoundException", "not found"},
		"an unknown identity":   {"DescribeIdentity", `{"IdentityId":"eu-west-1:0"}`, "ResourceNotFoundException", "Identity 'eu-west-1:0' not found."},
		"a pool without an id":  {"DescribeIdentityPool", `{}`, "ValidationException", "'identityPoolId' failed to satisfy constraint: Member must not be null"},
		"roles without an id":   {"GetIdentityPoolRoles", `{"IdentityPoolId":"x"}`, "ValidationException", "'identityPoolId'"},
		"nobody's identity":     {"DescribeIdentity", `{}`, "ValidationException", "'identityId' failed to satisfy constraint: Member must not be null"},
		"fewer than none":       {"ListIdentityPools", `{"MaxResults":-1}`, "ValidationException", "'maxResults' failed to satisfy constraint: Member must have value between 1 and 60"},
		"too many":              {"ListIdentityPools", `{"MaxResults":61}`, "ValidationException", "between 1 and 60"},
		"none":                  {"ListIdentityPools", `{}`, "ValidationException", "between 1 and 60"},
	} {
		out, err := w.identities.Do(context.Background(), try.operation, []byte(try.in))
		got := refused(t, err, try.code)
		if !strings.Contains(got, try.says) || len(got) > 250 || strings.ContainsRune(got, 0x1b) || out != nil {
			t.Errorf("%s: %q %s", name, got, out)
		}
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := w.identities.Do(ended, "GetId", []byte(`{}`)); err == nil || strings.Contains(err.Error(), "Exception") {
		t.Errorf("the caller's user does not exist: %v", err)
	}
}

func TestPublicOperationsAreTheClouds(t *testing.T) {
	t.Parallel()
	for operation, want := range map[string]bool{
		"GetId": true, "GetCredentialsForIdentity": true, "GetOpenIdToken": true, "DescribeIdentity": false, "DescribeIdentityPool": false,
		"ListIdentityPools": false, "GetIdentityPoolRoles": false, "CreateIdentityPool": false, "getid": false, "": false,
	} {
		if got := identitypool.IsPublic(operation); got != want {
			t.Errorf("%s is public: %v", operation, got)
		}
	}
}

func TestPoolsAndIdentitiesAreDescribedAsTheyAre(t *testing.T) {
	t.Parallel()
	w := newFixture(t, dev(), guestless(qa()))
	w.addUser(dev(), "ada")
	member, guest := w.member(dev(), w.signIn(dev(), "ada").ID).IdentityID, w.guest(dev()).IdentityID
	now := w.clock.Now().Unix()
	const from = "cognito-idp.eu-west-1.amazonaws.com/eu-west-1_AbCdEfGhI"
	for name, try := range map[string]struct{ operation, in, want string }{
		"a pool": {
			"DescribeIdentityPool", fmt.Sprintf(`{"IdentityPoolId":%q}`, dev().IdentityPoolID),
			fmt.Sprintf(`{"IdentityPoolId":%q,"IdentityPoolName":"dev","AllowUnauthenticatedIdentities":true,"AllowClassicFlow":false,
				"CognitoIdentityProviders":[{"ProviderName":%q,"ClientId":%q,"ServerSideTokenCheck":true}]}`, dev().IdentityPoolID, from, dev().ClientID),
		},
		"a pool without guests": {
			"DescribeIdentityPool", fmt.Sprintf(`{"IdentityPoolId":%q}`, qa().IdentityPoolID),
			fmt.Sprintf(`{"IdentityPoolId":%q,"IdentityPoolName":"qa","AllowUnauthenticatedIdentities":false,"AllowClassicFlow":false,
				"CognitoIdentityProviders":[{"ProviderName":"cognito-idp.us-east-2.amazonaws.com/us-east-2_JkLmNoPqR","ClientId":%q,"ServerSideTokenCheck":true}]}`, qa().IdentityPoolID, qa().ClientID),
		},
		"roles": {
			"GetIdentityPoolRoles", fmt.Sprintf(`{"IdentityPoolId":%q}`, dev().IdentityPoolID),
			fmt.Sprintf(`{"IdentityPoolId":%q,"Roles":{"authenticated":"arn:aws:iam::123456789012:role/eu-west-1_AbCdEfGhI-authRole",
				"unauthenticated":"arn:aws:iam::123456789012:role/eu-west-1_AbCdEfGhI-unauthRole"},
				"RoleMappings":{%q:{"Type":"Token","AmbiguousRoleResolution":"AuthenticatedRole"}}}`, dev().IdentityPoolID, from+":"+dev().ClientID),
		},
		"a user's identity": {
			"DescribeIdentity", fmt.Sprintf(`{"IdentityId":%q}`, member),
			fmt.Sprintf(`{"IdentityId":%q,"Logins":[%q],"CreationDate":%d,"LastModifiedDate":%d}`, member, from, now, now),
		},
		"a guest's identity": {"DescribeIdentity", fmt.Sprintf(`{"IdentityId":%q}`, guest), fmt.Sprintf(`{"IdentityId":%q}`, guest)},
	} {
		out, err := w.identities.Do(context.Background(), try.operation, []byte(try.in))
		w.must(err)
		if diff := cmp.Diff(parsed(t, try.want), parsed(t, string(out))); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}

func TestASharedPoolIsDescribedWithTheUsersOfAllItsEnvironments(t *testing.T) {
	t.Parallel()
	stage, copied := qa(), dev()
	stage.IdentityPoolID, copied.Environment = dev().IdentityPoolID, "copy"
	w := newFixture(t, dev(), stage, copied)
	const first, second = "cognito-idp.eu-west-1.amazonaws.com/eu-west-1_AbCdEfGhI", "cognito-idp.us-east-2.amazonaws.com/us-east-2_JkLmNoPqR"
	for operation, want := range map[string]string{
		"DescribeIdentityPool": fmt.Sprintf(`{"IdentityPoolId":%q,"IdentityPoolName":"dev","AllowUnauthenticatedIdentities":true,"AllowClassicFlow":false,"CognitoIdentityProviders":[
			{"ProviderName":%q,"ClientId":%q,"ServerSideTokenCheck":true},{"ProviderName":%q,"ClientId":%q,"ServerSideTokenCheck":true}]}`,
			dev().IdentityPoolID, first, dev().ClientID, second, qa().ClientID),
		"GetIdentityPoolRoles": fmt.Sprintf(`{"IdentityPoolId":%q,"Roles":{"authenticated":"arn:aws:iam::123456789012:role/eu-west-1_AbCdEfGhI-authRole",
			"unauthenticated":"arn:aws:iam::123456789012:role/eu-west-1_AbCdEfGhI-unauthRole"},"RoleMappings":{
			%q:{"Type":"Token","AmbiguousRoleResolution":"AuthenticatedRole"},%q:{"Type":"Token","AmbiguousRoleResolution":"AuthenticatedRole"}}}`,
			dev().IdentityPoolID, first+":"+dev().ClientID, second+":"+qa().ClientID),
	} {
		out, err := w.identities.Do(context.Background(), operation, fmt.Appendf(nil, `{"IdentityPoolId":%q}`, dev().IdentityPoolID))
		w.must(err)
		if diff := cmp.Diff(parsed(t, want), parsed(t, string(out))); diff != "" {
			t.Errorf("%s:\n%s", operation, diff)
		}
	}
	// A guest is one of every environment of the pool, a user only where their user pool is.
	w.addUser(stage, "ada")
	guest, member := w.guest(dev()), w.member(stage, w.signIn(stage, "ada").ID)
	if s, err := w.session("qa", guest); err != nil || s.IdentityID != guest.IdentityID || s.Pool.Environment != "qa" {
		t.Errorf("a guest of a shared pool: %+v, %v", s, err)
	}
	if _, err := w.session("qa", member); err != nil {
		t.Errorf("a user where they are: %v", err)
	}
	_, err := w.session("dev", member)
	refused(t, err, "UnrecognizedClientException")
	out, err := w.identities.Do(context.Background(), "DescribeIdentity", fmt.Appendf(nil, `{"IdentityId":%q}`, member.IdentityID))
	w.must(err)
	if !strings.Contains(string(out), `"Logins":["`+second+`"]`) {
		t.Errorf("the user's provider is not theirs: %s", out)
	}
}

func TestIdentityPoolsAreListedByPages(t *testing.T) {
	t.Parallel()
	var pools []pool.Pool
	for i := range 7 {
		each := dev()
		each.Environment, each.IdentityPoolID, each.UserPoolID = fmt.Sprintf("env%d", i), fmt.Sprintf("eu-west-1:%d", i), fmt.Sprintf("eu-west-1_%d", i)
		pools = append([]pool.Pool{each}, pools...)
	}
	shared := pools[0]
	shared.Environment = "shared"
	w := newFixture(t, append(pools, shared)...)
	for _, size := range []int{1, 2, 3, 7, 60} {
		var names []string
		for next, more := "", true; more; {
			var page struct {
				IdentityPools []struct{ IdentityPoolName string }
				NextToken     string
			}
			out, err := w.identities.Do(context.Background(), "ListIdentityPools", fmt.Appendf(nil, `{"MaxResults":%d,"NextToken":%q}`, size, next))
			w.must(err)
			w.must(json.Unmarshal(out, &page))
			if len(page.IdentityPools) > size {
				t.Fatalf("a page of %d has %d", size, len(page.IdentityPools))
			}
			for _, each := range page.IdentityPools {
				names = append(names, each.IdentityPoolName)
			}
			next, more = page.NextToken, page.NextToken != ""
		}
		if got, want := strings.Join(names, " "), "env0 env1 env2 env3 env4 env5 env6"; got != want {
			t.Errorf("by %d: %s", size, got)
		}
	}
}

func parsed(t *testing.T, text string) (v any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	return v
}
