package prove_test

import (
	"strings"
	"testing"

	"gatewright/internal/prove"
	"gatewright/model/access"
)

func TestAskSaysWhoMayWhetherThatIsKnownAndWhy(t *testing.T) {
	t.Parallel()
	var (
		stranger = access.Caller{Stranger: true}
		guest    = access.Caller{}
		user     = access.Caller{SignedIn: true}
		member   = access.Caller{SignedIn: true, Groups: []string{"Readers", "Admins"}}
	)
	rule := func(effect, principal, resource string) string {
		return `{"Effect": "` + effect + `", "Principal": ` + principal + `, "Action": "execute-api:Invoke", "Resource": "execute-api:/dev/` + resource + `"}`
	}
	guarded := func(statements ...string) string {
		return changed(t, equalTemplate(), `"Properties": {"Name": "polls"}`, `"Properties": {"Name": "polls", "Policy": {"Statement": [`+strings.Join(statements, ",")+`]}}`)
	}
	groups := func(admins, readers string) string {
		text := changed(t, equalTemplate(), `"Roles": {"authenticated"`, `"RoleMappings": {"pool": {"Type": "Token", "AmbiguousRoleResolution": "AuthenticatedRole"}}, "Roles": {"authenticated"`)
		return changed(t, text, `"Users": {`, `"Admins": {"Type": "AWS::Cognito::UserPoolGroup", "Properties": {"GroupName": "Admins", "Precedence": `+admins+`, "RoleArn": {"Fn::GetAtt": ["Users", "Arn"]}}},
			"Readers": {"Type": "AWS::Cognito::UserPoolGroup", "Properties": {"GroupName": "Readers", "Precedence": `+readers+`, "RoleArn": {"Fn::GetAtt": ["Guests", "Arn"]}}}, "Users": {`)
	}
	tokens := changed(t, equalTemplate(), `"HttpMethod": "ANY", "AuthorizationType": "AWS_IAM"`, `"HttpMethod": "ANY", "AuthorizationType": "COGNITO_USER_POOLS"`)
	custom := changed(t, equalTemplate(), `"HttpMethod": "ANY", "AuthorizationType": "AWS_IAM"`, `"HttpMethod": "ANY", "AuthorizationType": "CUSTOM"`)
	gets := changed(t, equalTemplate(), `"HttpMethod": "ANY", "AuthorizationType": "AWS_IAM"`, `"HttpMethod": "GET", "AuthorizationType": "AWS_IAM"`)
	for _, c := range []struct {
		name, text   string
		from         access.Caller
		method, path string
		want         string
	}{
		// Nobody's role counts where a method asks for nothing.
		{"open", equalTemplate(), stranger, "GET", "/news", "anyone unsigned may: the method of /news asks for no credentials"},
		{"open, below", equalTemplate(), stranger, "DELETE", "/news/a/b", "anyone unsigned may: the method of /news/{proxy+} asks for no credentials"},
		{"no path", equalTemplate(), user, "GET", "/other", "signed-in users may not (not served): no path serves it"},
		{"unsigned", equalTemplate(), stranger, "GET", "/vote", "anyone unsigned may not: the method of /vote asks for credentials"},
		{"preflight", equalTemplate(), stranger, "OPTIONS", "/vote", "anyone unsigned may: the method of /vote asks for no credentials"},
		{"a guest", equalTemplate(), guest, "GET", "/vote/1", "guests may: a policy of their role allows it"},
		{"a guest who may not", equalTemplate(), guest, "POST", "/vote", "guests may not: no policy of their role allows it"},
		{"a user", equalTemplate(), user, "POST", "/vote", "signed-in users may: a policy of their role allows it"},
		{"of two groups the first", groups("1", "2"), member, "POST", "/vote", "members of Admins may: a policy of their role allows it"},
		{"of two groups the second", groups("2", "1"), member, "POST", "/vote", "members of Readers may not: no policy of their role allows it"},
		{"of two groups neither", groups("1", "1"), member, "POST", "/vote", "signed-in users may: a policy of their role allows it"},
		{"no method", gets, user, "POST", "/vote", "signed-in users may not: /vote has no method for it"},
		{"no role", changed(t, equalTemplate(), `, "unauthenticated": {"Fn::GetAtt": ["Guests", "Arn"]}`, ""), guest, "GET", "/vote", "guests may not: they get no role"},
		{"a group without a role", changed(t, groups("1", "2"), `"RoleMappings": {"pool": {"Type": "Token", "AmbiguousRoleResolution": "AuthenticatedRole"}}, `, ""), member, "POST", "/vote", "signed-in users may: a policy of their role allows it"},
		{"a denial", with(t, "", grant("", `{"Ref": "Users"}`, `{"Effect": "Deny", "Action": "execute-api:Invoke", "Resource": "*"}`)), user, "POST", "/vote", "signed-in users may not: a policy denies it"},
		{"a denial under a condition", with(t, "", grant("", `{"Ref": "Users"}`, `{"Effect": "Deny", "Action": "execute-api:Invoke", "Resource": "*", "Condition": {"Bool": {"aws:SecureTransport": "false"}}}`)), user, "POST", "/vote", "signed-in users may not, not known: a custom authorizer, a condition or what could not be read decides"},
		{"a token", tokens, user, "POST", "/vote", "signed-in users may: the method of /vote asks only for a token of the user pool"},
		{"a token that guests lack", tokens, guest, "GET", "/vote", "guests may not: the method of /vote asks for a token of the user pool"},
		{"an authorizer of their own", custom, user, "GET", "/vote", "signed-in users may not, not known: a custom authorizer, a condition or what could not be read decides"},
		{"a resource policy that allows", guarded(rule("Allow", `"*"`, "POST/vote")), guest, "POST", "/vote", "guests may: the resource policy of the API allows it"},
		{"a resource policy that leaves it to roles", guarded(rule("Allow", `"*"`, "POST/vote")), guest, "GET", "/vote", "guests may: a policy of their role allows it"},
		{"a resource policy that allows nobody unsigned", guarded(rule("Allow", `"*"`, "POST/vote")), stranger, "GET", "/news", "anyone unsigned may not: the resource policy of the API does not allow it"},
		{"a resource policy that denies", guarded(rule("Allow", `"*"`, "*"), rule("Deny", `"*"`, "POST/vote")), user, "POST", "/vote", "signed-in users may not: a policy denies it"},
		{"a token that a resource policy denies", changed(t, guarded(rule("Allow", `"*"`, "*"), rule("Deny", `"*"`, "POST/vote")), `"HttpMethod": "ANY", "AuthorizationType": "AWS_IAM"`, `"HttpMethod": "ANY", "AuthorizationType": "COGNITO_USER_POOLS"`), user, "POST", "/vote", "signed-in users may not: the resource policy of the API does not allow it"},
	} {
		d, err := prove.Read(parse(t, []byte(c.text)), nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		got, err := prove.Ask(d, votes(), "polls", c.from, c.method, c.path)
		if sentence := sentenceOf(got); err != nil || sentence != c.want {
			t.Errorf("%s: %v %s, want %s", c.name, err, sentence, c.want)
		}
	}
}

// sentenceOf says everything that an answer has.
func sentenceOf(a prove.Answer) string {
	may, served := "may not", ""
	if a.Allowed {
		may = "may"
	}
	if !a.Known {
		may += ", not known"
	}
	if !a.Served {
		served = " (not served)"
	}
	return a.As + " " + may + served + ": " + a.Why
}
