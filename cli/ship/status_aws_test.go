package ship_test

import (
	"testing"

	"gatewright/cli/clitest"
	"gatewright/deploy/aws"
)

// notLooked is what drift says of what it does not ask for.
const notLooked = "not looked at: " + aws.NotLookedAt + "\n"

// TestWhatSomebodyChangedInAWSIsTold changes a function, a method and a log group behind the back of the
// project.
func TestWhatSomebodyChangedInAWSIsTold(t *testing.T) {
	t.Parallel()
	s, fake := onAWS(t)
	inForce := fake.ServeInForce()
	told(t, s, shopOnAWS+`% push --yes
$ 0 status --drift --exit-code
`+nothingChanged+`not compared: 4 resources that CloudFormation cannot compare: roles of identity pools (1), policies of roles (3)
`+notLooked+`drift: none found; compared were 23 resources, the code of 1 function, the template, who may send which request, what else calls the functions
status: no change
% status --drift --json
`)
	for _, r := range fake.Stacks()[0].Resources {
		switch r.Type {
		case "AWS::Lambda::Function":
			fake.Drift(r.LogicalID, "/Timeout", "99")
		case "AWS::Logs::LogGroup":
			fake.Vanish(r.LogicalID)
		}
	}
	inForce.Methods["/books ANY"] = "NONE"
	told(t, s, `$ 3 status --drift --exit-code
`+nothingChanged+`in AWS, unlike in the stack
  the function books
    timeout 25 s in the stack, 99 s in the cloud
  the log group of the function books
    is gone
who may send which request in the cloud, against the last push
  ▲ DELETE, GET, HEAD, PATCH, POST, PUT /books: anyone unsigned may; in the last push callers have to sign in or act as a guest
not compared: 4 resources that CloudFormation cannot compare: roles of identity pools (1), policies of roles (3)
`+notLooked+`drift: 2 parts in AWS, 1 difference in access; compared were 23 resources, the code of 1 function, the template, who may send which request, what else calls the functions
status: no change
$ 3 status --drift --json --exit-code
{
  "environment": "dev",
  "stack": "gatewright-d1shop-dev-branch-884c1f91c7",
  "provider": "aws",
  "account": "123456789012",
  "region": "eu-central-1",
  "pushed": "TIME",
  "changed": false,
  "create": 0,
  "update": 0,
  "delete": 0,
  "noChange": 5,
  "resources": [
    {
      "kind": "environment",
      "name": "dev",
      "operation": "no-change",
      "reasons": []
    },
    {
      "kind": "api",
      "name": "shop",
      "operation": "no-change",
      "reasons": []
    },
    {
      "kind": "function",
      "name": "books",
      "operation": "no-change",
      "reasons": []
    },
    {
      "kind": "table",
      "name": "loans",
      "operation": "no-change",
      "reasons": []
    },
    {
      "kind": "auth",
      "name": "",
      "operation": "no-change",
      "reasons": []
    }
  ],
  "access": [],
  "waiting": {},
  "refused": [],
  "refusedByAWS": [],
  "drift": {
    "differs": true,
    "compared": 23,
    "notCompared": {
      "AWS::Cognito::IdentityPoolRoleAttachment": 1,
      "AWS::IAM::Policy": 3
    },
    "cloud": [
      {
        "kind": "function",
        "name": "books",
        "part": "the function books",
        "texts": [
          "timeout 25 s in the stack, 99 s in the cloud"
        ]
      },
      {
        "kind": "function",
        "name": "books",
        "part": "the log group of the function books",
        "texts": [
          "is gone"
        ]
      }
    ],
    "template": [],
    "access": [
      {
        "api": "shop",
        "who": "anyone unsigned",
        "direction": "more",
        "resource": "/books",
        "methods": [
          "DELETE",
          "GET",
          "HEAD",
          "PATCH",
          "POST",
          "PUT"
        ],
        "path": "/books",
        "why": "in the last push callers have to sign in or act as a guest"
      }
    ],
    "doors": [],
    "undecided": [],
    "notes": []
  }
}
`)
}

// TestTheClientConfigurationFileIsMadeOfWhatAWSHas makes it in the project, and in a folder of which only the
// account knows anything.
func TestTheClientConfigurationFileIsMadeOfWhatAWSHas(t *testing.T) {
	t.Parallel()
	s, _ := onAWS(t)
	told(t, s, shopOnAWS+`% push --yes
$ 0 generate outputs --check
client configuration file client_config.json is up to date, for environment dev, the stack gatewright-d1shop-dev-branch-884c1f91c7
$ 0 generate outputs --stack gatewright-d1shop-dev-branch-884c1f91c7 --json
{
  "path": "client_config.json",
  "format": "json",
  "dialect": "neutral",
  "environment": "dev",
  "stack": "gatewright-d1shop-dev-branch-884c1f91c7",
  "applicationId": "d1shop",
  "branch": "dev",
  "upToDate": true,
  "written": false,
  "changes": [],
  "notes": []
}
$ 0 generate outputs --branch dev --stdout
{
  "$schema": "urn:gatewright:2024-02:client-config",
  "version": "1",
  "auth": {
    "cloud_region": "eu-central-1",
    "user_pool_id": "eu-central-1_BxwYp5CoR",
    "user_pool_client_id": "cmeabqv3kfmf36t422v705ivgq",
    "identity_pool_id": "eu-central-1:6dc37b6c-f6f3-4433-83b8-27835a973269",
    "unauthenticated_identities_enabled": true
  },
  "custom": {
    "API": {
      "shop": {
        "apiName": "shop",
        "endpoint": "https://lr38orqrem.execute-api.eu-central-1.amazonaws.com/dev",
        "region": "eu-central-1"
      }
    }
  }
}
$ 1 generate outputs --env prod --stdout
gatewright: environment prod was never deployed; deploy it with: gatewright push --env prod
`)
	elsewhere := clitest.New(t)
	elsewhere.Environ = s.Environ
	told(t, elsewhere, `$ 0 generate outputs --stack gatewright-d1shop-dev-branch-884c1f91c7
client configuration file client_config.json is written, for environment dev, the stack gatewright-d1shop-dev-branch-884c1f91c7
$ 0 generate outputs --stack gatewright-d1shop-dev-branch-884c1f91c7 --region eu-central-1 --json
{
  "path": "client_config.json",
  "format": "json",
  "dialect": "neutral",
  "environment": "dev",
  "stack": "gatewright-d1shop-dev-branch-884c1f91c7",
  "applicationId": "d1shop",
  "branch": "dev",
  "upToDate": true,
  "written": false,
  "changes": [],
  "notes": []
}
$ 0 generate outputs --app-id d1shop --branch dev --region eu-central-1 --out-dir src --format json
client configuration file src/client_config.json is written, for environment dev, the stack gatewright-d1shop-dev-branch-884c1f91c7
$ 1 generate outputs --app-id d1shop --branch main --region eu-central-1
gatewright: deployment: a deployment of the application d1shop and its branch main is known neither on this machine nor in the account 123456789012, eu-central-1; deploy it with gatewright push, or give another --region or --profile
$ 1 generate outputs --stack other --region eu-central-1
gatewright: deployment: the stack other is known neither on this machine nor in the account 123456789012, eu-central-1; deploy it with gatewright push, or give another --region or --profile
$ 1 generate outputs --stack gatewright-d1shop-dev-branch-884c1f91c7 --region eu-west-1
gatewright: deployment: the stack gatewright-d1shop-dev-branch-884c1f91c7 is known neither on this machine nor in the account 123456789012, eu-west-1; deploy it with gatewright push, or give another --region or --profile
`)
}
