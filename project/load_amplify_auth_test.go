package project_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"gatewright/model"
	"gatewright/project"
	"gatewright/project/disk"
	"gatewright/project/read"
	"gatewright/project/validate"
)

// amplifyFiles opens a project of the Amplify CLI with one API and more files, by their
// names below amplify/.
func amplifyFiles(t *testing.T, files map[string]string) *project.Project {
	t.Helper()
	fsys := disk.Memory()
	put(t, fsys, "amplify/backend/api/shop/cli-inputs.json", `{"version": 1, "paths": {"/items": {"name": "/items", "lambdaFunction": "items", "permissions": {"setting": "open"}}}}`)
	for name, text := range files {
		put(t, fsys, "amplify/"+name, text)
	}
	return load(t, fsys, project.Amplify)
}

func TestTheUserPoolOfTheAmplifyCLIIsRead(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		files  map[string]string
		want   string
		groups []string
	}{
		{
			"today's answers",
			map[string]string{"backend/auth/shop1/cli-inputs.json": `{"version": "1", "cognitoConfig": {
				"authSelections": "identityPoolAndUserPool", "allowUnauthenticatedIdentities": true, "mfaConfiguration": "OPTIONAL", "mfaTypes": ["SMS Text Message", "TOTP"],
				"passwordPolicyMinLength": 10, "passwordPolicyCharacters": ["Requires Lowercase", "Requires Numbers"], "requiredAttributes": ["email", "name", "shoe_size"],
				"usernameAttributes": ["email"], "autoVerifiedAttributes": ["email"], "userPoolGroupList": ["Admins", "Editors"]}}`},
			`{"password_policy":{"min_length":10,"require_numbers":true,"require_lowercase":true,"require_uppercase":false,"require_symbols":false},"standard_required_attributes":["email","name"],"username_attributes":["email"],"user_verification_types":["email"],"unauthenticated_identities_enabled":true,"mfa_configuration":"OPTIONAL","mfa_methods":["SMS","TOTP"]}`,
			[]string{"Admins", "Editors"},
		},
		{
			"an older project, without guests",
			map[string]string{"backend/auth/shop1/parameters.json": `{
				"authSelections": "userPoolOnly", "mfaConfiguration": "OFF", "mfaTypes": ["SMS Text Message"], "passwordPolicyMinLength": "6", "passwordPolicyCharacters": [],
				"usernameAttributes": ["email, phone_number"], "requiredAttributes": ["email"]}`},
			`{"password_policy":{"min_length":6,"require_numbers":false,"require_lowercase":false,"require_uppercase":false,"require_symbols":false},"standard_required_attributes":["email"],"username_attributes":["email","phone_number"],"unauthenticated_identities_enabled":false,"mfa_configuration":"NONE"}`, nil,
		},
		{
			"the registered one of several, with groups in their order",
			map[string]string{
				"backend/auth/a/cli-inputs.json":                              `{"cognitoConfig": {"requiredAttributes": ["name"]}}`,
				"backend/auth/b/cli-inputs.json":                              `{"cognitoConfig": {"requiredAttributes": ["email"], "userPoolGroupList": ["x"]}}`,
				"backend/auth/userPoolGroups/user-pool-group-precedence.json": `[{"groupName": "two", "precedence": 2}, {"groupName": "one", "precedence": 1}]`,
				"backend/backend-config.json":                                 `{"auth": {"a": {"service": "Elsewhere"}, "b": {"service": "Cognito"}, "userPoolGroups": {"service": "Cognito-UserPool-Groups"}}, "api": {"shop": {"service": "API Gateway"}}}`,
			},
			`{"standard_required_attributes":["email"]}`,
			[]string{"one", "two"},
		},
		{"nonsense", map[string]string{"backend/auth/a/cli-inputs.json": `{"cognitoConfig": {"requiredAttributes": 5, "passwordPolicyMinLength": [], "mfaConfiguration": {}, "userPoolGroupList": {"a": 1}}}`}, `{"password_policy":{"require_numbers":false,"require_lowercase":false,"require_uppercase":false,"require_symbols":false}}`, nil},
		{"no JSON", map[string]string{"backend/auth/a/cli-inputs.json": `{`}, "null", nil},
	} {
		p := amplifyFiles(t, test.files)
		got, err := json.Marshal(p.Backend.Auth)
		// The Amplify CLI makes two clients.
		if err != nil || strings.Replace(string(got), `,"native_client":true`, "", 1) != test.want || (test.want != "null") == (string(got) == test.want) {
			t.Errorf("%s: it is %s %v", test.name, got, err)
		}
		if !slices.Equal(p.Backend.Groups, test.groups) {
			t.Errorf("%s: the groups are %q", test.name, p.Backend.Groups)
		}
		// Its paths are all open, and it has a pool all the same.
		if p.Backend.UsesUserPool() != (test.want != "null") {
			t.Errorf("%s: it has a pool: %t", test.name, p.Backend.UsesUserPool())
		}
		for _, problem := range validate.Project(p) {
			if problem.Level == model.Error {
				t.Errorf("%s: %s", test.name, problem)
			}
		}
	}
}

func TestTablesOfTheAmplifyCLIHaveTheNamesOfTheirDeployment(t *testing.T) {
	t.Parallel()
	p := amplifyFiles(t, map[string]string{
		"backend/storage/db/cli-inputs.json":    `{"resourceName": "db", "tableName": "notes", "partitionKey": {"fieldName": "id", "fieldType": "string"}, "sortKey": {"fieldName": "at", "fieldType": "number"}, "gsi": [{"name": "byOwner", "partitionKey": {"fieldName": "owner", "fieldType": "binary"}}, {"name": ""}]}`,
		"backend/storage/old/parameters.json":   `{"tableName": "old-notes", "partitionKeyName": "id", "partitionKeyType": "S"}`,
		"backend/storage/older/parameters.json": `{"tableName": "older", "partitionKeyName": "id", "partitionKeyType": "N"}`,
		"backend/storage/older/older-cloudformation-template.json": `{
			"Parameters": {"tableName": {"Type": "String"}, "partitionKeyName": {"Type": "String"}, "partitionKeyType": {"Type": "String"}, "env": {"Type": "String"}},
			"Conditions": {"None": {"Fn::Equals": [{"Ref": "env"}, "NONE"]}},
			"Resources": {"DynamoDBTable": {"Type": "AWS::DynamoDB::Table", "Properties": {
				"TableName": {"Fn::If": ["None", {"Ref": "tableName"}, {"Fn::Join": ["", [{"Ref": "tableName"}, "-", {"Ref": "env"}]]}]},
				"AttributeDefinitions": [{"AttributeName": {"Ref": "partitionKeyName"}, "AttributeType": {"Ref": "partitionKeyType"}}, {"AttributeName": "owner", "AttributeType": "S"}],
				"KeySchema": [{"AttributeName": {"Ref": "partitionKeyName"}, "KeyType": "HASH"}],
				"GlobalSecondaryIndexes": [{"IndexName": "byOwner", "KeySchema": [{"AttributeName": "owner", "KeyType": "HASH"}, {"AttributeName": "id", "KeyType": "RANGE"}]}]}}}}`,
		"backend/storage/yaml/template.yaml": "Resources:\n  T:\n    Type: AWS::DynamoDB::Table\n    Properties:\n      TableName: plain\n      AttributeDefinitions: [{AttributeName: id, AttributeType: S}]\n      KeySchema: [{AttributeName: id, KeyType: HASH}]\n",
		"backend/storage/s3/cli-inputs.json": `{"resourceName": "s3", "bucketName": "covers"}`,
	})
	want := []*model.Table{
		{Name: "db", DeployedAs: "notes", PartitionKey: model.Key{Name: "id", Type: model.StringKey}, SortKey: model.Key{Name: "at", Type: model.NumberKey}, Indexes: []model.Index{{Name: "byOwner", PartitionKey: model.Key{Name: "owner", Type: model.BinaryKey}}}},
		{Name: "old", DeployedAs: "old-notes", PartitionKey: model.Key{Name: "id", Type: model.StringKey}},
		{Name: "older", DeployedAs: "older", PartitionKey: model.Key{Name: "id", Type: model.NumberKey}, Indexes: []model.Index{{Name: "byOwner", PartitionKey: model.Key{Name: "owner", Type: model.StringKey}, SortKey: model.Key{Name: "id", Type: model.NumberKey}}}},
		{Name: "yaml", DeployedAs: "plain", PartitionKey: model.Key{Name: "id", Type: model.StringKey}},
	}
	got, _ := json.Marshal(p.Backend.Tables)
	expected, _ := json.Marshal(want)
	if string(got) != string(expected) {
		t.Errorf("the tables are %s", got)
	}
	if name := p.Backend.Tables[0].DeployedName("qa"); name != "notes-qa" {
		t.Errorf("the deployed table is %s", name)
	}
	if buckets := p.Amplify.Buckets(); len(buckets) != 1 || buckets[0].Name != "covers" {
		t.Errorf("the buckets are %+v", buckets)
	}
}

func TestTheEnvironmentOfTheAmplifyCLIIsChosen(t *testing.T) {
	t.Parallel()
	environments := map[string]string{"team-provider-info.json": `{"prod": {}, "qa": {}}`}
	if env := amplifyFiles(t, environments).CurrentEnvironment(); env == nil || env.Name != "prod" {
		t.Errorf("without a choice it is %+v", env)
	}
	broken := amplifyFiles(t, map[string]string{"team-provider-info.json": "{\n<<<<<<< HEAD\n"})
	if err := read.FirstError(validate.Project(broken)); err != nil || len(broken.Backend.Environments) != 1 {
		t.Errorf("a broken list of environments is an error: %v", err)
	}
	if got := lines(broken.Problems); !strings.Contains(got, "warning: amplify/team-provider-info.json:2:1: ") || !strings.Contains(got, "the environments are unknown until then") {
		t.Errorf("problems are %s", got)
	}
	if env := broken.CurrentEnvironment(); env == nil || env.Name != "dev" || env.Provider != model.Local {
		t.Errorf("without a list it is %+v", env)
	}
	environments[".config/local-env-info.json"] = `{"projectPath": "/x", "envName": "qa"}`
	if env := amplifyFiles(t, environments).CurrentEnvironment(); env == nil || env.Name != "qa" {
		t.Errorf("it is %+v", env)
	}
}

// TestTheTriggersOfTheAmplifyCLIAreRead: the answers are an object or a text, and the functions
// are named after the resource and the moment, or in dependsOn.
func TestTheTriggersOfTheAmplifyCLIAreRead(t *testing.T) {
	t.Parallel()
	const handler = `{"Resources": {"LambdaFunction": {"Type": "AWS::Lambda::Function", "Properties": {"Handler": "index.handler", "Runtime": "nodejs22.x"}}}}`
	function := func(files map[string]string, names ...string) map[string]string {
		for _, name := range names {
			files["backend/function/"+name+"/"+name+"-cloudformation-template.json"] = handler
		}
		return files
	}
	for _, test := range []struct {
		name  string
		files map[string]string
		want  []model.Trigger
	}{
		{
			"today's answers",
			function(map[string]string{"backend/auth/shop1/cli-inputs.json": `{"cognitoConfig": {"triggers": {"PostConfirmation": ["add-to-group"], "PreSignup": ["custom"]}}}`}, "shop1PostConfirmation", "shop1PreSignup"),
			[]model.Trigger{{At: model.PreSignUp, Function: "shop1PreSignup"}, {At: model.PostConfirmation, Function: "shop1PostConfirmation"}},
		},
		{
			"an older project",
			function(map[string]string{"backend/auth/shop1/parameters.json": `{"triggers": "{\n \"CustomMessage\": [\"verification-link\"]\n}",
				"dependsOn": [{"category": "function", "resourceName": "old1CustomMessage", "triggerProvider": "Cognito", "attributes": ["Arn", "Name"]}]}`}, "old1CustomMessage"),
			[]model.Trigger{{At: model.CustomMessage, Function: "old1CustomMessage"}},
		},
		{
			"named in backend-config.json",
			function(map[string]string{
				"backend/auth/shop1/cli-inputs.json": `{"cognitoConfig": {"triggers": "{\"DefineAuthChallenge\": []}"}}`,
				"backend/backend-config.json":        `{"auth": {"shop1": {"service": "Cognito", "dependsOn": [{"category": "function", "resourceName": "meDefineAuthChallenge"}]}}}`,
			}, "meDefineAuthChallenge"),
			[]model.Trigger{{At: model.DefineAuthChallenge, Function: "meDefineAuthChallenge"}},
		},
		{
			"the owner's template",
			function(map[string]string{
				"backend/auth/shop1/cli-inputs.json": `{"cognitoConfig": {"triggers": "[]"}}`,
				"backend/auth/shop1/shop1-cloudformation-template.json": `{"Parameters": {"functionclaimsArn": {"Type": "String"}}, "Resources": {"UserPool": {"Type": "AWS::Cognito::UserPool", "Properties": {"LambdaConfig": {
					"PreTokenGeneration": {"Ref": "functionclaimsArn"}, "PreTokenGenerationConfig": {"LambdaArn": {"Ref": "functionclaimsArn"}, "LambdaVersion": "V2_0"}, "UserMigration": {"Ref": "functionmoveArn"}, "PreSignUp": "arn:of:another"}}}}}`,
			}, "claims", "move"),
			[]model.Trigger{{At: model.PreTokenGenerationV2, Function: "claims"}, {At: model.UserMigration, Function: "move"}},
		},
		{"nonsense", map[string]string{"backend/auth/shop1/cli-inputs.json": `{"cognitoConfig": {"triggers": "{", "dependsOn": 4}}`}, nil},
		{"a moment that is none", map[string]string{"backend/auth/shop1/cli-inputs.json": `{"cognitoConfig": {"triggers": {"Sometimes": ["x"]}}}`}, nil},
	} {
		p := amplifyFiles(t, test.files)
		if !slices.Equal(p.Backend.Triggers, test.want) {
			t.Errorf("%s: the triggers are %v, want %v", test.name, p.Backend.Triggers, test.want)
		}
		for _, problem := range validate.Backend(p) {
			if problem.Level == model.Error {
				t.Errorf("%s: %s", test.name, problem)
			}
		}
	}
	p := amplifyFiles(t, map[string]string{"backend/auth/shop1/cli-inputs.json": `{"cognitoConfig": {"triggers": {"PreSignup": ["custom"]}}}`})
	if got := lines(validate.Project(p)); !strings.Contains(got, "names the function shop1PreSignup, which does not exist") {
		t.Errorf("a function that is missing is told as %s", got)
	}
}

// TestTheFunctionsOfATableOfTheAmplifyCLIAreRead: the answers name them, and the mapping in the
// template of each says how it is called.
func TestTheFunctionsOfATableOfTheAmplifyCLIAreRead(t *testing.T) {
	t.Parallel()
	mapping := func(properties string) string {
		return `{"Resources": {"LambdaFunction": {"Type": "AWS::Lambda::Function", "Properties": {"Handler": "index.handler", "Runtime": "nodejs22.x"}},
			"Mapping": {"Type": "AWS::Lambda::EventSourceMapping", "Properties": ` + properties + `}}}`
	}
	p := amplifyFiles(t, map[string]string{
		"backend/storage/orders/cli-inputs.json": `{"tableName": "orders", "partitionKey": {"fieldName": "id", "fieldType": "string"}, "triggerFunctions": ["audit"]}`,
		"backend/function/audit/audit-cloudformation-template.json": mapping(`{"BatchSize": 20, "StartingPosition": "LATEST", "EventSourceArn": {"Ref": "storageordersStreamArn"},
			"MaximumRetryAttempts": 2, "FunctionResponseTypes": ["ReportBatchItemFailures"], "BisectBatchOnFunctionError": true}`),
		"backend/function/index/index-cloudformation-template.json": mapping(`{"StartingPosition": "TRIM_HORIZON", "EventSourceArn": {"Ref": "storageordersStreamArn"}, "MaximumRetryAttempts": -1}`),
		"backend/function/model/model-cloudformation-template.json": mapping(`{"EventSourceArn": {"Fn::ImportValue": "other"}}`),
	})
	want := []model.StreamTrigger{
		{Function: "audit", From: model.FromLatest, BatchSize: 20, Attempts: 3, Bisect: true, ReportFailures: true},
		{Function: "index", From: model.FromOldest},
	}
	table := p.Backend.Table("orders")
	if table == nil || !slices.Equal(table.Triggers, want) || table.View() != "NEW_IMAGE" {
		t.Errorf("the table is %+v", table)
	}
}
