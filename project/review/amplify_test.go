package review_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/project"
)

// ofCLI is how the Amplify CLI names a thing of an environment in a template.
func ofCLI(sub, name string) string {
	return `{"Fn::Sub": ["` + sub + `", {"region": {"Ref": "AWS::Region"}, "account": {"Ref": "AWS::AccountId"}, "name": ` + name + `}]}`
}

const logActions = `["logs:CreateLogGroup", "logs:CreateLogStream", "logs:PutLogEvents"]`

// withRights is a project of two environments whose function books has what a new function gets, and more.
func withRights(statements string, sections ...string) map[string]string {
	ownLog := statement("Allow", logActions, ofCLI("arn:aws:logs:${region}:${account}:log-group:/aws/lambda/${name}:log-stream:*", `{"Ref": "LambdaFunction"}`))
	files := withPolicy(ownLog+statements, `"Parameters": {"env": {"Type": "String"}, "storageitemsName": {"Type": "String"}}, `+strings.Join(sections, ""))
	const template = "function/books/books-cloudformation-template.json"
	files[template] = strings.Replace(files[template], `"Properties": {}`,
		`"Properties": {"FunctionName": {"Fn::Join": ["", ["books-", {"Ref": "env"}]]}}`, 1)
	return with(files,
		"../team-provider-info.json", `{"dev": {"categories": {"function": {"books": {"x": "1"}}}}, "prod": {"categories": {"function": {"books": {"x": "2"}}}}}`,
		"storage/items/cli-inputs.json", `{"resourceName": "items", "tableName": "items", "partitionKey": {"fieldName": "id", "fieldType": "string"}}`,
		"backend-config.json", `{"function": {"books": {"service": "Lambda"}}, "storage": {"items": {"service": "DynamoDB"}}}`)
}

func TestAFunctionOfTheAmplifyCLIIsSaidOnceForAllEnvironments(t *testing.T) {
	t.Parallel()
	table := ofCLI("arn:aws:dynamodb:${region}:${account}:table/${name}", `{"Ref": "storageitemsName"}`)
	joined := `{"Fn::Join": ["", ["arn:aws:dynamodb:", {"Ref": "AWS::Region"}, ":", {"Ref": "AWS::AccountId"}, ":table/items-", {"Ref": "env"}]]}`
	items := statement("Allow", `["dynamodb:GetItem", "dynamodb:Scan", "dynamodb:PutItem"]`, `[`+table+`, `+strings.Replace(table, "${name}", "${name}/index/*", 1)+`]`)
	crud := withRights(", " + items)
	bare := with(crud, "function/books/books-cloudformation-template.json", "", "function/books/src/index.js", "", "backend-config.json", `{"storage": {"items": {"service": "DynamoDB"}}}`)
	const here = " at amplify/backend/function/books"
	const rights = "function: function books may now use dynamodb:GetItem, PutItem, Scan on table/items-${env} and table/items-${env}/index/*" + here
	for name, tt := range map[string]struct {
		was, now map[string]string
		want     []string
	}{
		"a new function with its log":   {bare, withRights(""), nil},
		"a new function with rights":    {bare, crud, []string{rights}},
		"rights for one that was there": {withRights(""), crud, []string{rights}},
		"an action more": {
			crud, with(crud, "function/books/books-cloudformation-template.json", strings.Replace(crud["function/books/books-cloudformation-template.json"], `"dynamodb:Scan"`, `"dynamodb:Scan", "dynamodb:DeleteTable"`, 1)),
			[]string{"function: function books may now use dynamodb:DeleteTable on table/items-${env} and table/items-${env}/index/*" + here},
		},
		"the same, written otherwise": {withRights(", " + statement("Allow", `"dynamodb:GetItem"`, table)), withRights(", " + statement("Allow", `"dynamodb:GetItem"`, joined)), nil},
		"two things in two lines": {
			withRights(""), withRights(", " + statement("Allow", `["s3:GetObject"]`, `"arn:aws:s3:::a/*"`) + ", " + statement("Allow", `["s3:ListBucket"]`, `"arn:aws:s3:::a"`) + ", " + statement("Allow", `"ses:SendEmail"`, `"*"`)),
			[]string{"function: function books may now use s3:GetObject, ListBucket on a and a/*" + here, "function: function books may now use ses:SendEmail on *" + here},
		},
		"another account": {
			withRights(""), withRights(", " + statement("Allow", `"sqs:SendMessage"`, `"arn:aws:sqs:eu-central-1:123456789012:q"`)),
			[]string{"function: function books may now use sqs:SendMessage on arn:aws:sqs:eu-central-1:123456789012:q" + here},
		},
	} {
		r := of(t, state(t, project.Amplify, tt.was), state(t, project.Amplify, tt.now), "")
		if diff := cmp.Diff(tt.want, openings(r)); diff != "" || r.Widened() != (len(tt.want) > 0) {
			t.Errorf("%s: widened %v\n%s", name, r.Widened(), diff)
		}
	}
}

func TestWhatAFunctionNeedsToRunOpensNothing(t *testing.T) {
	t.Parallel()
	network := statement("Allow", `["ec2:CreateNetworkInterface", "ec2:DescribeNetworkInterfaces", "ec2:DeleteNetworkInterface"]`, `"*"`)
	traces := statement("Allow", `["xray:PutTraceSegments", "xray:PutTelemetryRecords"]`, `["*"]`)
	inNetwork := func(files map[string]string) map[string]string {
		const template = "function/books/books-cloudformation-template.json"
		return with(files, template, strings.Replace(files[template], `"Properties": {"FunctionName"`, `"Properties": {"VpcConfig": {"SubnetIds": ["s"]}, "FunctionName"`, 1))
	}
	logOf := func(group string) string {
		return ", " + statement("Allow", `"logs:PutLogEvents"`, `"arn:aws:logs:*:*:log-group:`+group+`:*"`)
	}
	none := map[string]string{"backend-config.json": `{}`}
	for name, tt := range map[string]struct {
		was, now map[string]string
		opens    bool
	}{
		"a new one in a network":         {none, withRights(", " + network), false},
		"a new one with traces":          {none, withRights(", " + traces), false},
		"one that is put into a network": {withRights(""), inNetwork(withRights(", " + network)), false},
		"one in no network":              {withRights(""), withRights(", " + network), true},
		"writing another log":            {none, withRights(logOf("/aws/lambda/other")), false},
		"writing any log":                {none, withRights(", " + statement("Allow", logActions, `"*"`)), false},
		"reading logs":                   {none, withRights(", " + statement("Allow", `["logs:GetLogEvents"]`, `"*"`)), true},
		"everything of all logs":         {none, withRights(", " + statement("Allow", `"logs:*"`, `"*"`)), true},
		"everything of a log":            {none, withRights(", " + statement("Allow", `"logs:*"`, ofCLI("arn:aws:logs:${region}:${account}:log-group:/aws/lambda/${name}:*", `{"Ref": "LambdaFunction"}`))), true},
	} {
		r := of(t, state(t, project.Amplify, tt.was), state(t, project.Amplify, tt.now), "")
		if r.Widened() != tt.opens {
			t.Errorf("%s: widened %v, %q", name, r.Widened(), openings(r))
		}
	}
}

func TestParametersOfSeveralEnvironmentsAreNamedTogether(t *testing.T) {
	t.Parallel()
	at := func(bucket string) map[string]string {
		return with(withPolicy(statement("Allow", `"s3:*"`, `{"Ref": "a"}`), parameters), "../team-provider-info.json",
			strings.ReplaceAll(`{"dev": {"categories": {"function": {"books": {"a": "X"}}}}, "prod": {"categories": {"function": {"books": {"a": "X"}}}}}`, "X", bucket))
	}
	r := of(t, state(t, project.Amplify, at("arn:aws:s3:::a/*")), state(t, project.Amplify, at("arn:aws:s3:::*")), "")
	want := []string{"function: function books may now use s3:* on arn:aws:s3:::*, in environments dev and prod at amplify/backend/function/books"}
	if diff := cmp.Diff(want, openings(r)); diff != "" {
		t.Error(diff)
	}
}
