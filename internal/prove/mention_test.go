package prove_test

import (
	"strings"
	"testing"
)

// TestWhatElseMayPassSomethingOnIsTold has a function behind the API, and one that is not.
func TestWhatElseMayPassSomethingOnIsTold(t *testing.T) {
	t.Parallel()
	const arn = `{"Fn::GetAtt": ["Votes", "Arn"]}`
	calls := func(what string) string {
		return changed(t, equalTemplate(), `"ResourceId": {"Ref": "vote"}, "HttpMethod": "ANY",`, `"ResourceId": {"Ref": "vote"}, "HttpMethod": "ANY", "Integration": {"Uri": `+what+`},`)
	}
	const uri = `{"Fn::Sub": "arn:aws:apigateway:${AWS::Region}:lambda:path/2015-03-31/functions/${Votes.Arn}/invocations"}`
	const gate = `"Gate": {"Type": "AWS::Lambda::Permission", "Properties": {"Action": "lambda:InvokeFunction", "FunctionName": {"Ref": "Votes"}, "Principal": "apigateway.amazonaws.com", "SourceArn": {"Fn::Sub": "arn:aws:execute-api:${AWS::Region}:${AWS::AccountId}:${polls7A1B}/*"}}}, `
	permission := func(service, source string) string {
		return `"P": {"Type": "AWS::Lambda::Permission", "Properties": {"Action": "lambda:InvokeFunction", "FunctionName": {"Ref": "Votes"}, "Principal": "` + service + `.amazonaws.com", "SourceArn": ` + source + `}}`
	}
	of := func(kind, properties string) string {
		return `"X": {"Type": "` + kind + `", "Properties": {` + properties + `}}`
	}
	custom := func(action string) string {
		return `"X": {"Type": "Custom::X", "Properties": {"ServiceToken": {"Fn::GetAtt": ["C", "Arn"]}}}, "C": {"Type": "AWS::Lambda::Function", "Properties": {"Role": {"Fn::GetAtt": ["R", "Arn"]}}}, "R": {"Type": "AWS::IAM::Role", "Properties": {"AssumeRolePolicyDocument": {"Statement": {"Effect": "Allow", "Principal": {"Service": "lambda.amazonaws.com"}, "Action": "sts:AssumeRole"}}, "Policies": [{"PolicyDocument": {"Statement": {"Effect": "Allow", "Action": "` + action + `", "Resource": ["*"]}}}]}}`
	}

	for name, c := range map[string]struct{ more, want string }{
		"nothing":                     {of("AWS::SNS::Topic", ""), ""},
		"an alarm":                    {of("AWS::CloudWatch::Alarm", `"Dimensions": [{"Value": {"Ref": "Votes"}}]`), ""},
		"a trigger of the pool":       {of("AWS::Cognito::UserPool", `"LambdaConfig": {"PreSignUp": `+arn+`}`) + ", " + permission("cognito-idp", `{"Fn::GetAtt": ["X", "Arn"]}`), ""},
		"a schedule":                  {of("AWS::Events::Rule", `"ScheduleExpression": "rate(1 day)", "Targets": [{"Arn": `+arn+`}]`) + ", " + permission("events", `{"Fn::GetAtt": ["X", "Arn"]}`), ""},
		"an event of the account":     {of("AWS::Events::Rule", `"EventPattern": {}, "Targets": [{"Arn": `+arn+`}]`), ""},
		"an event of a bus":           {`"B": {"Type": "AWS::Events::EventBusPolicy", "Properties": {}}, ` + of("AWS::Events::Rule", `"EventPattern": {}, "Targets": [{"Arn": `+arn+`}]`), "whether somebody may call it by X (AWS::Events::Rule) is not known"},
		"a table":                     {`"T": {"Type": "AWS::DynamoDB::Table"}, ` + of("AWS::Lambda::EventSourceMapping", `"EventSourceArn": {"Fn::GetAtt": ["T", "StreamArn"]}, "FunctionName": `+arn), ""},
		"a table of another stack":    {of("AWS::Lambda::EventSourceMapping", `"EventSourceArn": "arn:aws:dynamodb:eu-central-1:1:table/t/stream/x", "FunctionName": `+arn), ""},
		"a queue":                     {`"T": {"Type": "AWS::SQS::Queue"}, ` + of("AWS::Lambda::EventSourceMapping", `"EventSourceArn": {"Fn::GetAtt": ["T", "Arn"]}, "FunctionName": `+arn), "the function Votes: whether somebody may call it by X (AWS::Lambda::EventSourceMapping) is not known; who may send to that is not read"},
		"AppSync":                     {of("AWS::AppSync::DataSource", `"LambdaConfig": {"LambdaFunctionArn": `+arn+`}`), "whether somebody may call it by X (AWS::AppSync::DataSource) is not known"},
		"AppSync without it":          {of("AWS::AppSync::DataSource", `"Type": "NONE"`), ""},
		"a topic":                     {of("AWS::SNS::Subscription", `"Endpoint": `+arn), "whether somebody may call it by X (AWS::SNS::Subscription) is not known"},
		"a topic elsewhere":           {permission("sns", `{"Fn::ImportValue": "Topic"}`), "whether anyone who causes an event of {Topic} may call it by the permission P is not known"},
		"a bot elsewhere":             {permission("lexv2", `"arn:aws:lex:eu-central-1:1:bot-alias/x"`), "whether anyone who causes an event of arn:aws:lex:eu-central-1:1:bot-alias/x may call it by the permission P is not known; what causes it is not in the template"},
		"a workflow":                  {of("AWS::StepFunctions::StateMachine", `"DefinitionString": {"Fn::Sub": "{\"Resource\": \"${Votes.Arn}\"}"}`), "whether somebody may call it by X (AWS::StepFunctions::StateMachine) is not known"},
		"a rule of IoT":               {of("AWS::IoT::TopicRule", `"TopicRulePayload": {"Actions": [{"Lambda": {"FunctionArn": `+arn+`}}]}`), "whether somebody may call it by X (AWS::IoT::TopicRule) is not known"},
		"a function that calls it":    {`"P": {"Type": "AWS::Lambda::Permission", "Properties": {"Action": "lambda:InvokeFunction", "FunctionName": {"Ref": "Votes"}, "Principal": {"Fn::GetAtt": ["VotesRole", "Arn"]}}}`, ""},
		"a stack set":                 {of("AWS::CloudFormation::StackSet", ""), "X is of the type AWS::CloudFormation::StackSet, which is not read"},
		"a type of somebody":          {of("Own::Thing::Open", ""), "X is of the type Own::Thing::Open, which is not read"},
		"a resource that is made":     {`"X": {"Fn::Transform": {"Name": "Own"}}`, "a part of X is made by Fn::Transform (line 17), which is not read"},
		"connectors":                  {`"X": {"Type": "AWS::Serverless::SimpleTable", "Connectors": {"C": {}}}`, "the connectors of X are not read"},
		"a custom resource":           {custom("s3:DeleteObject"), ""},
		"a custom resource that may":  {custom("lambda:AddPermission"), "what the custom resource X changes is not read: its function may do lambda:AddPermission with the function"},
		"a custom resource elsewhere": {of("AWS::CloudFormation::CustomResource", `"ServiceToken": "arn:aws:lambda:eu-central-1:1:function:x"`), "what the custom resource X changes is not read: its function is not in the template"},
	} {
		function := gate + `"Votes": {"Type": "AWS::Lambda::Function", "Properties": {"Role": {"Fn::GetAtt": ["VotesRole", "Arn"]}}}, "VotesRole": {"Type": "AWS::IAM::Role", "Properties": {"AssumeRolePolicyDocument": {"Statement": {"Effect": "Allow", "Principal": {"Service": "lambda.amazonaws.com"}, "Action": "sts:AssumeRole"}}}}, `
		told(t, name, changed(t, calls(uri), `"Users": {`, function+c.more+`, "Users": {`), c.want)
	}
	told(t, "a queue of another function", changed(t, equalTemplate(), `"Users": {`, `"Votes": {"Type": "AWS::Lambda::Function"}, `+of("AWS::Lambda::EventSourceMapping", `"FunctionName": `+arn)+`, "Users": {`), "")
	told(t, "a macro at the top", with(t, `"Fn::Transform": {"Name": "Own"}`, ""), "a part of the template is made by Fn::Transform (line 1)")
	other := gate + `"Votes": {"Type": "AWS::Lambda::Function", "Properties": {"FunctionName": "votes-dev"}}, "Other": {"Type": "AWS::Lambda::Function"}, "Users": {`
	for name, c := range map[string]struct{ calls, want string }{
		"its function":       {uri, ""},
		"an imported one":    {`{"Fn::ImportValue": "Function"}`, ""},
		"a parameter's name": {`"arn:aws:apigateway:eu-central-1:lambda:path/2015-03-31/functions/functionvotesArn/invocations"`, ""},
		"another function":   {`{"Fn::Sub": "arn:aws:apigateway:${AWS::Region}:lambda:path/2015-03-31/functions/${Other.Arn}/invocations"}`, "ANY /vote leads to the function Other, and in the project to the function votes: what callers may do there is not read"},
		"a function by name": {`"arn:aws:apigateway:eu-central-1:lambda:path/2015-03-31/functions/arn:aws:lambda:eu-central-1:1:function:x/invocations"`, "ANY /vote leads to arn:aws:apigateway:eu-central-1:lambda:path/"},
		"a service":          {`{"Fn::Sub": "arn:aws:apigateway:${AWS::Region}:dynamodb:action/Scan"}`, "dynamodb:action/Scan\", and in the project to the function votes"},
		"an address":         {`"https://example.com/x"`, "ANY /vote leads to https://example.com/x, and in the project"},
	} {
		told(t, name, changed(t, calls(c.calls), `"Users": {`, other), c.want)
	}
	for asks, want := range map[string]string{
		`"NONE", "Integration": {"Uri": ` + uri + `}`: "OPTIONS /vote calls the function Votes for anyone unsigned, and in the project nothing: what it answers is not known",
		`"NONE", "Integration": {"Type": "MOCK"}`:     "",
	} {
		options := `"Options": {"Type": "AWS::ApiGateway::Method", "Properties": {"RestApiId": {"Ref": "polls7A1B"}, "ResourceId": {"Ref": "vote"}, "HttpMethod": "OPTIONS", "AuthorizationType": ` + asks + `}}, `
		told(t, "a preflight that asks "+asks, changed(t, calls(uri), `"Users": {`, options+other), want)
	}
	function := `"Votes": {"Type": "AWS::Lambda::Function"}, "Other": {"Type": "AWS::Lambda::Function"}, "Second": {"Type": "AWS::ApiGateway::RestApi", "Properties": {"Name": "second"}}, `
	const fails = "GET, HEAD /vote: guests may not; the template has no AWS::Lambda::Permission for API Gateway to call its function, and it returns 500"
	for permission, want := range map[string]string{
		"": fails, gate: "",
		changed(t, gate, `{"Ref": "Votes"}`, `{"Ref": "Other"}`):         fails,
		changed(t, gate, "apigateway.", "events."):                       fails,
		changed(t, gate, "InvokeFunction", "GetFunction"):                fails,
		changed(t, gate, "${polls7A1B}/*", "${Second}/*"):                fails,
		changed(t, gate, "${polls7A1B}/*", "*"):                          "",
		changed(t, gate, `{"Ref": "Votes"}`, `{"Fn::ImportValue": "F"}`): "",
	} {
		text := changed(t, calls(uri), `"Users": {`, function+permission+`"Users": {`)
		got := doorsOf(compareText(t, votes(), text, nil))
		if strings.Contains(got, "and it returns 500") != (want != "") || !strings.Contains(got, want) {
			t.Errorf("with the permission %s:\n%s", permission, got)
		}
		text = changed(t, text, `"Integration": {`, `"Integration": {"Credentials": "arn:aws:iam::1:role/x", `)
		if got := doorsOf(compareText(t, votes(), text, nil)); strings.Contains(got, "500") {
			t.Errorf("by a role:\n%s", got)
		}
	}
}
