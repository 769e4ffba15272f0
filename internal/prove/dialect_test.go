package prove_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"gatewright/internal/cfn"
	"gatewright/internal/prove"
	"gatewright/model"
	"gatewright/model/access"
)

// votes is a project with a path that guests read and signed-in users vote on, and one for
// everybody.
func votes(extra ...access.Grant) *model.Backend {
	grants := append([]access.Grant{entry(access.Guest, "", access.Actions(access.Read)), entry(access.Authenticated, "", access.EveryAction)}, extra...)
	return &model.Backend{APIs: []*access.API{{Label: "polls", Paths: []*access.Path{
		{Name: "/vote", Function: "votes", Access: access.Access{Setting: access.Protected, Grants: grants}},
		{Name: "/news", Function: "votes", Access: access.Access{Setting: access.Open}},
	}}}}
}

func compareText(t *testing.T, b *model.Backend, text string, open prove.Open) *prove.Report {
	t.Helper()
	d, err := prove.Read(parse(t, []byte(text)), nil, open)
	if err != nil {
		t.Fatal(err)
	}
	return prove.Compare(d, b, prove.Options{})
}

func sentences(r *prove.Report) string {
	var lines []string
	for _, d := range r.Differences {
		lines = append(lines, d.String())
	}
	return strings.Join(append(lines, r.Undecided...), "\n")
}

// The API as the Amplify CLI's first generation writes it: an OpenAPI document, and policies
// in a stack of their own that name the roles by parameters.
const (
	generationRoot = `{"Parameters": {"AuthRoleName": {"Type": "String"}, "UnauthRoleName": {"Type": "String"}}, "Resources": {
		"AuthRole": {"Type": "AWS::IAM::Role", "Properties": {"RoleName": {"Ref": "AuthRoleName"}}},
		"UnauthRole": {"Type": "AWS::IAM::Role", "Properties": {"RoleName": {"Ref": "UnauthRoleName"}}},
		"apipolls": {"Type": "AWS::CloudFormation::Stack", "Properties": {"TemplateURL": "https://s3.amazonaws.com/b/api/polls.json", "Parameters": {"env": "dev"}}},
		"Access": {"Type": "AWS::CloudFormation::Stack", "Properties": {"TemplateURL": "https://s3.amazonaws.com/b/access.json", "Parameters": {
			"authRoleName": {"Ref": "AuthRoleName"}, "unauthRoleName": {"Ref": "UnauthRoleName"}, "env": "dev", "polls": {"Fn::GetAtt": ["apipolls", "Outputs.ApiId"]}}}},
		"Roles": {"Type": "AWS::CloudFormation::Stack", "Properties": {"TemplateURL": "https://s3.amazonaws.com/b/roles.json", "Parameters": {
			"auth": {"Fn::GetAtt": ["AuthRole", "Arn"]}, "unauth": {"Fn::GetAtt": ["UnauthRole", "Arn"]}}}}}}`
	generationAPI = `{"Parameters": {"env": {"Type": "String", "Default": "NONE"}}, "Conditions": {"Without": {"Fn::Equals": [{"Ref": "env"}, "NONE"]}}, "Resources": {
		"polls": {"Type": "AWS::ApiGateway::RestApi", "Properties": {"Name": "polls", "Body": {"swagger": "2.0",
			"securityDefinitions": {"sigv4": {"type": "apiKey", "in": "header", "name": "Authorization", "x-amazon-apigateway-authtype": "awsSigv4"}},
			"paths": {%s}}}},
		"Deployed": {"Type": "AWS::ApiGateway::Deployment", "Properties": {"RestApiId": {"Ref": "polls"}, "StageName": {"Fn::If": ["Without", "Prod", {"Ref": "env"}]}}}},
		"Outputs": {"ApiId": {"Value": {"Ref": "polls"}}}}`
	generationPath = `"%[1]s": {"options": {}, "x-amazon-apigateway-any-method": {%[2]s}}, "%[1]s/{proxy+}": {"options": {}, "x-amazon-apigateway-any-method": {%[2]s}}`
	signed         = `"security": [{"sigv4": []}]`
	generationPool = `{"Parameters": {"auth": {"Type": "String"}, "unauth": {"Type": "String"}}, "Resources": {
		"Attached": {"Type": "AWS::Cognito::IdentityPoolRoleAttachment", "Properties": {"Roles": {"authenticated": {"Ref": "auth"}, "unauthenticated": {"Ref": "unauth"}}}}}}`
)

// generationAccess writes policies as that tool does.
func generationAccess(users, guests []string) string {
	arns := func(methods []string) string {
		var all []string
		for _, m := range methods {
			for _, below := range []string{"", "/*"} {
				all = append(all, fmt.Sprintf(`{"Fn::Join": ["", ["arn:aws:execute-api:", {"Ref": "AWS::Region"}, ":", {"Ref": "AWS::AccountId"}, ":", {"Ref": "polls"}, "/", {"Ref": "env"}, "/%s/vote%s"]]}`, m, below))
			}
		}
		return strings.Join(all, ", ")
	}
	policy := func(id, role string, methods []string) string {
		return fmt.Sprintf(`"%s": {"Type": "AWS::IAM::ManagedPolicy", "Properties": {"Roles": [{"Ref": "%s"}], "PolicyDocument": {"Statement": [
			{"Effect": "Allow", "Action": ["execute-api:Invoke"], "Resource": [%s]}]}}}`, id, role, arns(methods))
	}
	return `{"Parameters": {"authRoleName": {"Type": "String"}, "unauthRoleName": {"Type": "String"}, "polls": {"Type": "String"}, "env": {"Type": "String"}}, "Resources": {` +
		policy("PolicyAPIGWAuth1", "authRoleName", users) + "," + policy("PolicyAPIGWUnauth1", "unauthRoleName", guests) + `}}`
}

func generation(api, access string) prove.Open {
	return func(url, _, _ string) (*cfn.Template, error) {
		for name, text := range map[string]string{"polls.json": api, "access.json": access, "roles.json": generationPool} {
			if strings.HasSuffix(url, name) {
				return cfn.Parse(name, []byte(text))
			}
		}
		return nil, fmt.Errorf("no template %s", url)
	}
}

var every = []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"}

func TestADeploymentOfTheAmplifyCLIEqualsItsProject(t *testing.T) {
	t.Parallel()
	api := fmt.Sprintf(generationAPI, fmt.Sprintf(generationPath, "/vote", signed)+","+fmt.Sprintf(generationPath, "/news", `"responses": {}`))
	report := compareText(t, votes(), generationRoot, generation(api, generationAccess(every, []string{"GET", "HEAD"})))
	if !report.Equal() {
		t.Errorf("%s", sentences(report))
	}
	// A document of OpenAPI 3 has its schemes elsewhere.
	api = strings.NewReplacer(`"swagger": "2.0"`, `"openapi": "3.0.1"`, `"securityDefinitions": {`, `"components": {"securitySchemes": {`, `"awsSigv4"}}`, `"awsSigv4"}}}`).Replace(api)
	report = compareText(t, votes(), generationRoot, generation(api, generationAccess(every, []string{"GET", "HEAD"})))
	if !report.Equal() {
		t.Errorf("in OpenAPI 3: %s", sentences(report))
	}
}

func TestWhatAMigrationDoesToAccessIsToldWithTheShortestRequest(t *testing.T) {
	t.Parallel()
	open := fmt.Sprintf(generationAPI, fmt.Sprintf(generationPath, "/vote", `"responses": {}`)+","+fmt.Sprintf(generationPath, "/news", `"responses": {}`))
	report := compareText(t, votes(), generationRoot, generation(open, generationAccess(every, every)))
	want := "DELETE, GET, HEAD, PATCH, POST, PUT /vote: anyone unsigned may; in the project callers have to sign in or act as a guest"
	if got := sentences(report); !strings.HasPrefix(got, want) {
		t.Errorf("%s", got)
	}
	closed := fmt.Sprintf(generationAPI, fmt.Sprintf(generationPath, "/vote", signed)+","+fmt.Sprintf(generationPath, "/news", `"responses": {}`))
	report = compareText(t, votes(), generationRoot, generation(closed, generationAccess(every, nil)))
	if got := sentences(report); !strings.Contains(got, "GET, HEAD /vote: guests may not; the project allows it") {
		t.Errorf("%s", got)
	}
}

func TestAGroupOfTheAmplifyCLIHasItsRoleWithoutRoleMappings(t *testing.T) {
	t.Parallel()
	b := votes(entry(access.Group, "my-team", access.Actions(access.Read)))
	b.Groups = []string{"my-team"}
	var arns []string
	for _, m := range []string{"GET", "HEAD"} {
		arns = append(arns, fmt.Sprintf(`{"Fn::Sub": "arn:aws:execute-api:${AWS::Region}:${AWS::AccountId}:${polls}/${env}/%[1]s/vote"}, {"Fn::Sub": "arn:aws:execute-api:${AWS::Region}:${AWS::AccountId}:${polls}/${env}/%[1]s/vote/*"}`, m))
	}
	group := `"Group": {"Type": "AWS::IAM::Policy", "Properties": {"Roles": [{"Fn::Join": ["-", [{"Ref": "authUserPoolId"}, "my-teamGroupRole"]]}],
		"PolicyDocument": {"Statement": [{"Effect": "Allow", "Action": "execute-api:Invoke", "Resource": [` + strings.Join(arns, ", ") + `]}]}}}, "Deployed"`
	api := fmt.Sprintf(generationAPI, fmt.Sprintf(generationPath, "/vote", signed)+","+fmt.Sprintf(generationPath, "/news", `"responses": {}`))
	api = strings.Replace(strings.Replace(api, `"Deployed"`, group, 1), `"Parameters": {`, `"Parameters": {"authUserPoolId": {"Type": "String"}, `, 1)
	report := compareText(t, b, generationRoot, generation(api, generationAccess(every, []string{"GET", "HEAD"})))
	if !report.Equal() {
		t.Errorf("%s", sentences(report))
	}
}

const serverless = `
Transform: AWS::Serverless-2016-10-31
Globals:
  Api:
    Cors: "'*'"
    Auth:
      DefaultAuthorizer: AWS_IAM
      AddDefaultAuthorizerToCorsPreflight: false
Resources:
  Votes:
    Type: AWS::Serverless::Function
    Properties:
      Events:
        Vote: {Type: Api, Properties: {Path: /vote, Method: any}}
        VoteBelow: {Type: Api, Properties: {Path: "/vote/{proxy+}", Method: any}}
        News: {Type: Api, Properties: {Path: /news, Method: any, Auth: {Authorizer: NONE}}}
        NewsBelow: {Type: Api, Properties: {Path: "/news/{proxy+}", Method: any, Auth: {Authorizer: NONE}}}
  Pool:
    Type: AWS::Cognito::IdentityPoolRoleAttachment
    Properties:
      Roles: {authenticated: !GetAtt Users.Arn, unauthenticated: !GetAtt Guests.Arn}
  Users:
    Type: AWS::IAM::Role
    Properties:
      Policies:
        - PolicyDocument:
            Statement:
              - {Effect: Allow, Action: "execute-api:*", Resource: !Sub "arn:${AWS::Partition}:execute-api:${AWS::Region}:${AWS::AccountId}:${ServerlessRestApi}/*"}
  Guests:
    Type: AWS::IAM::Role
    Properties:
      Policies:
        - PolicyDocument:
            Statement:
              Effect: Allow
              Action: execute-api:Invoke
              Resource:
                - !Sub "arn:${AWS::Partition}:execute-api:${AWS::Region}:${AWS::AccountId}:${ServerlessRestApi}/Prod/GET/vote*"
                - !Sub "arn:${AWS::Partition}:execute-api:${AWS::Region}:${AWS::AccountId}:${ServerlessRestApi}/Prod/HEAD/vote*"
`

func TestAnApplicationOfSAMIsRead(t *testing.T) {
	t.Parallel()
	text := strings.Replace(serverless, "Resources:\n", "Resources:\n  ServerlessRestApi:\n    Type: AWS::Serverless::Api\n    Properties: {StageName: Prod}\n", 1)
	if report := compareText(t, votes(), text, nil); !report.Equal() {
		t.Errorf("%s", sentences(report))
	}
	for change, want := range map[string]string{
		"Auth: {Authorizer: NONE}|Auth: {Authorizer: AWS_IAM}":                                                      "GET, HEAD, PATCH, POST, PUT /news: anyone unsigned may not",
		"/Prod/GET/vote*|/Prod/*/vote*":                                                                             "/vote: guests may; the project refuses it",
		"DefaultAuthorizer: AWS_IAM|DefaultAuthorizer: Own":                                                         "whether guests may is not known",
		`Action: "execute-api:*", Resource|Condition: {Bool: {"aws:SecureTransport": true}}, Action: "*", Resource`: "whether signed-in users may is not known",
		"/Prod/HEAD/vote*|/*/HEAD/vote*":                                                                            "DELETE, PATCH, POST, PUT /vote/HEAD/vote: guests may; the project refuses it",
		"${ServerlessRestApi}/Prod/GET|${Other}/Prod/GET":                                                           "/vote: whether guests may is not known",
	} {
		from, to, _ := strings.Cut(change, "|")
		changed := strings.ReplaceAll(text, from, to)
		if changed == text {
			t.Fatalf("%s changes nothing", change)
		}
		if report := compareText(t, votes(), changed, nil); report.Equal() || !strings.Contains(sentences(report), want) {
			t.Errorf("%s:\n%s", change, sentences(report))
		}
	}
}

// synthesised is what the AWS CDK writes: resources of their own, names with hashes, ARNs
// that are joined, and policies in a resource for each role.
const synthesised = `{"Resources": {
	"polls7A1B": {"Type": "AWS::ApiGateway::RestApi", "Properties": {"Name": "polls"}},
	"pollsDeploymentStagedev9": {"Type": "AWS::ApiGateway::Stage", "Properties": {"RestApiId": {"Ref": "polls7A1B"}, "StageName": "dev"}},
	"vote": {"Type": "AWS::ApiGateway::Resource", "Properties": {"RestApiId": {"Ref": "polls7A1B"}, "ParentId": {"Fn::GetAtt": ["polls7A1B", "RootResourceId"]}, "PathPart": "vote"}},
	"voteproxy": {"Type": "AWS::ApiGateway::Resource", "Properties": {"RestApiId": {"Ref": "polls7A1B"}, "ParentId": {"Ref": "vote"}, "PathPart": "{proxy+}"}},
	"news": {"Type": "AWS::ApiGateway::Resource", "Properties": {"RestApiId": {"Ref": "polls7A1B"}, "ParentId": {"Fn::GetAtt": ["polls7A1B", "RootResourceId"]}, "PathPart": "news"}},
	"newsproxy": {"Type": "AWS::ApiGateway::Resource", "Properties": {"RestApiId": {"Ref": "polls7A1B"}, "ParentId": {"Ref": "news"}, "PathPart": "{proxy+}"}},
	%s
	"Attached": {"Type": "AWS::Cognito::IdentityPoolRoleAttachment", "Properties": {"Roles": {"authenticated": {"Fn::GetAtt": ["Users", "Arn"]}, "unauthenticated": {"Fn::GetAtt": ["Guests", "Arn"]}}}},
	"Users": {"Type": "AWS::IAM::Role", "Properties": {}},
	"Guests": {"Type": "AWS::IAM::Role", "Properties": {}},
	"UsersDefaultPolicy": {"Type": "AWS::IAM::Policy", "Properties": {"Roles": [{"Ref": "Users"}], "PolicyDocument": {"Statement": [{"Effect": "Allow", "Action": "execute-api:Invoke", "Resource": [%s]}]}}},
	"GuestsDefaultPolicy": {"Type": "AWS::IAM::Policy", "Properties": {"Roles": [{"Ref": "Guests"}], "PolicyDocument": {"Statement": [{"Effect": "Allow", "Action": "execute-api:Invoke", "Resource": [%s]}]}}}}}`

func synthesise(users, guests []string) string {
	var methods []string
	for _, of := range []string{"vote", "voteproxy", "news", "newsproxy"} {
		kind := "AWS_IAM"
		if strings.HasPrefix(of, "news") {
			kind = "NONE"
		}
		for method, kind := range map[string]string{"ANY": kind, "OPTIONS": "NONE"} {
			methods = append(methods, fmt.Sprintf(`"%s%s": {"Type": "AWS::ApiGateway::Method", "Properties": {"RestApiId": {"Ref": "polls7A1B"}, "ResourceId": {"Ref": "%s"}, "HttpMethod": "%s", "AuthorizationType": "%s"}},`, of, method, of, method, kind))
		}
	}
	slices.Sort(methods)
	arns := func(ends []string) string {
		var all []string
		for _, end := range ends {
			all = append(all, fmt.Sprintf(`{"Fn::Join": ["", ["arn:", {"Ref": "AWS::Partition"}, ":execute-api:", {"Ref": "AWS::Region"}, ":", {"Ref": "AWS::AccountId"}, ":", {"Ref": "polls7A1B"}, "/", {"Ref": "pollsDeploymentStagedev9"}, "/%s"]]}`, end))
		}
		return strings.Join(all, ", ")
	}
	return fmt.Sprintf(synthesised, strings.Join(methods, "\n"), arns(users), arns(guests))
}

func TestAStackOfTheCDKIsRead(t *testing.T) {
	t.Parallel()
	report := compareText(t, votes(), synthesise([]string{"*"}, []string{"GET/vote", "GET/vote/*", "HEAD/vote", "HEAD/vote/*"}), nil)
	if !report.Equal() {
		t.Errorf("%s", sentences(report))
	}
	report = compareText(t, votes(), synthesise([]string{"*"}, []string{"GET/vot?", "GET/vote/*", "HEAD/vote"}), nil)
	if got := sentences(report); got != "HEAD /vote/1: guests may not; the project allows it" {
		t.Errorf("%s", got)
	}
}

func TestMembersActAsSignedInUsersWithoutRoleMappings(t *testing.T) {
	t.Parallel()
	b := votes(entry(access.Group, "Banned", 0))
	b.Groups = []string{"Banned"}
	text := strings.Replace(synthesise([]string{"*"}, []string{"GET/vote", "GET/vote/*", "HEAD/vote", "HEAD/vote/*"}), `"Attached"`,
		`"Group": {"Type": "AWS::Cognito::UserPoolGroup", "Properties": {"GroupName": "Banned", "RoleArn": {"Fn::GetAtt": ["Guests", "Arn"]}}}, "Attached"`, 1)
	if got := sentences(compareText(t, b, text, nil)); !strings.Contains(got, "/vote: members of Banned may; the project refuses it") {
		t.Errorf("%s", got)
	}
}

func TestATemplateWithoutAnAPIIsAnError(t *testing.T) {
	t.Parallel()
	if _, err := prove.Read(parse(t, []byte(`{"Resources": {"T": {"Type": "AWS::DynamoDB::Table"}}}`)), nil, nil); err == nil || !strings.Contains(err.Error(), "no REST API") {
		t.Errorf("%v", err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(serverless)
	f.Add(synthesise([]string{"*"}, []string{"GET/vote"}))
	f.Add(generationRoot)
	f.Fuzz(func(_ *testing.T, text string) {
		parsed, err := cfn.Parse("template", []byte(text))
		if err != nil {
			return
		}
		if d, err := prove.Read(parsed, nil, nil); err == nil {
			prove.Compare(d, votes(), prove.Options{})
		}
	})
}
