package review_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/project"
)

// withPolicy makes the files of a project of the Amplify CLI whose function books has statements
// in its template, in the given sections.
func withPolicy(statements string, sections ...string) map[string]string {
	return map[string]string{
		"backend-config.json": `{"function": {"books": {"service": "Lambda"}}}`,
		"function/books/books-cloudformation-template.json": `{` + strings.Join(sections, "") + `"Resources": {
			"LambdaFunction": {"Type": "AWS::Lambda::Function", "Properties": {}},
			"Policy": {"Type": "AWS::IAM::Policy", "Properties": {"PolicyDocument": {"Statement": [` + statements + `]}}}}}`,
		"function/books/src/index.js": "one",
	}
}

func statement(effect, action, resource string, more ...string) string {
	return `{"Effect": "` + effect + `", "Action": ` + action + `, "Resource": ` + resource + strings.Join(more, "") + `}`
}

const (
	all        = statementAllow + `"Resource": "*"}`
	onA, onB   = `"arn:aws:s3:::a/*"`, `"arn:aws:s3:::b/*"`
	only10     = `, "Condition": {"IpAddress": {"aws:SourceIp": "10.0.0.0/8"}}`
	only192    = `, "Condition": {"IpAddress": {"aws:SourceIp": "192.168.0.0/16"}}`
	parameters = `"Parameters": {"a": {"Type": "String"}, "b": {"Type": "String"}}, `

	statementAllow = `{"Effect": "Allow", "Action": "s3:*", `
)

func TestADenialThatIsGoneOrSmallerIsWidened(t *testing.T) {
	t.Parallel()
	get := `"s3:GetObject"`
	for name, tt := range map[string]struct {
		was, now string
		want     []string
	}{
		"the same":                   {statement("Deny", get, onA), statement("Deny", `["S3:getobject"]`, `[`+onA+`]`, `, "Sid": "x"`), nil},
		"one more":                   {"", statement("Deny", get, onA), nil},
		"gone":                       {statement("Deny", get, onA), "", []string{"is no longer denied s3:GetObject on a/*"}},
		"an action less":             {statement("Deny", `["s3:GetObject", "s3:PutObject"]`, onA), statement("Deny", get, onA), []string{"is no longer denied s3:PutObject on a/*"}},
		"in two statements":          {statement("Deny", `["s3:GetObject", "s3:PutObject"]`, onA), statement("Deny", get, onA) + "," + statement("Deny", `"s3:Put*"`, onA), nil},
		"all actions":                {statement("Deny", get, onA), statement("Deny", `"*"`, `"*"`), nil},
		"another resource":           {statement("Deny", get, onA), statement("Deny", get, onB), []string{"is no longer denied s3:GetObject on a/*"}},
		"fewer by a pattern":         {statement("Deny", `"s3:*"`, onA), statement("Deny", `"s3:Get*"`, onA), []string{"is no longer denied s3:* on a/*"}},
		"one letter for many":        {statement("Deny", get, `"a*"`), statement("Deny", get, `"a?"`), []string{"is no longer denied s3:GetObject on a*"}},
		"letters for a variable":     {statement("Deny", get, `"${a:b}"`), statement("Deny", get, `"??????"`), []string{`is no longer denied s3:GetObject on ${a:b}`}},
		"under a condition now":      {statement("Deny", get, onA), statement("Deny", get, onA, only10), []string{"is denied s3:GetObject on a/* only under conditions now"}},
		"a condition less":           {statement("Deny", get, onA, only10), statement("Deny", get, onA), nil},
		"another condition":          {statement("Deny", get, onA, only10), statement("Deny", get, onA, only192), []string{"is denied s3:GetObject on a/* under different conditions"}},
		"the same condition":         {statement("Deny", get, onA, only10), statement("Deny", `"s3:*"`, onA, only10), nil},
		"a condition gone with it":   {statement("Deny", get, onA, only10), "", []string{"is no longer denied s3:GetObject on a/*, under conditions"}},
		"an exception more":          {`{"Effect": "Deny", "NotAction": "s3:Get*", "Resource": "*"}`, `{"Effect": "Deny", "NotAction": ["s3:Get*", "s3:Put*"], "Resource": "*"}`, []string{"is no longer denied anything but s3:Get* on *"}},
		"an exception less":          {`{"Effect": "Deny", "NotAction": ["s3:Get*", "s3:Put*"], "Resource": "*"}`, `{"Effect": "Deny", "NotAction": "s3:GetObject", "Resource": "*"}`, nil},
		"all for all but one":        {`{"Effect": "Deny", "NotAction": "s3:Get*", "Resource": "*"}`, statement("Deny", `"*"`, `"*"`), nil},
		"all but one for another":    {statement("Deny", get, onA), `{"Effect": "Deny", "NotAction": "s3:Put*", "Resource": "*"}`, nil},
		"all but one for this one":   {statement("Deny", get, onA), `{"Effect": "Deny", "NotAction": "s3:Get*", "Resource": "*"}`, []string{"is no longer denied s3:GetObject on a/*"}},
		"unknown, and the same":      {statement("Deny", get, `{"Ref": "a"}`), statement("Deny", get, `{"Ref": "a"}`), nil},
		"unknown, and another":       {statement("Deny", get, `{"Ref": "a"}`), statement("Deny", get, `{"Ref": "b"}`), []string{`is no longer denied s3:GetObject on ${a}`}},
		"allowed instead":            {statement("Deny", get, onA), statement("Allow", get, onA), []string{"is no longer denied s3:GetObject on a/*", "may now use s3:GetObject on a/*"}},
		"with an effect by a value":  {statement("Deny", get, onA), `{"Effect": {"Ref": "a"}, "Action": "s3:GetObject", "Resource": ` + onA + `}`, []string{"is no longer denied s3:GetObject on a/*", "may now use s3:GetObject on a/*"}},
		"known only in a deployment": {`{"Fn::If": ["When", ` + statement("Deny", get, onA) + `, {"Ref": "AWS::NoValue"}]}`, "", []string{"has lost or changed a statement that only a deployment knows and that may deny something"}},
	} {
		r := of(t, state(t, project.Amplify, withPolicy(tt.was, parameters)), state(t, project.Amplify, withPolicy(tt.now, parameters)), "")
		var want []string
		for _, text := range tt.want {
			want = append(want, "function: function books "+text+" at amplify/backend/function/books")
		}
		if diff := cmp.Diff(want, openings(r)); diff != "" || r.Widened() != (len(want) > 0) {
			t.Errorf("%s: widened %v\n%s", name, r.Widened(), diff)
		}
	}
}

func TestWhatAStatementAllowsIsComparedWithItsConditions(t *testing.T) {
	t.Parallel()
	when := func(a string) string {
		return `"Parameters": {"a": {"Type": "String"}}, "Conditions": {"When": {"Fn::Equals": [{"Ref": "a"}, "` + a + `"]}}, `
	}
	maybe := `{"Fn::If": ["When", ` + statement("Allow", `"s3:Get*"`, onA) + `, {"Ref": "AWS::NoValue"}]}`
	for name, tt := range map[string]struct {
		was, now map[string]string
		want     []string
	}{
		"within what it had":        {withPolicy(all), withPolicy(statement("Allow", `"S3:GetObject"`, onA)), nil},
		"another condition":         {withPolicy(statement("Allow", `"s3:*"`, onA, only10)), withPolicy(statement("Allow", `"s3:*"`, onA, only192)), []string{"may now use s3:* on a/*, under different conditions"}},
		"a condition less":          {withPolicy(statement("Allow", `"s3:*"`, onA, only10)), withPolicy(statement("Allow", `"s3:*"`, onA)), []string{"may now use s3:* on a/*"}},
		"another unknown":           {withPolicy(statement("Allow", `"s3:*"`, `{"Ref": "a"}`), parameters), withPolicy(statement("Allow", `"s3:*"`, `{"Ref": "b"}`), parameters), []string{`may now use s3:* on ${b}`}},
		"the same, if unknown":      {withPolicy(maybe, when("x")), withPolicy(maybe, when("x")), nil},
		"if something else unknown": {withPolicy(maybe, when("x")), withPolicy(maybe, when("y")), []string{"has a new policy: a statement that only a deployment knows", "has lost or changed a statement that only a deployment knows and that may deny something"}},
	} {
		r := of(t, state(t, project.Amplify, tt.was), state(t, project.Amplify, tt.now), "")
		var want []string
		for _, text := range tt.want {
			want = append(want, "function: function books "+text+" at amplify/backend/function/books")
		}
		if diff := cmp.Diff(want, openings(r)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestADenialOfCustomPoliciesThatIsGoneIsWidened(t *testing.T) {
	t.Parallel()
	custom := func(text string) map[string]string {
		return with(withPolicy(all), "function/books/custom-policies.json", text)
	}
	was := custom(`[{"Effect": "Deny", "Action": ["s3:DeleteObject"], "Resource": ["arn:aws:s3:::a-${env}/*"]}]`)
	want := []string{"function: function books is no longer denied s3:DeleteObject on a-${env}/* at amplify/backend/function/books"}
	for _, now := range []string{"", `[]`, `[{"Effect": "Deny", "Action": ["s3:DeleteObject"], "Resource": ["arn:aws:s3:::a-dev/*"]}]`} {
		r := of(t, state(t, project.Amplify, was), state(t, project.Amplify, custom(now)), "")
		if diff := cmp.Diff(want, openings(r)); diff != "" {
			t.Errorf("%s: %s", now, diff)
		}
	}
	if r := of(t, state(t, project.Amplify, custom(`[]`)), state(t, project.Amplify, was), ""); r.Widened() {
		t.Errorf("a new denial opens %q", openings(r))
	}
}
