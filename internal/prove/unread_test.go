package prove_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"gatewright/internal/cfn"
	"gatewright/internal/prove"
	"gatewright/model"
	"gatewright/model/access"
)

// equalTemplate is a template that equals votes, as the CDK writes it.
func equalTemplate() string {
	return synthesise([]string{"*"}, []string{"GET/vote", "GET/vote/*", "HEAD/vote", "HEAD/vote/*"})
}

// changed replaces a part of a template, which must be there.
func changed(t *testing.T, text, from, to string) string {
	t.Helper()
	if !strings.Contains(text, from) {
		t.Fatalf("the template has no %s", from)
	}
	return strings.Replace(text, from, to, 1)
}

// with adds sections and resources to that template.
func with(t *testing.T, sections, resources string) string {
	t.Helper()
	text := equalTemplate()
	if sections != "" {
		text = changed(t, text, `{"Resources"`, `{`+sections+`, "Resources"`)
	}
	if resources != "" {
		text = changed(t, text, `"Users": {`, resources+`, "Users": {`)
	}
	return text
}

const ifProd = `"Parameters": {"Stage": {"Type": "String"}}, "Conditions": {"Prod": {"Fn::Not": [{"Fn::Or": [{"Fn::Equals": [{"Ref": "Stage"}, "dev"]}]}]}, "Same": {"Fn::Equals": [{"Ref": "Stage"}, {"Ref": "Stage"}]}}`

func grant(extra, role, statement string) string {
	return strings.NewReplacer("EXTRA", extra, "ROLE", role, "STATEMENT", statement).Replace(
		`"More": {"Type": "AWS::IAM::Policy", EXTRA "Properties": {"Roles": [ROLE], "PolicyDocument": {"Statement": [STATEMENT]}}}`)
}

func allow(resource string) string {
	return `{"Effect": "Allow", "Action": "execute-api:Invoke", "Resource": ` + resource + `}`
}

const (
	guests    = `{"Ref": "Guests"}`
	bothRoles = `"Roles": {"authenticated": {"Fn::GetAtt": ["Users", "Arn"]}, "unauthenticated": {"Fn::GetAtt": ["Guests", "Arn"]}}`
)

// TestWhatOnlyADeploymentKnowsIsNotEqual has templates that equal the project with some
// values of a deployment and not with others.
func TestWhatOnlyADeploymentKnowsIsNotEqual(t *testing.T) {
	t.Parallel()
	whole := `{"Fn::Sub": "arn:aws:execute-api:${AWS::Region}:${AWS::AccountId}:${polls7A1B}/dev/POST/vote"}`
	for name, c := range map[string]struct{ text, want string }{
		"a policy under a condition": {
			with(t, ifProd, grant(`"Condition": "Prod",`, guests, allow(whole))), "POST /vote: whether guests may is not known",
		},
		"a statement under a condition": {
			with(t, ifProd, grant("", guests, `{"Fn::If": ["Prod", `+allow(whole)+`, {"Ref": "AWS::NoValue"}]}`)), "/vote: whether guests may is not known",
		},
		"a role of a policy under a condition": {
			with(t, ifProd, grant("", `{"Fn::If": ["Prod", {"Ref": "Guests"}, {"Ref": "AWS::NoValue"}]}`, allow(whole))), "which roles have the policy More is not known",
		},
		"a method under a condition": {
			with(t, ifProd, `"Extra": {"Type": "AWS::ApiGateway::Method", "Condition": "Prod", "Properties": {"RestApiId": {"Ref": "polls7A1B"}, "ResourceId": {"Ref": "vote"}, "HttpMethod": "POST", "AuthorizationType": "AWS_IAM"}}`),
			"what is made of Extra depends on the value of Stage",
		},
		"an authorization under a condition": {
			changed(t, with(t, ifProd, ""), `"HttpMethod": "ANY", "AuthorizationType": "AWS_IAM"`, `"HttpMethod": "ANY", "AuthorizationType": {"Fn::If": ["Prod", "NONE", "AWS_IAM"]}`),
			"depends on the value of Stage",
		},
		"an authorization that is imported": {
			changed(t, equalTemplate(), `"HttpMethod": "ANY", "AuthorizationType": "NONE"`, `"HttpMethod": "ANY", "AuthorizationType": {"Fn::ImportValue": "Kind"}`),
			"/news: whether anyone unsigned may is not known",
		},
		"a region": {
			with(t, "", grant("", guests, allow(`"arn:aws:execute-api:eu-west-1:*:*/*/POST/vote"`))), "POST /vote: whether guests may is not known",
		},
		"an account": {
			with(t, "", grant("", guests, allow(`"arn:aws:execute-api:*:123456789012:*/POST/vote"`))), "POST /vote: whether guests may is not known",
		},
		"the id of an API": {
			with(t, "", grant("", guests, allow(`"arn:aws:execute-api:*:*:a1b2c3d4e5/dev/POST/vote"`))), "POST /vote: whether guests may is not known",
		},
		"a variable of the caller": {
			with(t, "", grant("", guests, allow(`"arn:aws:execute-api:*:*:*/dev/POST/vote/${cognito-identity.amazonaws.com:sub}"`))), "POST /vote/: whether guests may is not known",
		},
		"all actions but some that are imported": {
			with(t, "", grant("", guests, `{"Effect": "Allow", "NotAction": [{"Fn::ImportValue": "Actions"}, {"Fn::Select": ["0", "x"]}], "Resource": "*"}`)), "/vote: whether guests may is not known",
		},
		"a policy of which nothing is known": {
			changed(t, with(t, "", grant("", guests, `"X"`)), `"Statement": ["X"]`, `"Statement": {"Fn::Transform": {"Name": "Own"}}`), "/vote: whether guests may is not known",
		},
		"the roles of a pool": {
			changed(t, equalTemplate(), `"authenticated": {"Fn::GetAtt": ["Users", "Arn"]}`, `"authenticated": {"Fn::Select": ["0", "x"]}`), "the role that Attached gives to authenticated callers is not known",
		},
		"the policies of a role": {
			changed(t, equalTemplate(), `"Guests": {"Type": "AWS::IAM::Role", "Properties": {`, `"Guests": {"Type": "AWS::IAM::Role", "Properties": {"Policies": {"Fn::Transform": {"Name": "Own"}}`), "/vote: whether guests may is not known",
		},
		"the managed policies of a role": {
			changed(t, equalTemplate(), `"Guests": {"Type": "AWS::IAM::Role", "Properties": {`, `"Guests": {"Type": "AWS::IAM::Role", "Properties": {"ManagedPolicyArns": {"Fn::Transform": {"Name": "Own"}}`), "/vote: whether guests may is not known",
		},
		"the paths of another API": {
			changed(t, equalTemplate(), `"Name": "polls"`, `"Name": "polls", "CloneFrom": "a1b2"`), "the paths of polls7A1B are in CloneFrom, which is not read",
		},
		"a document elsewhere": {
			changed(t, equalTemplate(), `"Name": "polls"`, `"Name": "polls", "BodyS3Location": {"Bucket": "b"}`), "the paths of polls7A1B are in BodyS3Location, which is not read",
		},
		"a base path": {
			changed(t, equalTemplate(), `"Name": "polls"`, `"Name": "polls", "Parameters": {"basepath": "prepend"}`), "begin with a base path",
		},
		"a method of a resource elsewhere": {
			changed(t, equalTemplate(), `"ResourceId": {"Ref": "news"}`, `"ResourceId": {"Fn::ImportValue": "News"}`), "is of a resource that is not in the template",
		},
		"which method": {
			changed(t, equalTemplate(), `"HttpMethod": "ANY"`, `"HttpMethod": {"Fn::Transform": {"Name": "Own"}}`), "does not say which method",
		},
		"the roles of an identity pool": {
			changed(t, equalTemplate(), bothRoles, `"Roles": {"Fn::Transform": {"Name": "Own"}}`), "the roles that Attached gives are not known",
		},
		"two identity pools": {
			with(t, "", `"Other": {"Type": "AWS::Cognito::IdentityPoolRoleAttachment", "Properties": {"Roles": {"unauthenticated": {"Fn::GetAtt": ["Users", "Arn"]}}}}`), "several identity pools give roles to unauthenticated callers",
		},
		"role mappings": {
			changed(t, equalTemplate(), `"Roles": {"authenticated"`, `"RoleMappings": {"Fn::Transform": {"Name": "Own"}}, "Roles": {"authenticated"`), "the role mappings of Attached are not known",
		},
		"the precedence of a group": {
			with(t, "", `"Admins": {"Type": "AWS::Cognito::UserPoolGroup", "Properties": {"Precedence": {"Fn::Transform": {"Name": "Own"}}}}`), "the precedence of the group Admins is not known",
		},
		"the role of a group": {
			with(t, "", `"Admins": {"Type": "AWS::Cognito::UserPoolGroup", "Properties": {"RoleArn": {"Fn::Transform": {"Name": "Own"}}}}`), "the role of the group Admins is not known",
		},
		"one of the managed policies": {
			changed(t, equalTemplate(), `"Guests": {"Type": "AWS::IAM::Role", "Properties": {`, `"Guests": {"Type": "AWS::IAM::Role", "Properties": {"ManagedPolicyArns": [{"Fn::Transform": {"Name": "Own"}}]`), "/vote: whether guests may is not known",
		},
		"managed policies under a condition": {
			changed(t, with(t, ifProd, ""), `"Guests": {"Type": "AWS::IAM::Role", "Properties": {`, `"Guests": {"Type": "AWS::IAM::Role", "Properties": {"ManagedPolicyArns": {"Fn::If": ["Prod", ["arn:aws:iam::aws:policy/AdministratorAccess"], []]}`), "/vote: whether guests may is not known",
		},
		"guests, by a text with a value of the deployment": {
			with(t, "", `"Pool": {"Type": "AWS::Cognito::IdentityPool", "Properties": {"AllowUnauthenticatedIdentities": {"Fn::Sub": "${AWS::StackId}"}}}`), "whether Pool lets guests in",
		},
		"guests": {
			with(t, `"Parameters": {"Open": {"Type": "String"}}`, `"Pool": {"Type": "AWS::Cognito::IdentityPool", "Properties": {"AllowUnauthenticatedIdentities": {"Ref": "Open"}}}`), "whether Pool lets guests in",
		},
		"rules of a role mapping": {
			changed(t, equalTemplate(), `"Roles": {"authenticated"`, `"RoleMappings": {"pool": {"Type": "Rules", "AmbiguousRoleResolution": "AuthenticatedRole"}}, "Roles": {"authenticated"`), "has rules, which are not read",
		},
		"a role mapping of a kind that is not known": {
			changed(t, equalTemplate(), `"Roles": {"authenticated"`, `"RoleMappings": {"pool": {"Type": {"Fn::ImportValue": "Kind"}, "AmbiguousRoleResolution": "AuthenticatedRole"}}, "Roles": {"authenticated"`), "has rules, which are not read",
		},
		"users whom a role mapping may refuse": {
			changed(t, equalTemplate(), `"Roles": {"authenticated"`, `"RoleMappings": {"pool": {"Type": "Token", "AmbiguousRoleResolution": "Deny"}}, "Roles": {"authenticated"`), "/vote: whether signed-in users may is not known",
		},
		"part of a path": {
			changed(t, with(t, `"Parameters": {"Part": {"Type": "String"}}`, ""), `"PathPart": "vote"`, `"PathPart": {"Ref": "Part"}`), "the path of vote is not in the template",
		},
		"several stages": {
			with(t, "", `"Stage2": {"Type": "AWS::ApiGateway::Stage", "Properties": {"RestApiId": {"Ref": "polls7A1B"}, "StageName": "test"}}`), "has several stages",
		},
	} {
		report := compareText(t, votes(), c.text, nil)
		if got := sentences(report); report.Equal() || !strings.Contains(got, c.want) {
			t.Errorf("%s:\n%s", name, got)
		}
	}
}

func TestWhatDoesNotDependOnADeploymentIsDecided(t *testing.T) {
	t.Parallel()
	whole := `{"Fn::Sub": "arn:aws:execute-api:${AWS::Region}:${AWS::AccountId}:${polls7A1B}/dev/POST/vote"}`
	for name, text := range map[string]string{
		"a condition that holds":         changed(t, with(t, ifProd, ""), `"GuestsDefaultPolicy": {`, `"GuestsDefaultPolicy": {"Condition": "Same",`),
		"a method in small letters":      changed(t, equalTemplate(), `"HttpMethod": "ANY", "AuthorizationType": "AWS_IAM"`, `"HttpMethod": "any", "AuthorizationType": "AWS_IAM"`),
		"a base path that is ignored":    changed(t, equalTemplate(), `"Name": "polls"`, `"Name": "polls", "Parameters": {"basepath": "ignore"}`),
		"another API":                    with(t, "", `"Other": {"Type": "AWS::ApiGateway::RestApi", "Properties": {"Name": "other"}}, `+grant("", guests, allow(`{"Fn::Sub": "arn:aws:execute-api:${AWS::Region}:${AWS::AccountId}:${Other}/dev/POST/vote"}`))),
		"another service":                with(t, "", grant("", guests, `{"Effect": "Allow", "Action": "*", "Resource": "arn:aws:s3:::bucket/*"}`)),
		"another action":                 with(t, "", grant("", guests, `{"Effect": "Allow", "Action": "execute-api:ManageConnections", "Resource": "*"}`)),
		"all actions but calls":          with(t, "", grant("", guests, `{"Effect": "Allow", "NotAction": "execute-api:*", "Resource": "arn:aws:execute-api:*:*:*/*"}`)),
		"a refusal of what is refused":   with(t, "", grant("", guests, `{"Effect": "Deny", "Action": "Execute-API:invoke", "Resource": `+whole+`}`)),
		"all resources but those of all": with(t, "", grant("", guests, `{"Effect": "Allow", "Action": "execute-api:Invoke", "NotResource": ["*"]}`)),
		"a policy of another role":       with(t, ifProd, `"Function": {"Type": "AWS::IAM::Role"}, `+grant(`"Condition": "Prod",`, `{"Ref": "Function"}`, allow(`"*"`))),
	} {
		d, err := prove.Read(parse(t, []byte(text)), nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		if report := prove.Compare(d, votes(), prove.Options{API: "polls"}); !report.Equal() {
			t.Errorf("%s:\n%s", name, sentences(report))
		}
	}
}

func TestAPolicyOfTheAPIIsRead(t *testing.T) {
	t.Parallel()
	policy := func(statements string) string {
		return changed(t, equalTemplate(), `"Properties": {"Name": "polls"}`, `"Properties": {"Name": "polls", "Policy": {"Statement": [`+statements+`]}}`)
	}
	invoke := func(principal string, resources ...string) string {
		return `{"Effect": "Allow", "Principal": ` + principal + `, "Action": "execute-api:Invoke", "Resource": ["execute-api:/dev/` + strings.Join(resources, `", "execute-api:/dev/`) + `"]}`
	}
	var open []string
	for _, m := range access.Methods {
		open = append(open, m+"/news", m+"/news/*")
	}
	everybody, preflight := invoke(`"*"`, open...), invoke(`{"AWS": "*"}`, "OPTIONS/vote", "OPTIONS/vote/*")
	for name, c := range map[string]struct{ statements, want string }{
		"open paths and preflights": {everybody + "," + preflight, ""},
		"no preflight":              {everybody, "OPTIONS /vote: anyone unsigned may not"},
		"nothing":                   {"", "/news: anyone unsigned may not"},
		"everything":                {`{"Effect": "Allow", "Principal": "*", "Action": "execute-api:Invoke", "Resource": "execute-api:/*"}`, "POST, PUT /vote: guests may"},
		"an address":                {everybody + "," + preflight + `, {"Effect": "Deny", "Principal": "*", "Action": "execute-api:Invoke", "Resource": "execute-api:/*", "Condition": {"NotIpAddress": {"aws:SourceIp": "192.0.2.0/24"}}}`, "whether anyone unsigned may is not known"},
		"one role":                  {everybody + "," + preflight + `, {"Effect": "Allow", "Principal": {"AWS": {"Fn::GetAtt": ["Guests", "Arn"]}}, "Action": "execute-api:Invoke", "Resource": "execute-api:/dev/POST/vote"}`, "POST /vote: whether guests may is not known"},
	} {
		report := compareText(t, votes(), policy(c.statements), nil)
		got := sentences(report)
		if c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%s:\n%s", name, got)
		}
	}
}

// TestAPolicyOfTheAPIMayBeWrittenInShort has policies of one statement, of none, and such that a template does not tell.
func TestAPolicyOfTheAPIMayBeWrittenInShort(t *testing.T) {
	t.Parallel()
	const all = `"Action": "execute-api:Invoke", "Resource": "execute-api:/*"`
	for policy, want := range map[string]string{
		`{"Statement": {"Effect": "Allow", "Principal": {"AWS": ["*"]}, ` + all + `}}`:                        "POST, PUT /vote: guests may; the project refuses it",
		`{"Statement": {"Effect": "Allow", "Principal": {"AWS": ["*", "arn:aws:iam::1:root"]}, ` + all + `}}`: "POST, PUT /vote: whether guests may is not known",
		`{"Statement": {"Effect": "Allow", "Principal": {"Service": "*"}, ` + all + `}}`:                      "POST, PUT /vote: whether guests may is not known",
		`{}`:                                 "/news: anyone unsigned may not; the project allows it",
		`{"Fn::Transform": {"Name": "Own"}}`: "/news: whether anyone unsigned may is not known",
		`{"Fn::If": ["Prod", {"Statement": {"Effect": "Allow", "Principal": "*", ` + all + `}}, {"Statement": []}]}`: "/news: whether anyone unsigned may is not known",
		`{"Fn::If": ["Same", {"Statement": {"Effect": "Allow", "Principal": "*", ` + all + `}}, {"Statement": []}]}`: "POST, PUT /vote: guests may; the project refuses it",
	} {
		text := changed(t, with(t, ifProd, ""), `"Properties": {"Name": "polls"}`, `"Properties": {"Name": "polls", "Policy": `+policy+`}`)
		if got := sentences(compareText(t, votes(), text, nil)); !strings.Contains(got, want) {
			t.Errorf("%s:\n%s\nwant %s", policy, got, want)
		}
	}
}

// TestWhatAConditionWaitsForIsNamed has conditions of a policy that gives guests more.
func TestWhatAConditionWaitsForIsNamed(t *testing.T) {
	t.Parallel()
	const whole = `"arn:aws:execute-api:*:*:*/dev/POST/vote"`
	for conditions, want := range map[string]string{
		`{"Fn::Equals": [{"Ref": "Stage"}, "dev"]}`:                    "POST /vote: whether guests may is not known",
		`{"Fn::Equals": ["prod", "dev"]}`:                              "",
		`{"Fn::Equals": ["dev", "dev"]}`:                               "POST /vote: guests may; the project refuses it",
		`{"Condition": "None"}`:                                        "POST /vote: whether guests may is not known",
		`{"Fn::And": [{"Condition": "Prod"}, {"Condition": "Other"}]}`: "POST /vote: whether guests may is not known",
	} {
		sections := `"Parameters": {"Stage": {"Type": "String"}}, "Conditions": {"Prod": ` + conditions + `, "Other": {"Fn::Equals": ["a", "a"]}}`
		report := compareText(t, votes(), with(t, sections, grant(`"Condition": "Prod",`, guests, allow(whole))), nil)
		if got := sentences(report); want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%s:\n%s\nwant %s", conditions, got, want)
		}
	}
}

// TestGroupsThatATemplateLacksHaveTheProjectsPrecedence has the roles of two groups, as the Amplify CLI names them.
func TestGroupsThatATemplateLacksHaveTheProjectsPrecedence(t *testing.T) {
	t.Parallel()
	b := votes(entry(access.Group, "Admins", access.EveryAction), entry(access.Group, "Readers", access.Actions(access.Read)))
	b.Groups = []string{"Readers", "Admins"}
	role := func(group string) string {
		return `"` + group + `Role": {"Type": "AWS::IAM::Role", "Properties": {"RoleName": {"Fn::Join": ["", [{"Ref": "Pool"}, "-` + group + `GroupRole"]]}}}, `
	}
	text := changed(t, equalTemplate(), `"Users": {`, `"Pool": {"Type": "AWS::Cognito::UserPool"}, `+role("Admins")+role("Readers")+`"Users": {`)
	report := compareText(t, b, text, nil)
	if !slices.Contains(report.Notices, "the template has roles of groups and not the groups: their precedence is taken as the project's") ||
		slices.ContainsFunc(report.Undecided, func(text string) bool { return strings.Contains(text, "members of both") }) {
		t.Errorf("it tells %q, and undecided is %q", report.Notices, report.Undecided)
	}
}

// TestOnlySomePairsOfGroupsAreNamed has six groups of one precedence, which are fifteen pairs.
func TestOnlySomePairsOfGroupsAreNamed(t *testing.T) {
	t.Parallel()
	b := votes()
	var made strings.Builder
	for _, group := range []string{"A", "B", "C", "D", "E", "F"} {
		b.Groups = append(b.Groups, group)
		made.WriteString(`"Group` + group + `": {"Type": "AWS::Cognito::UserPoolGroup", "Properties": {"GroupName": "` + group + `", "Precedence": 1, "RoleArn": {"Fn::GetAtt": ["` + group + `Role", "Arn"]}}}, `)
		made.WriteString(`"` + group + `Role": {"Type": "AWS::IAM::Role", "Properties": {}}, `)
	}
	text := changed(t, equalTemplate(), `"Roles": {"authenticated"`, `"RoleMappings": {"pool": {"Type": "Token", "AmbiguousRoleResolution": "AuthenticatedRole"}}, "Roles": {"authenticated"`)
	report := compareText(t, b, changed(t, text, `"Users": {`, made.String()+`"Users": {`), nil)
	var pairs []string
	for _, text := range report.Undecided {
		pair, _, found := strings.Cut(strings.TrimPrefix(text, "members of both "), " act as signed-in users in the template and as ")
		if found {
			pairs = append(pairs, pair)
		}
	}
	if got := strings.Join(pairs, ", "); got != "A and B, A and C, A and D, A and E, A and F, B and C, B and D, B and E, B and F, C and D" {
		t.Errorf("named are %s", got)
	}
}

func TestMembersOfTwoGroupsActAsTheFirst(t *testing.T) {
	t.Parallel()
	read := access.Actions(access.Read)
	b := votes(entry(access.Group, "Admins", access.EveryAction), entry(access.Group, "Readers", read))
	b.Groups = []string{"Admins", "Readers"}
	text := func(admins, readers string) string {
		text := changed(t, equalTemplate(), `"Roles": {"authenticated"`, `"RoleMappings": {"pool": {"Type": "Token", "AmbiguousRoleResolution": "AuthenticatedRole"}}, "Roles": {"authenticated"`)
		return changed(t, text, `"Users": {`, `"Admins": {"Type": "AWS::Cognito::UserPoolGroup", "Properties": {"GroupName": "Admins", `+admins+` "RoleArn": {"Fn::GetAtt": ["Users", "Arn"]}}},
			"Readers": {"Type": "AWS::Cognito::UserPoolGroup", "Properties": {"GroupName": "Readers", `+readers+` "RoleArn": {"Fn::GetAtt": ["Guests", "Arn"]}}}, "Users": {`)
	}
	for _, c := range []struct{ admins, readers, want string }{
		{`"Precedence": 1,`, `"Precedence": 2,`, ""},
		{`"Precedence": 9,`, ``, ""},
		{`"Precedence": 3,`, `"Precedence": 2,`, "members of both Admins and Readers act as Readers in the template and as Admins in the project"},
		{`"Precedence": 3,`, `"Precedence": 3,`, "members of both Admins and Readers act as signed-in users in the template"},
		{``, ``, "members of both Admins and Readers act as signed-in users in the template"},
		{``, `"Precedence": 1,`, "members of both Admins and Readers act as Readers"},
	} {
		got := sentences(compareText(t, b, text(c.admins, c.readers), nil))
		if c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%s %s: %s", c.admins, c.readers, got)
		}
	}
}

func TestTheManagedPoliciesOfARoleCount(t *testing.T) {
	t.Parallel()
	attached := func(policies, resources string) string {
		return changed(t, with(t, "", resources), `"Guests": {"Type": "AWS::IAM::Role", "Properties": {`, `"Guests": {"Type": "AWS::IAM::Role", "Properties": {"ManagedPolicyArns": [`+policies+`]`)
	}
	more := func(name string) string {
		return `"More": {"Type": "AWS::IAM::ManagedPolicy", "Properties": {` + name + `"PolicyDocument": {"Statement": [` + allow(`"arn:aws:execute-api:*:*:*/*/POST/vote"`) + `]}}}`
	}
	// The first pattern is a whole path below another one too, because its stars span slashes.
	posts := "POST /vote: guests may; the project refuses it\nDELETE, PATCH, POST, PUT /vote/POST/vote: guests may; the project refuses it"
	for name, c := range map[string]struct{ text, want string }{
		"one that allows everything": {attached(`"arn:aws:iam::aws:policy/AdministratorAccess"`, ""), "DELETE, PATCH, POST, PUT /vote: guests may; the project refuses it\nDELETE, PATCH, POST, PUT /vote/1: guests may; the project refuses it"},
		"one of the template":        {attached(`{"Ref": "More"}`, more("")), posts},
		"one of the template, by its name": {
			attached(`{"Fn::Sub": "arn:aws:iam::${AWS::AccountId}:policy/more"}`, more(`"ManagedPolicyName": "more", `)), posts,
		},
	} {
		if got := sentences(compareText(t, votes(), c.text, nil)); got != c.want {
			t.Errorf("%s: %s", name, got)
		}
	}
	report := compareText(t, votes(), attached(`"arn:aws:iam::aws:policy/ReadOnlyAccess"`, ""), nil)
	want := "the policy ReadOnlyAccess of the role Guests is not in the template, and is taken as one that lets nobody call APIs"
	if !report.Equal() || !slices.Contains(report.Notices, want) {
		t.Errorf("%s; %s", sentences(report), strings.Join(report.Notices, "; "))
	}
	report = compareText(t, votes(), attached(`"arn:aws:iam::123456789012:policy/own"`, ""), nil)
	if got := sentences(report); got != "the policy own of the role Guests is not in the template: what it allows is not known" {
		t.Errorf("a policy of somebody's own: %s", got)
	}
}

func TestWhatATemplateAddsAndLacksIsTold(t *testing.T) {
	t.Parallel()
	whole := func(method string) string {
		return `{"Fn::Sub": "arn:aws:execute-api:${AWS::Region}:${AWS::AccountId}:${polls7A1B}/dev/` + method + `/vote"}`
	}
	admins := votes(entry(access.Group, "Admins", access.EveryAction))
	admins.Groups = []string{"Admins"}
	for name, c := range map[string]struct {
		b             *model.Backend
		text          string
		told, noticed []string
	}{
		"a policy of a role": {
			votes(), with(t, "", `"More": {"Type": "AWS::IAM::RolePolicy", "Properties": {"RoleName": {"Ref": "Guests"}, "PolicyName": "p", "PolicyDocument": {"Statement": [`+allow(whole("POST"))+`]}}}`),
			[]string{"POST /vote: guests may; the project refuses it"},
			nil,
		},
		"guests who are off": {
			votes(), with(t, "", `"Pool": {"Type": "AWS::Cognito::IdentityPool", "Properties": {"AllowUnauthenticatedIdentities": false}}`),
			[]string{"GET, HEAD /vote: guests may not; the project allows it", "GET, HEAD /vote/1: guests may not; the project allows it"},
			nil,
		},
		"guests who are off in one of two pools": {
			votes(), with(t, "", `"Pool": {"Type": "AWS::Cognito::IdentityPool", "Properties": {"AllowUnauthenticatedIdentities": false}}, "Other": {"Type": "AWS::Cognito::IdentityPool", "Properties": {"AllowUnauthenticatedIdentities": true}}`),
			[]string{"of several identity pools one lets guests in and another does not (AllowUnauthenticatedIdentities)"},
			nil,
		},
		"guests who are off in both of two pools": {
			votes(), with(t, "", `"Pool": {"Type": "AWS::Cognito::IdentityPool", "Properties": {"AllowUnauthenticatedIdentities": false}}, "Other": {"Type": "AWS::Cognito::IdentityPool", "Properties": {"AllowUnauthenticatedIdentities": "false"}}`),
			[]string{"GET, HEAD /vote: guests may not; the project allows it", "GET, HEAD /vote/1: guests may not; the project allows it"},
			nil,
		},
		"guests who are on": {votes(), with(t, "", `"Pool": {"Type": "AWS::Cognito::IdentityPool", "Properties": {"AllowUnauthenticatedIdentities": true}}`), nil, nil},
		"a key": {
			votes(), changed(t, equalTemplate(), `"HttpMethod": "ANY"`, `"ApiKeyRequired": true, "HttpMethod": "ANY"`), nil, []string{"some methods ask for an API key, which is not about access"},
		},
		"a group less": {
			admins, with(t, "", `"Others": {"Type": "AWS::Cognito::UserPoolGroup", "Properties": {"GroupName": "Others", "Precedence": 1}}`), nil,
			[]string{
				"the identity pool has no role mappings, so members of groups act as signed-in users", "the template has no group Admins: its members act as signed-in users",
			},
		},
		"more, less and what is not known": {
			votes(), changed(t, with(t, ifProd, grant("", guests, allow(whole("POST")))+", "+strings.Replace(grant(`"Condition": "Prod",`, guests, allow(whole("PUT"))), "More", "Maybe", 1)), "/HEAD/vote", "/HEAD/other"),
			[]string{
				"POST /vote: guests may; the project refuses it",
				"PUT /vote: whether guests may is not known; a custom authorizer, a condition or a value that the template does not have decides",
				"HEAD /vote: guests may not; the project allows it",
			},
			[]string{"parameters without a value: Stage; give each with --parameter NAME=VALUE"},
		},
	} {
		d, err := prove.Read(parse(t, []byte(c.text)), nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		report := prove.Compare(d, c.b, prove.Options{})
		if got := sentences(report); got != strings.Join(c.told, "\n") || !slices.Equal(report.Notices, c.noticed) {
			t.Errorf("%s:\n%s\nnoticed is %q", name, got, report.Notices)
		}
	}
	for _, tt := range []struct {
		text string
		want string
	}{
		{`{"Resources": {"Api": {"Type": "AWS::CloudFormation::Stack", "Properties": {"TemplateURL": "x.json"}}}}`, prove.ErrNoAPI.Error() + "; the nested stack Api is not read: it is not here"},
		{`{"Resources": {}}`, prove.ErrNoAPI.Error()},
	} {
		_, err := prove.Read(parse(t, []byte(tt.text)), nil, func(string, string, string) (*cfn.Template, error) { return nil, errors.New("it is not here") })
		if !errors.Is(err, prove.ErrNoAPI) || err.Error() != tt.want {
			t.Errorf("of %s: %v", tt.text, err)
		}
	}
}

// TestTheWorstIsSaidFirst has what the deployment allows too much before what it refuses, and short paths before long ones.
func TestTheWorstIsSaidFirst(t *testing.T) {
	t.Parallel()
	text := synthesise([]string{"GET/*", "PUT/*", "DELETE/*"}, []string{"GET/vote", "GET/vote/*", "HEAD/vote", "HEAD/vote/*", "POST/vote/*", "PUT/vote"})
	text = changed(t, text, `"ResourceId": {"Ref": "newsproxy"}, "HttpMethod": "ANY", "AuthorizationType": "NONE"`, `"ResourceId": {"Ref": "newsproxy"}, "HttpMethod": "ANY", "AuthorizationType": "AWS_IAM"`)
	want := `PUT /vote: guests may; the project refuses it
POST /vote/: guests may; the project refuses it
POST /vote/1: guests may; the project refuses it
HEAD, PATCH, POST /vote: signed-in users may not; the project allows it
DELETE, GET, HEAD, PATCH, POST, PUT /news/1: anyone unsigned may not; the project allows it
DELETE, GET, HEAD, PATCH, POST, PUT /news/1: guests may not; the project allows it
HEAD, PATCH, POST /news/1: signed-in users may not; the project allows it
HEAD, PATCH, POST /vote/1: signed-in users may not; the project allows it`
	if got := sentences(compareText(t, votes(), text, nil)); got != want {
		t.Errorf("it is\n%s\nwant\n%s", got, want)
	}
}

func TestParametersWithoutAValueAreNamedWhereTheyDecide(t *testing.T) {
	t.Parallel()
	const parameters = `"Parameters": {"env": {"Type": "String"}, "Auth": {"Type": "String"}, "Given": {"Type": "String", "Default": "x"}}, "Resources"`
	text := strings.Replace(with(t, "", `"P": {"Type": "AWS::IAM::ManagedPolicy", "Properties": {"PolicyDocument": {"Statement": []}}}`), `"Resources"`, parameters, 1)
	const notice = "parameters without a value: Auth; give each with --parameter NAME=VALUE"
	if got := compareText(t, votes(), text, nil).Notices; slices.Contains(got, notice) {
		t.Errorf("where nothing depends on one: %q", got)
	}
	unknown := changed(t, text, `"AuthorizationType": "AWS_IAM"`, `"AuthorizationType": {"Ref": "Auth"}`)
	if got := compareText(t, votes(), unknown, nil).Notices; !slices.Contains(got, notice) {
		t.Errorf("where one decides: %q", got)
	}
	given, err := prove.Read(parse(t, []byte(unknown)), map[string]string{"Auth": "AWS_IAM"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if r := prove.Compare(given, votes(), prove.Options{}); !r.Equal() || len(r.Notices) > 0 {
		t.Errorf("with a value: %+v", r)
	}
}
