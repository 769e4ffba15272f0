package prove_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/internal/prove"
	"gatewright/model"
	"gatewright/model/access"
)

// described is all that a deployment says of its APIs, and what it could not read.
func described(d *prove.Deployment) (lines []string) {
	for _, api := range d.APIs {
		for _, of := range api.Resources {
			for _, method := range slices.Sorted(maps.Keys(of.Methods)) {
				lines = append(lines, fmt.Sprintf("%s %s %s: %q", api.Name, method, of.Path, of.Methods[method]))
			}
		}
	}
	return append(lines, d.Unread...)
}

// TestWhatAnApplicationOfSAMSaysOfItsMethodsIsRead has an API in Globals, one of its own, and events.
func TestWhatAnApplicationOfSAMSaysOfItsMethodsIsRead(t *testing.T) {
	t.Parallel()
	function := func(events string) string {
		return "  F:\n    Type: AWS::Serverless::Function\n    Properties:\n      Events:\n" + events
	}
	const noRoles = "the template has no roles of an identity pool, so it does not say what signed-in users and guests may do: name the template around it"
	const own = `  Own:
    Type: AWS::Serverless::Api
    Properties:
      StageName: live
      Cors: "'*'"
      Auth: {DefaultAuthorizer: Pool, Authorizers: {Pool: {UserPoolArn: arn:x}, Code: {FunctionArn: arn:y}}}
`
	for name, tt := range map[string]struct {
		text string
		want []string
	}{
		"no authorizer": {
			"Resources:\n" + function("        A: {Type: Api, Properties: {Path: /a, Method: get}}\n        Q: {Type: SQS, Properties: {Queue: q}}\n"),
			[]string{`ServerlessRestApi GET /a: "NONE"`},
		},
		"an API of its own": {
			"Resources:\n" + own + function("        A: {Type: Api, Properties: {RestApiId: !Ref Own, Path: /a, Method: any}}\n"+
				"        B: {Type: Api, Properties: {RestApiId: !Ref Own, Path: /b, Method: post, Auth: {Authorizer: Code}}}\n"+
				"        C: {Type: Api, Properties: {RestApiId: !Ref Own, Path: /c, Method: put, Auth: {Authorizer: NONE}}}\n"+
				"        D: {Type: Api, Properties: {RestApiId: !Ref Own, Path: /d, Method: options}}\n"+
				"        E: {Type: Api, Properties: {Path: /e, Method: get}}\n"),
			[]string{
				`Own ANY /a: "COGNITO_USER_POOLS"`, `Own OPTIONS /a: "COGNITO_USER_POOLS"`, `Own OPTIONS /b: "COGNITO_USER_POOLS"`, `Own POST /b: "CUSTOM"`,
				`Own OPTIONS /c: "COGNITO_USER_POOLS"`, `Own PUT /c: "NONE"`, `Own OPTIONS /d: "COGNITO_USER_POOLS"`, `ServerlessRestApi GET /e: "NONE"`,
			},
		},
		"preflights without an authorizer": {
			"Globals: {Api: {Cors: \"'*'\", Auth: {DefaultAuthorizer: AWS_IAM, AddDefaultAuthorizerToCorsPreflight: false}}}\nResources:\n" +
				function("        A: {Type: Api, Properties: {Path: /a, Method: get}}\n        B: {Type: Api, Properties: {Path: /b, Method: options}}\n"),
			[]string{`ServerlessRestApi GET /a: "AWS_IAM"`, `ServerlessRestApi OPTIONS /a: "NONE"`, `ServerlessRestApi OPTIONS /b: "NONE"`, noRoles},
		},
		"a definition": {
			"Resources:\n  Own:\n    Type: AWS::Serverless::Api\n    Properties:\n      StageName: live\n      Auth: {DefaultAuthorizer: AWS_IAM, AddDefaultAuthorizerToCorsPreflight: false}\n" +
				"      DefinitionBody: {swagger: '2.0', paths: {/a: {get: {}, options: {}}}}\n" +
				function("        A: {Type: Api, Properties: {RestApiId: !Ref Own, Path: /a, Method: get}}\n        B: {Type: Api, Properties: {RestApiId: !Ref Own, Path: /a, Method: put}}\n"),
			[]string{`Own GET /a: "AWS_IAM"`, `Own OPTIONS /a: "NONE"`, "the definition of the API lacks the method of the event B of F", noRoles},
		},
		"what is not read": {
			"Parameters: {P: {Type: String}}\nConditions: {Prod: !Equals [!Ref P, prod]}\nResources:\n  App: {Type: AWS::Serverless::Application, Properties: {Location: x}}\n" +
				"  Far: {Type: AWS::Serverless::Api, Properties: {StageName: s, DefinitionUri: x.yaml, Auth: {ResourcePolicy: {IpRangeBlacklist: [x]}}}}\n" +
				function("        A: {Type: Api, Properties: {Path: !Ref P, Method: get}}\n        B: {Type: Api, Properties: {Path: /b, Method: !Ref P, RestApiId: !ImportValue Other}}\n"+
					"        C: {Type: Api, Properties: {Path: /c, Method: get, RestApiId: !ImportValue Other}}\n"+
					"        D: {Type: Api, Properties: {Path: /d, Method: get, Auth: {Authorizer: !Ref P, ResourcePolicy: {CustomStatements: []}}}}\n"+
					"        E: {Type: Api, Properties: {Path: /e, Method: get, Auth: {Authorizer: !If [Prod, NONE, AWS_IAM]}}}\n"),
			[]string{
				`ServerlessRestApi GET /d: "CUSTOM"`, `ServerlessRestApi GET /e: "CUSTOM"`, "the application App is not read",
				"the paths of Far are in DefinitionUri, which is not read", "the events of F depend on the value of P",
				"the path and method of the event A of F are not in the template", "the API of the event B of F is not in the template", "the API of the event C of F is not in the template",
			},
		},
		"an authorizer that depends": {
			"Parameters: {P: {Type: String}}\nConditions: {Prod: !Equals [!Ref P, prod]}\nGlobals: {Api: {Auth: {DefaultAuthorizer: !If [Prod, AWS_IAM, NONE]}}}\nResources:\n" +
				function("        A: {Type: Api, Properties: {Path: /a, Method: get}}\n        B: {Type: Api, Properties: {Path: /b, Method: get, Auth: {Authorizer: AWS_IAM}}}\n"),
			[]string{`ServerlessRestApi GET /a: "CUSTOM"`, `ServerlessRestApi GET /b: "AWS_IAM"`, "what is made of ServerlessRestApi depends on the value of P", noRoles},
		},
		"events that depend": {
			"Parameters: {P: {Type: String}}\nConditions: {Prod: !Equals [!Ref P, prod]}\nResources:\n  Api: {Type: AWS::Serverless::Api, Properties: {StageName: s}}\n" +
				"  F: {Type: AWS::Serverless::Function, Properties: {Events: !If [Prod, {A: {Type: Api, Properties: {Path: /a, Method: get}}}, {}]}}\n" +
				"  G: {Type: AWS::Serverless::Function, Properties: {Events: {'Fn::Transform': {Name: Own}}}}\n  H: {Type: AWS::Serverless::Function, Properties: {}}\n",
			[]string{"the events of F depend on the value of P", "the events of G are not in the template"},
		},
	} {
		d, err := prove.Read(parse(t, []byte(tt.text)), nil, nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if diff := cmp.Diff(tt.want, described(d)); diff != "" {
			t.Errorf("%s is read otherwise (-want +got):\n%s", name, diff)
		}
	}
}

func TestAPIsArePairedByTheNearestName(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ template, project, only, want string }{
		{"shop-dev shop2", "shop shop2", "", ""},
		{"shop2 shop", "shop shop2", "", ""},
		{"MyShopAPI other", "shop", "", "the API other of the template is not in the project"},
		{"shopping shop-x", "shop", "", "the API shopping of the template is not in the project"},
		{"one", "two", "", ""},
		{"one three", "two", "", "the API two of the project is not in the template|the API one of the template is not in the project|the API three of the template is not in the project"},
		{"one", "two three", "", "the API two of the project is not in the template|the API three of the project is not in the template|the API one of the template is not in the project"},
		{"one three", "two three", "three", ""},
		{"three other", "two", "two", "the API two of the project is not in the template"},
	} {
		var resources []string
		for i, name := range strings.Fields(tt.template) {
			resources = append(resources, fmt.Sprintf(`"R%d": {"Type": "AWS::ApiGateway::RestApi", "Properties": {"Name": %q}}`, i, name))
		}
		b := &model.Backend{}
		for _, label := range strings.Fields(tt.project) {
			b.APIs = append(b.APIs, &access.API{Label: label})
		}
		d, err := prove.Read(parse(t, []byte(`{"Resources": {`+strings.Join(resources, ", ")+`}}`)), nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(prove.Compare(d, b, prove.Options{API: tt.only}).Undecided, "|"); got != tt.want {
			t.Errorf("%s and %s (%s): %s\nwant %s", tt.template, tt.project, tt.only, got, tt.want)
		}
	}
}
