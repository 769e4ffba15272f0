package prove_test

import (
	"strings"
	"testing"

	"gatewright/internal/prove"
)

// doorsOf are all sentences about what a template opens, and about what is not known.
func doorsOf(r *prove.Report) string {
	lines := []string{sentences(r)}
	for _, d := range r.Doors {
		lines = append(lines, d.String())
	}
	return strings.Join(lines, "\n")
}

// planted returns a template with a door beside resources that it has.
func planted(t *testing.T, text, from, door string) string {
	t.Helper()
	return changed(t, text, from, door+from)
}

// TestEveryDoorOfAnApplicationOfSAMIsTold plants one door at a time.
func TestEveryDoorOfAnApplicationOfSAMIsTold(t *testing.T) {
	t.Parallel()
	if report := compareText(t, votes(), serverless, nil); !report.Equal() {
		t.Fatalf("without a door: %s", doorsOf(report))
	}
	const resources, function, api, policy, auth = "  Votes:\n", "      Events:\n", "Globals:\n", "              - {Effect: Allow, Action: \"execute-api:*\"", "      DefaultAuthorizer: AWS_IAM\n"
	// What is harmless is no door.
	for _, c := range [][2]string{
		{function, "      AssumeRolePolicyDocument: {Statement: [{Effect: Allow, Principal: {Service: lambda.amazonaws.com}, Action: 'sts:AssumeRole'}]}\n      PermissionsBoundary: arn:aws:iam::1:policy/b\n"},
		{"        Vote: {", "        Nightly: {Type: Schedule, Properties: {Schedule: rate(1 day)}}\n"},
		{resources, "  Ops: {Type: AWS::IAM::Role, Properties: {AssumeRolePolicyDocument: {Statement: {Effect: Allow, Principal: '*', Action: 'sts:AssumeRole'}}}}\n"},
	} {
		if report := compareText(t, votes(), planted(t, serverless, c[0], c[1]), nil); !report.Equal() {
			t.Errorf("%s: %s", c[1], doorsOf(report))
		}
	}
	for name, c := range map[string]struct{ at, door, want string }{
		"a resource policy in Globals":   {auth, "      InvokeRole: NONE\n      ResourcePolicy: {CustomStatements: [{Effect: Allow, Principal: '*', Action: 'execute-api:Invoke', Resource: 'execute-api:/*'}]}\n", "PUT /vote: guests may; the project refuses it"},
		"addresses in Globals":           {auth, "      ResourcePolicy: {IpRangeWhitelist: ['10.0.0.0/8']}\n", "/vote: whether guests may is not known"},
		"networks":                       {auth, "      ResourcePolicy: {IntrinsicVpcBlacklist: [vpc-1]}\n", "/news: whether anyone unsigned may is not known"},
		"accounts":                       {auth, "      ResourcePolicy: {AwsAccountWhitelist: ['999999999999']}\n", "/vote: whether guests may is not known"},
		"a resource policy of an event":  {"        Vote: {", "        More: {Type: Api, Properties: {Path: '/vote/{id}', Method: get, Auth: {ResourcePolicy: {CustomStatements: {Effect: Allow, Principal: '*', Action: 'execute-api:Invoke', Resource: 'execute-api:/*'}}}}}\n", "/vote: guests may; the project refuses it"},
		"a function URL":                 {function, "      FunctionUrlConfig: {AuthType: NONE}\n", "the function Votes: anyone unsigned may call it by its function URL; it asks for no sign-in"},
		"a function URL in Globals":      {api, "Globals:\n  Function: {FunctionUrlConfig: {AuthType: NONE}}\n#", "the function Votes: anyone unsigned may call it by its function URL; it asks for no sign-in"},
		"a function URL that depends":    {function, "      FunctionUrlConfig: {AuthType: !ImportValue Asks}\n", "the function Votes: whether anyone unsigned may call it by its function URL is not known; what it asks for (AuthType) is not known"},
		"an event of an HTTP API":        {"        Vote: {", "        Http: {Type: HttpApi}\n", "the function Votes: anyone unsigned may call it by the API ServerlessHttpApi; it asks for no sign-in"},
		"an HTTP API that asks":          {"        Vote: {", "        Http: {Type: HttpApi, Properties: {Auth: {Authorizer: AWS_IAM}}}\n", "the function Votes: whether anyone who signs requests may call it by the API ServerlessHttpApi is not known"},
		"a second REST API":              {"        Vote: {", "        Other: {Type: Api, Properties: {RestApiId: !Ref Own, Path: /x, Method: get}}\n", "the function Votes: anyone unsigned may call it by the API Own; it asks for no sign-in"},
		"an event without its API":       {"        Vote: {", "        Other: {Type: HttpApi, Properties: {ApiId: !ImportValue Http}}\n", "the function Votes: whether somebody may call it by the API Http is not known"},
		"an authorizer of an event":      {"        Vote: {", "        Vote2: {Type: Api, Properties: {Path: /vote, Method: post, Auth: {Authorizer: NONE}}}\n", "POST /vote: anyone unsigned may"},
		"a permission for everybody":     {resources, "  P: {Type: AWS::Lambda::Permission, Properties: {Action: 'lambda:InvokeFunction', FunctionName: !Ref Votes, Principal: '*'}}\n", "the function Votes: anyone with an AWS account may call it by the permission P; it names everybody (*)"},
		"users who may call a function":  {policy, "              - {Effect: Allow, Action: 'lambda:*', Resource: !Sub '${Votes.Arn}:*'}\n", "the function Votes: signed-in users may call it by the role Users; its policies allow lambda:InvokeFunction"},
		"administrators' rights":         {function, "      Policies: AdministratorAccess\n", "the function Votes: its role may do * with every resource"},
		"a policy of everything":         {function, "      Policies: [AmazonS3FullAccess, {Statement: {Effect: Allow, Action: ['dynamodb:*'], Resource: '*'}}]\n", "the function Votes: its role has the policy AmazonS3FullAccess\nthe function Votes: its role may do dynamodb:* with every resource"},
		"a transform":                    {resources, "  Fn::Transform: {Name: AWS::Include, Parameters: {Location: 's3://b/x.yaml'}}\n", "a part of the section Resources of the template is made by Fn::Transform (line 10), which is not read"},
		"a connector":                    {resources, "  C: {Type: AWS::Serverless::Connector, Properties: {}}\n", "C is of the type AWS::Serverless::Connector, which is not read"},
		"a queue":                        {"        Vote: {", "        Queue: {Type: SQS, Properties: {Queue: 'arn:aws:sqs:eu-central-1:1:q'}}\n", "the function Votes: whether somebody may call it by its event Queue (SQS) is not known; who may send to that is not read"},
		"a role that is taken":           {function, "      AssumeRolePolicyDocument: {Statement: [{Effect: Allow, Principal: {Service: lambda.amazonaws.com, AWS: '*'}, Action: 'sts:AssumeRole'}]}\n", "the role VotesRole: anyone with an AWS account may take it by its trust policy; it names everybody (*)"},
		"a role for others":              {resources, "  Ops: {Type: AWS::IAM::Role, Properties: {AssumeRolePolicyDocument: {Statement: {Effect: Allow, Principal: '*', Action: 'sts:AssumeRole'}}, ManagedPolicyArns: ['arn:aws:iam::aws:policy/AmazonAPIGatewayInvokeFullAccess']}}\n", "DELETE, PATCH, POST, PUT /vote: anyone with an AWS account may; by the role Ops"},
		"a workflow":                     {resources, "  Flow: {Type: AWS::Serverless::StateMachine, Properties: {DefinitionSubstitutions: {F: !GetAtt Votes.Arn}}}\n", "whether somebody may call it by Flow (AWS::Serverless::StateMachine) is not known"},
		"connectors":                     {"    Type: AWS::Serverless::Function\n", "    Connectors: {C: {Properties: {Permissions: [Read]}}}\n", "the connectors of Votes are not read"},
		"a GraphQL API":                  {resources, "  Graph: {Type: AWS::Serverless::GraphQLApi, Properties: {}}\n", "Graph is of the type AWS::Serverless::GraphQLApi, which is not read"},
		"events of a kind not yet known": {"        Vote: {", "        Odd: {Type: !ImportValue Kind}\n", "the type of the event Odd of Votes is not in the template"},
	} {
		text := planted(t, serverless, c.at, c.door)
		if name == "a second REST API" {
			text = planted(t, text, resources, "  Own: {Type: AWS::Serverless::Api, Properties: {StageName: x, Auth: {DefaultAuthorizer: NONE}}}\n")
		}
		if name == "a function URL in Globals" {
			text = strings.Replace(text, "#Globals:\n", "", 1)
		}
		if got := doorsOf(compareText(t, votes(), text, nil)); !strings.Contains(got, c.want) {
			t.Errorf("%s:\n%s\nwant %s", name, got, c.want)
		}
	}
}

// TestEveryDoorOfAStackOfTheCDKIsTold plants one door at a time, and none where nothing opens.
func TestEveryDoorOfAStackOfTheCDKIsTold(t *testing.T) {
	t.Parallel()
	function := `"Votes": {"Type": "AWS::Lambda::Function", "Properties": {"Role": {"Fn::GetAtt": ["VotesRole", "Arn"]}}}, "VotesRole": {"Type": "AWS::IAM::Role", "Properties": {"AssumeRolePolicyDocument": {"Statement": {"Effect": "Allow", "Principal": {"Service": "lambda.amazonaws.com"}, "Action": "sts:AssumeRole"}}}}`
	permission := func(properties string) string {
		return `"P": {"Type": "AWS::Lambda::Permission", "Properties": {"FunctionName": {"Fn::GetAtt": ["Votes", "Arn"]}, ` + properties + `}}`
	}
	const invoke, url, target = `"Action": "lambda:InvokeFunction", `, `"U": {"Type": "AWS::Lambda::Url", "Properties": {"AuthType": "NONE", "TargetFunctionArn": {"Ref": "Votes"}}}`, `{"Fn::GetAtt": ["Votes", "Arn"]}`
	socket := `"S": {"Type": "AWS::ApiGatewayV2::Api", "Properties": {"Name": "live", "ProtocolType": "WEBSOCKET"}}, "I": {"Type": "AWS::ApiGatewayV2::Integration", "Properties": {"ApiId": {"Ref": "S"}, "IntegrationUri": {"Fn::Sub": "arn:aws:apigateway:${AWS::Region}:lambda:path/2015-03-31/functions/${Votes.Arn}/invocations"}}}, "R": {"Type": "AWS::ApiGatewayV2::Route", "Properties": {"ApiId": {"Ref": "S"}, "RouteKey": "send", "Target": {"Fn::Join": ["/", ["integrations", {"Ref": "I"}]]}}}`
	guestsMay := func(statement string) string { return grant("", guests, statement) }
	role := func(principal string) string {
		return `"Ops": {"Type": "AWS::IAM::Role", "Properties": {"AssumeRolePolicyDocument": {"Statement": {"Effect": "Allow", "Principal": ` + principal + `, "Action": "sts:AssumeRole"}}, "Policies": [{"PolicyDocument": {"Statement": {"Effect": "Allow", "Action": "lambda:InvokeFunction", "Resource": ` + target + `}}}]}}`
	}
	for name, c := range map[string]struct{ door, want string }{
		"none":                        {`"T": {"Type": "AWS::SNS::Topic"}`, ""},
		"the permission of its API":   {permission(invoke + `"Principal": "apigateway.amazonaws.com", "SourceArn": {"Fn::Sub": "arn:aws:execute-api:${AWS::Region}:${AWS::AccountId}:${polls7A1B}/*"}`), ""},
		"the permission of its rule":  {`"Rule": {"Type": "AWS::Events::Rule"}, ` + permission(invoke+`"Principal": "events.amazonaws.com", "SourceArn": {"Fn::GetAtt": ["Rule", "Arn"]}`), ""},
		"a role of a service":         {role(`{"Service": "states.amazonaws.com"}`), ""},
		"a right on another function": {guestsMay(`{"Effect": "Allow", "Action": "lambda:*", "Resource": {"Fn::GetAtt": ["VotesRole", "Arn"]}}`), ""},
		"a right that is denied":      {guestsMay(`{"Effect": "Allow", "Action": "lambda:*", "Resource": "*"}, {"Effect": "Deny", "Action": "lambda:*", "Resource": "*"}`), ""},
		"the URL of a signer":         {strings.Replace(url, "NONE", "AWS_IAM", 1), ""},
		"a function URL":              {url + ", " + permission(`"Action": "lambda:InvokeFunctionUrl", "Principal": "*", "FunctionUrlAuthType": "NONE"`), "the function Votes: anyone unsigned may call it by the function URL U; it asks for no sign-in"},
		"a URL without a permission":  {url, "the function Votes: whether anyone unsigned may call it by the function URL U is not known; it asks for no sign-in, and the template has no permission for it"},
		"a permission without a URL":  {permission(`"Action": "lambda:InvokeFunctionUrl", "Principal": "*", "FunctionUrlAuthType": "NONE"`), "the function Votes: whether anyone unsigned may call it by the permission P is not known; it is for a function URL, which the template does not have"},
		"a URL of an alias":           {`"A": {"Type": "AWS::Lambda::Alias", "Properties": {"FunctionName": {"Ref": "Votes"}, "Name": "live"}}, ` + strings.Replace(url, `{"Ref": "Votes"}`, `{"Ref": "A"}`, 1), "the function Votes: whether anyone unsigned may call it by the function URL U"},
		"everybody":                   {permission(invoke + `"Principal": "*"`), "the function Votes: anyone with an AWS account may call it by the permission P; it names everybody (*)"},
		"another account":             {permission(invoke + `"Principal": "999999999999"`), "the function Votes: the account 999999999999 may call it by the permission P; it names them"},
		"an organization":             {permission(invoke + `"Principal": "*", "PrincipalOrgID": "o-1"`), "the function Votes: every account of the organization o-1 may call it by the permission P"},
		"a service":                   {permission(invoke + `"Principal": "apigateway.amazonaws.com"`), "the function Votes: anyone through apigateway.amazonaws.com may call it by the permission P; it names no source"},
		"any API":                     {permission(invoke + `"Principal": "apigateway.amazonaws.com", "SourceArn": "arn:aws:execute-api:*:*:*/*"`), "the function Votes: anyone through apigateway.amazonaws.com may call it by the permission P; it names no source"},
		"an API elsewhere":            {permission(invoke + `"Principal": "apigateway.amazonaws.com", "SourceArn": "arn:aws:execute-api:eu-west-1:999999999999:abc/*"`), "the function Votes: whether a caller of abc may call it by the permission P is not known"},
		"whom a parameter names":      {permission(invoke + `"Principal": {"Fn::ImportValue": "Who"}`), "the function Votes: whether somebody may call it by the permission P is not known; whom it names is not known"},
		"guests by name":              {permission(invoke + `"Principal": {"Fn::GetAtt": ["Guests", "Arn"]}`), "the function Votes: guests may call it by the permission P; it names them"},
		"an HTTP API":                 {`"H": {"Type": "AWS::ApiGatewayV2::Api", "Properties": {"Name": "h", "ProtocolType": "HTTP", "Target": ` + target + `}}`, "the function Votes: anyone unsigned may call it by the API h; it asks for no sign-in"},
		"a document of an HTTP API":   {`"H": {"Type": "AWS::ApiGatewayV2::Api", "Properties": {"Name": "h", "Body": {"openapi": "3.0.1", "paths": {"/x": {"get": {"x-amazon-apigateway-integration": {"uri": ` + target + `}}}}}}}`, "the function Votes: anyone unsigned may call it by the API h; it asks for no sign-in"},
		"a WebSocket API":             {socket, "the function Votes: anyone unsigned may call it by the API live; it asks for no sign-in"},
		"a WebSocket API that asks":   {socket + `, "C": {"Type": "AWS::ApiGatewayV2::Route", "Properties": {"ApiId": {"Ref": "S"}, "RouteKey": "$connect", "AuthorizationType": "AWS_IAM"}}`, "the function Votes: whether anyone who signs requests may call it by the API live is not known"},
		"a second REST API":           {`"Two": {"Type": "AWS::ApiGateway::RestApi", "Properties": {"Name": "two", "Body": {"swagger": "2.0", "paths": {"/x": {"get": {"x-amazon-apigateway-integration": {"uri": ` + target + `}}}}}}}`, "the function Votes: anyone unsigned may call it by the API two; it asks for no sign-in"},
		"a load balancer":             {permission(invoke + `"Principal": "elasticloadbalancing.amazonaws.com", "SourceArn": {"Fn::ImportValue": "Group"}`), "the function Votes: whether a caller of Group may call it by the permission P is not known"},
		"guests who call":             {guestsMay(`{"Effect": "Allow", "Action": "lambda:InvokeFunction", "Resource": "arn:aws:lambda:*:*:function:*"}`), "the function Votes: guests may call it by the role Guests; its policies allow lambda:InvokeFunction"},
		"guests who call some":        {guestsMay(`{"Effect": "Allow", "Action": "lambda:InvokeFunction", "Resource": "arn:aws:lambda:*:*:function:shop-*"}`), "the function Votes: whether guests may call it by the role Guests is not known"},
		"a role of another account":   {role(`{"AWS": "999999999999"}`), "the function Votes: the account 999999999999 may call it by the role Ops; its policies allow lambda:InvokeFunction"},
		"a module":                    {`"M": {"Type": "Own::Function::Open::MODULE", "Properties": {}}`, "M is of the type Own::Function::Open::MODULE, which is not read"},
		"a nested stack":              {`"N": {"Type": "AWS::CloudFormation::Stack", "Properties": {"TemplateURL": "https://b/n.json"}}`, "the nested stack N is not read"},
		"properties that are made":    {`"U": {"Type": "AWS::Lambda::Url", "Properties": {"Fn::Transform": {"Name": "Own"}}}`, "a part of the properties of U is made by Fn::Transform"},
	} {
		if got := strings.TrimSpace(doorsOf(compareText(t, votes(), with(t, "", function+", "+c.door), nil))); !strings.Contains(got, c.want) || c.want == "" && got != "" {
			t.Errorf("%s:\n%s\nwant %s", name, got, c.want)
		}
	}
	if got := doorsOf(compareText(t, votes(), with(t, `"Transform": ["AWS::LanguageExtensions", "Own"]`, ""), nil)); !strings.Contains(got, "the macro Own changes the template before it is deployed") {
		t.Errorf("a macro: %s", got)
	}
	waits := strings.Replace(permission(invoke+`"Principal": "*"`), `"Properties"`, `"Condition": "Prod", "Properties"`, 1)
	if got := doorsOf(compareText(t, votes(), with(t, ifProd, function+", "+waits), nil)); !strings.Contains(got, "whether anyone with an AWS account may call it by the permission P is not known; it depends on the value of Stage") {
		t.Errorf("a condition: %s", got)
	}
	// Of one API alone, the doors to its own functions count.
	d, err := prove.Read(parse(t, []byte(with(t, "", function+", "+permission(invoke+`"Principal": "*"`)))), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if report := prove.Compare(d, votes(), prove.Options{API: "polls"}); len(report.Doors) != 1 {
		t.Errorf("of one API it says %q", doorsOf(report))
	}
}
