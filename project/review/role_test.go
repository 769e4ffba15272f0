package review_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/project"
)

func TestWhatATemplateSaysBesideStatementsIsCompared(t *testing.T) {
	t.Parallel()
	resource := func(kind, properties string) string {
		return `"Resource": {"Type": "` + kind + `", "Properties": {` + properties + `}}, `
	}
	role := func(properties string) string { return resource("AWS::IAM::Role", properties) }
	trust := func(service string) string {
		return role(`"AssumeRolePolicyDocument": {"Statement": [{"Effect": "Allow", "Principal": {"Service": "` + service + `"}, "Action": "sts:AssumeRole"}]}`)
	}
	for name, tt := range map[string]struct{ was, now, want string }{
		"a managed policy more":         {role(""), role(`"ManagedPolicyArns": ["arn:aws:iam::aws:policy/AdministratorAccess"]`), "has a new managed policy: arn:aws:iam::aws:policy/AdministratorAccess"},
		"what it needs to run":          {role(""), role(`"ManagedPolicyArns": ["arn:aws:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole"]`), ""},
		"two managed policies":          {role(""), role(`"ManagedPolicyArns": ["arn:aws:iam::aws:policy/b", "arn:aws:iam::aws:policy/a"]`), "has a new managed policy: arn:aws:iam::aws:policy/a and arn:aws:iam::aws:policy/b"},
		"a managed policy less":         {role(`"ManagedPolicyArns": ["arn:aws:iam::aws:policy/AdministratorAccess"]`), role(""), ""},
		"one of their own less":         {role(`"ManagedPolicyArns": ["arn:aws:iam::1:policy/x"]`), role(""), "no longer has the managed policy arn:aws:iam::1:policy/x, which may have denied something"},
		"one that denies less":          {role(`"ManagedPolicyArns": ["arn:aws:iam::aws:policy/AWSDenyAll"]`), role(""), "no longer has the managed policy arn:aws:iam::aws:policy/AWSDenyAll, which may have denied something"},
		"managed policies by a value":   {role(""), role(`"ManagedPolicyArns": {"Ref": "x"}`), `has a new managed policy: * (Ref of "x", which is neither a parameter nor a resource here)`},
		"a boundary more":               {role(""), role(`"PermissionsBoundary": "b"`), ""},
		"a boundary less":               {role(`"PermissionsBoundary": "b"`), role(""), "no longer has the permissions boundary b"},
		"another boundary":              {role(`"PermissionsBoundary": "b"`), role(`"PermissionsBoundary": "c"`), "no longer has the permissions boundary b"},
		"the same trust":                {trust("lambda.amazonaws.com"), trust("lambda.amazonaws.com"), ""},
		"another trust":                 {trust("lambda.amazonaws.com"), trust("ec2.amazonaws.com"), "has a role that new callers may assume, or under different conditions"},
		"an address without a sign-in":  {"", resource("AWS::Lambda::Url", `"AuthType": "NONE"`), "has a new or changed URL of its own, with the sign-in NONE"},
		"its sign-in is gone":           {resource("AWS::Lambda::Url", `"AuthType": "AWS_IAM"`), resource("AWS::Lambda::Url", `"AuthType": "NONE"`), "has a new or changed URL of its own, with the sign-in NONE"},
		"a caller more":                 {"", resource("AWS::Lambda::Permission", `"Action": "lambda:InvokeFunction", "Principal": "s3.amazonaws.com"`), "may be called by new callers: s3.amazonaws.com"},
		"a schedule":                    {"", resource("AWS::Lambda::Permission", `"Principal": "events.amazonaws.com", "SourceArn": {"Fn::GetAtt": ["Daily", "Arn"]}`) + `"Daily": {"Type": "AWS::Events::Rule", "Properties": {"ScheduleExpression": "rate(1 day)"}}, `, ""},
		"events of others":              {"", resource("AWS::Lambda::Permission", `"Principal": "events.amazonaws.com", "SourceArn": {"Fn::GetAtt": ["Some", "Arn"]}`) + `"Some": {"Type": "AWS::Events::Rule", "Properties": {"ScheduleExpression": "rate(1 day)", "EventPattern": {}}}, `, "may be called by new callers: events.amazonaws.com"},
		"a caller for fewer conditions": {resource("AWS::Lambda::Permission", `"Principal": "s3.amazonaws.com", "SourceArn": "x"`), resource("AWS::Lambda::Permission", `"Principal": "s3.amazonaws.com"`), "may be called by new callers: s3.amazonaws.com"},
	} {
		in := func(more string) map[string]string {
			files := withPolicy("")
			const template = "function/books/books-cloudformation-template.json"
			files[template] = strings.Replace(files[template], `"Resources": {`, `"Resources": {`+more, 1)
			return files
		}
		r := of(t, state(t, project.Amplify, in(tt.was)), state(t, project.Amplify, in(tt.now)), "")
		var want []string
		if tt.want != "" {
			want = []string{"function: function books " + tt.want + " at amplify/backend/function/books"}
		}
		if diff := cmp.Diff(want, openings(r)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestPoliciesAreComparedWithTheParametersOfEachEnvironment(t *testing.T) {
	t.Parallel()
	at := func(bucket string) map[string]string {
		return with(withPolicy(statement("Allow", `"s3:*"`, `{"Ref": "a"}`), parameters), "../team-provider-info.json",
			`{"dev": {"categories": {"function": {"books": {"a": "`+bucket+`"}}}}}`)
	}
	was, now := state(t, project.Amplify, at("arn:aws:s3:::a/*")), state(t, project.Amplify, at("*"))
	want := []string{"function: function books may now use s3:* on *, in environment dev at amplify/backend/function/books"}
	if diff := cmp.Diff(want, openings(of(t, was, now, ""))); diff != "" {
		t.Error(diff)
	}
	want[0] = strings.Replace(want[0], ", in environment dev", "", 1)
	if diff := cmp.Diff(want, openings(of(t, was, now, "dev"))); diff != "" {
		t.Error(diff)
	}
	if r := of(t, now, was, ""); r.Widened() {
		t.Errorf("the way back opens %q", openings(r))
	}
}

func TestAPolicyOfOneEnvironmentIsCompared(t *testing.T) {
	t.Parallel()
	only := func(environment string) map[string]string {
		files := withPolicy(statement("Allow", `"s3:*"`, `"*"`), `"Parameters": {"env": {"Type": "String"}}, "Conditions": {"When": {"Fn::Equals": [{"Ref": "env"}, "`+environment+`"]}}, `)
		const template = "function/books/books-cloudformation-template.json"
		files[template] = strings.Replace(files[template], `"Policy": {`, `"Policy": {"Condition": "When", `, 1)
		return files
	}
	r := of(t, state(t, project.Amplify, only("test")), state(t, project.Amplify, only("prod")), "")
	want := []string{"function: function books may now use s3:* on *, under different conditions at amplify/backend/function/books"}
	if diff := cmp.Diff(want, openings(r)); diff != "" {
		t.Error(diff)
	}
}

func TestCustomPoliciesThatCannotBeReadAreWidened(t *testing.T) {
	t.Parallel()
	was := withPolicy("")
	r := of(t, state(t, project.Amplify, was), state(t, project.Amplify, with(was, "function/books/custom-policies.json", "[")), "")
	if got := openings(r); len(got) != 1 || !strings.Contains(got[0], "function books has unknown policies: amplify/backend/function/books/custom-policies.json:1:2: ") {
		t.Errorf("the openings are %q", got)
	}
}
