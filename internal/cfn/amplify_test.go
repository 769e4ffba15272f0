package cfn_test

import (
	"testing"

	"gatewright/internal/cfn"
)

// books is a function as the Amplify CLI writes its template, with what projects add to it:
// names that differ without an environment, variables made of other categories, and a
// policy for a table that another template makes.
const books = `{
  "AWSTemplateFormatVersion": "2010-09-09",
  "Parameters": {
    "CloudWatchRule": {"Type": "String", "Default": "NONE"},
    "env": {"Type": "String"},
    "storagebooksName": {"Type": "String", "Default": "storagebooksName"},
    "storagebooksArn": {"Type": "String"},
    "deploymentBucketName": {"Type": "String"},
    "mailKey": {"Type": "String"}
  },
  "Conditions": {
    "ShouldNotCreateEnvResources": {"Fn::Equals": [{"Ref": "env"}, "NONE"]},
    "Scheduled": {"Fn::Not": [{"Fn::Equals": [{"Ref": "CloudWatchRule"}, "NONE"]}]}
  },
  "Resources": {
    "LambdaFunction": {
      "Type": "AWS::Lambda::Function",
      "Properties": {
        "Code": {"S3Bucket": {"Ref": "deploymentBucketName"}, "S3Key": "books.zip"},
        "Handler": "index.handler",
        "FunctionName": {"Fn::If": ["ShouldNotCreateEnvResources", "books", {"Fn::Join": ["", ["books", "-", {"Ref": "env"}]]}]},
        "Environment": {"Variables": {
          "ENV": {"Ref": "env"},
          "REGION": {"Ref": "AWS::Region"},
          "STORAGE_BOOKS_NAME": {"Ref": "storagebooksName"},
          "MAIL_KEY": {"Ref": "mailKey"},
          "MAIL_PARAMETER": {"Fn::Join": ["", [{"Fn::Sub": ["/amplify/${app}/${env}/", {"app": "shop", "env": {"Ref": "env"}}]}, "books_", "mail"]]}
        }},
        "Role": {"Fn::GetAtt": ["LambdaExecutionRole", "Arn"]},
        "Timeout": 25
      }
    },
    "LambdaExecutionRole": {"Type": "AWS::IAM::Role"},
    "Rule": {"Type": "AWS::Events::Rule", "Condition": "Scheduled"},
    "BooksPolicy": {
      "Type": "AWS::IAM::Policy",
      "DependsOn": ["LambdaExecutionRole"],
      "Properties": {"PolicyDocument": {"Version": "2012-10-17", "Statement": [
        {
          "Effect": "Allow",
          "Action": ["dynamodb:GetItem", "dynamodb:Query"],
          "Resource": [
            {"Ref": "storagebooksArn"},
            {"Fn::Join": ["/", [{"Ref": "storagebooksArn"}, "index/*"]]}
          ]
        },
        {
          "Effect": "Allow",
          "Action": "dynamodb:PutItem",
          "Resource": {"Fn::If": ["ShouldNotCreateEnvResources", "*", {"Fn::Join": ["", [
            "arn:aws:dynamodb:", {"Ref": "AWS::Region"}, ":", {"Ref": "AWS::AccountId"}, ":table/", {"Ref": "storagebooksName"}
          ]]}]}
        }
      ]}}
    }
  }
}`

func TestAFunctionOfTheAmplifyCLI(t *testing.T) {
	t.Parallel()
	template, err := cfn.Parse("books.json", []byte(books))
	if err != nil {
		t.Fatal(err)
	}
	r := template.With(cfn.Given{
		Parameters: map[string]cfn.Value{
			"env": cfn.Text("dev"), "storagebooksName": cfn.Text("books-dev"),
			"storagebooksArn": cfn.Text("arn:aws:dynamodb:eu-west-1:1:table/books-dev"),
		},
		Pseudo: map[string]string{"AWS::Region": "eu-west-1"},
	})
	properties := template.Resource("LambdaFunction").Properties
	for name, want := range map[string]string{
		"FunctionName": `"books-dev"`,
		"Timeout":      `25`,
		"Role":         `"*" <Fn::GetAtt of "LambdaExecutionRole.Arn">`,
		"Environment": `{Variables:{ENV:"dev" REGION:"eu-west-1" STORAGE_BOOKS_NAME:"books-dev" ` +
			`MAIL_KEY:"*" <the parameter "mailKey" has no value> MAIL_PARAMETER:"/amplify/shop/dev/books_mail"}}`,
	} {
		if got := show(r.Resolve(properties.Get(name))); got != want {
			t.Errorf("%s:\n got %s\nwant %s", name, got, want)
		}
	}
	if exists, known := r.Exists(template.Resource("Rule")); exists || !known {
		t.Errorf("the rule without a schedule: exists %t, known %t", exists, known)
	}
	if exists, known := r.Exists(template.Resource("LambdaFunction")); !exists || !known {
		t.Errorf("the function: exists %t, known %t", exists, known)
	}

	statements := cfn.Statements(r.Resolve(template.Resource("BooksPolicy").Properties.Get("PolicyDocument")))
	if len(statements) != 2 || statements[0].Partly || !statements[1].Partly {
		t.Fatalf("statements: %+v", statements)
	}
	if got, want := statements[1].Resources[0], "arn:aws:dynamodb:eu-west-1:*:table/books-dev"; got != want {
		t.Errorf("the pattern is %s, want %s", got, want)
	}
	index := "arn:aws:dynamodb:eu-west-1:1:table/books-dev/index/byTitle"
	for _, tt := range []struct {
		statement   int
		action, arn string
		want        bool
	}{
		{0, "dynamodb:Query", index, true},
		{0, "dynamodb:PutItem", index, false},
		{1, "dynamodb:PutItem", "arn:aws:dynamodb:eu-west-1:999:table/books-dev", true},
		{1, "dynamodb:PutItem", index, false},
	} {
		if got := allows(statements[tt.statement], tt.action, tt.arn); got != tt.want {
			t.Errorf("%s of %s: got %t", tt.action, tt.arn, got)
		}
	}
}

// allows reports whether a statement is about an action on a resource.
func allows(s cfn.Statement, action, arn string) bool {
	for _, a := range s.Actions {
		for _, r := range s.Resources {
			if cfn.MatchAction(a, action) && cfn.MatchResource(r, arn) {
				return true
			}
		}
	}
	return false
}

func TestWithoutAnEnvironmentTheOtherNameCounts(t *testing.T) {
	t.Parallel()
	template, err := cfn.Parse("books.json", []byte(books))
	if err != nil {
		t.Fatal(err)
	}
	name := template.Resource("LambdaFunction").Properties.Get("FunctionName")
	r := template.With(cfn.Given{Parameters: map[string]cfn.Value{"env": cfn.Text("NONE")}})
	if got := show(r.Resolve(name)); got != `"books"` {
		t.Errorf("got %s", got)
	}
	r = template.With(cfn.Given{})
	if got := show(r.Resolve(name)); got != `"*" <the parameter "env" has no value>` {
		t.Errorf("got %s", got)
	}
}
