package live_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"gatewright/deploy/deploytest"
	"gatewright/deploy/outputs"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/edit"
	"gatewright/project/amplify"
	"gatewright/sandbox"
	"gatewright/sandbox/live"
)

// grouped returns a path that members of groups may read.
func grouped(name, function string, groups ...string) *access.Path {
	rules := access.Access{Setting: access.Private}
	for _, g := range groups {
		rules = rules.With(access.Principal{Kind: access.Group, Group: g}, access.ActionSet(access.Read))
	}
	return &access.Path{Name: name, Function: function, Access: rules}
}

func TestThePoolOfAnEnvironmentIsThatOfItsClientConfigurationFile(t *testing.T) {
	t.Parallel()
	b := deploytest.Shop(t)
	if p, err := outputs.PoolOf(b, b.Environment("dev")); p != nil || err != nil {
		t.Errorf("a backend of open paths has the pool %+v, %v", p, err)
	}
	deploytest.Must(t, edit.AddGroup(b, "Admins"))
	deploytest.Must(t, edit.SetAuth(b, &model.Auth{UsernameAttributes: []string{"email"}, MFAConfiguration: "OPTIONAL"}))
	// An output adds a field to the section auth.
	deploytest.Must(t, edit.AddOutput(b, model.Outputs{"auth": map[string]any{"mfa_methods": []any{"TOTP"}, "identity_pool_id": "eu-west-1:one"}}))
	dev, err := outputs.PoolOf(b, b.Environment("dev"))
	deploytest.Must(t, err)
	prod, err := outputs.PoolOf(b, b.Environment("prod"))
	deploytest.Must(t, err)
	d := dev.Definition
	if !slices.Equal(d.UsernameAttributes, []string{"email"}) || d.MFAConfiguration != "OPTIONAL" || !slices.Equal(d.MFAMethods, []string{"TOTP"}) || !dev.GuestsEnabled() {
		t.Errorf("its rules are %+v", d)
	}
	if dev.IdentityPoolID != "eu-west-1:one" || !slices.Equal(dev.Groups, []string{"Admins"}) || dev.Region != "eu-west-1" {
		t.Errorf("it is %+v", dev)
	}
	if dev.UserPoolID == prod.UserPoolID || dev.ClientID == prod.ClientID || !strings.HasPrefix(dev.UserPoolID, "eu-west-1_") {
		t.Errorf("two environments have the pools %q and %q", dev.UserPoolID, prod.UserPoolID)
	}
	again, err := outputs.PoolOf(b, b.Environment("dev"))
	deploytest.Must(t, err)
	if again.UserPoolID != dev.UserPoolID {
		t.Errorf("the second time it is %q", again.UserPoolID)
	}
}

func TestGroupsThatOnlyPathsNameAreServedAfterThoseOfThePool(t *testing.T) {
	t.Parallel()
	b := deploytest.Shop(t)
	b.Layout = amplify.Layout
	deploytest.Must(t, edit.AddGroup(b, "Admins"))
	deploytest.Must(t, edit.AddAPI(b, &access.API{Label: "other", Paths: []*access.Path{grouped("/own", "items", "mods", "Admins", "readers")}}))
	p, err := outputs.PoolOf(b, b.Environment("dev"))
	deploytest.Must(t, err)
	if !slices.Equal(p.Groups, []string{"Admins", "mods", "readers"}) {
		t.Errorf("the groups are %q", p.Groups)
	}
}

func TestAFunctionReachesThePoolsAndMayAdministerThem(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	b := deploytest.Shop(t)
	deploytest.Must(t, edit.AddGroup(b, "Admins"))
	f := *b.Function("items")
	f.Access = append(f.Access, model.ResourceAccess{Resource: "pool", Actions: access.ActionSet(access.Read)})
	f.Environment = append(f.Environment, model.Variable{Name: "POOL", Value: "${USER_POOL_ID}"})
	deploytest.Must(t, edit.UpdateFunction(b, &f))
	deploytest.Made(t, dir, b)
	handler(t, dir, "items", `exports.handler = async () => {
  const ask = async (endpoint, target, input) => {
    const answer = await fetch(endpoint + "/", { method: "POST", body: JSON.stringify(input), headers: {
      "content-type": "application/x-amz-json-1.1", "x-amz-target": target,
      authorization: "AWS4-HMAC-SHA256 Credential=" + process.env.AWS_ACCESS_KEY_ID + "/20260101/eu-west-1/cognito-idp/aws4_request, SignedHeaders=host, Signature=0",
    } });
    const { message, Message, ...rest } = await answer.json();
    return answer.status + " " + [...Object.keys(rest), message ?? Message ?? ""];
  };
  return { statusCode: 200, body: [
    await ask(process.env.AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER, "AWSCognitoIdentityProviderService.ListGroups", { UserPoolId: process.env.POOL }),
    await ask(process.env.AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER, "AWSCognitoIdentityProviderService.AdminAddUserToGroup", { UserPoolId: process.env.POOL }),
    await ask(process.env.AWS_ENDPOINT_URL_COGNITO_IDENTITY, "AWSCognitoIdentityService.ListIdentityPools", { MaxResults: 10 }),
  ].join(", ") };
};`)
	l := serve(t, dir, live.Options{Environment: "dev"})
	l.until(live.Pool, "user pool eu-west-1_")
	l.until(live.Pool, "identity pool eu-west-1:")
	l.until(live.API, "API shop ")
	l.until(live.File, "generate outputs --from client_config.json --snippet")
	refusal := regexp.MustCompile(`^200 200 Groups,, 400 __type,User: arn:aws:sts::\d{12}:assumed-role/items/items is not authorized to perform: ` +
		`cognito-idp:AdminAddUserToGroup on resource: arn:aws:cognito-idp:eu-west-1:\d{12}:userpool/eu-west-1_\w+ ` +
		`because no identity-based policy allows the cognito-idp:AdminAddUserToGroup action, 200 IdentityPools,$`)
	if got := l.answers("dev shop", "/items"); !refusal.MatchString(got) {
		t.Errorf("it answers %s", got)
	}
	l.until(sandbox.EventCloud, "the user pool: the function may not use AdminAddUserToGroup; allow it with: gatewright update function items --access ")
}
