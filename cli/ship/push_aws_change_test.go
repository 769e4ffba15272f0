package ship_test

import (
	"testing"
)

// TestAPushToAWSSaysWhatChanged tells a second push.
func TestAPushToAWSSaysWhatChanged(t *testing.T) {
	t.Parallel()
	s, _ := onAWS(t)
	told(t, s, shopOnAWS+`% push --yes
% update path shop /books --guest create
% add function more --template plain
$ 0 push --dry-run --json
{
  "environment": "dev",
  "stack": "gatewright-d1shop-dev-branch-884c1f91c7",
  "branch": "dev",
  "provider": "aws",
  "account": "123456789012",
  "region": "eu-central-1",
  "updates": 1,
  "losses": [],
  "adopted": [],
  "dryRun": true,
  "changed": true,
  "changes": [
    {
      "kind": "api",
      "name": "shop",
      "operation": "update",
      "reasons": [
        "/books: guests gain create",
        "/books: guests lose read"
      ]
    },
    {
      "kind": "function",
      "name": "more",
      "operation": "create",
      "reasons": []
    }
  ],
  "access": [
    {
      "api": "shop",
      "path": "/books",
      "below": true,
      "who": "guest",
      "groups": [],
      "gained": true,
      "actions": [
        "create"
      ],
      "methods": [
        "POST"
      ],
      "example": "POST /books",
      "text": "guests may now create under /books (POST /books)"
    },
    {
      "api": "shop",
      "path": "/books",
      "below": true,
      "who": "guest",
      "groups": [],
      "gained": false,
      "actions": [
        "read"
      ],
      "methods": [
        "GET",
        "HEAD"
      ],
      "example": "GET /books",
      "text": "guests may no longer read under /books (GET /books)"
    }
  ],
  "resources": [
    {
      "change": "create",
      "name": "the log group of the function more",
      "reasons": []
    },
    {
      "change": "create",
      "name": "the role of the function more",
      "reasons": []
    },
    {
      "change": "create",
      "name": "the function more",
      "reasons": []
    },
    {
      "change": "update",
      "name": "what guests may do with the API shop",
      "reasons": []
    },
    {
      "change": "update",
      "name": "the definition as deployed",
      "reasons": []
    }
  ],
  "apis": [],
  "clientFile": {
    "path": "client_config.json",
    "written": false
  },
  "warnings": [],
  "notes": []
}
$ 0 push --yes
environment dev, last pushed TIME
stack gatewright-d1shop-dev-branch-884c1f91c7
account 123456789012, eu-central-1, as tester
access: 1 more open, 1 less open
  ▲ guests may now create under /books (POST /books)
  ▼ guests may no longer read under /books (GET /books)
  Resource       Operation
  API shop       Update
    /books: guests gain create
    /books: guests lose read
  function more  Create
push: 1 to create, 1 to update, 4 without change
AWS: 3 resources to create, 2 to change, 0 to remove
pushed environment dev as the stack gatewright-d1shop-dev-branch-884c1f91c7
`+shopAddresses+`client configuration file client_config.json is up to date, for environment dev
uploaded 1 file, 2 were there already
asking CloudFormation what would change
TIME  the log group of the function more: made
TIME  the role of the function more: made
TIME  the function more: made
TIME  what guests may do with the API shop: changed
TIME  the definition as deployed: changed
`)
}

// TestABuildServerDeploysToAWS deploys the branch of an environment, and writes the client configuration
// file where a build wants it.
func TestABuildServerDeploysToAWS(t *testing.T) {
	t.Parallel()
	s, _ := onAWS(t)
	told(t, s, shopOnAWS+`$ 2 pipeline-deploy --branch other
gatewright: branch: no environment has the branch other; the environments are dev, prod; give the branch of one of them with --branch, or run: gatewright update env NAME --branch BRANCH
$ 0 pipeline-deploy --branch dev --out-dir .
`+firstPlan+`pushed environment dev as the stack gatewright-d1shop-dev-branch-884c1f91c7
`+shopAddresses+`client configuration file client_config.json is written, for environment dev
client configuration file client_config.json is up to date, for environment dev, the stack gatewright-d1shop-dev-branch-884c1f91c7
`+firstMade+`$ 0 pipeline-deploy --branch dev --out-dir . --json
{
  "environment": "dev",
  "stack": "gatewright-d1shop-dev-branch-884c1f91c7",
  "branch": "dev",
  "provider": "aws",
  "account": "123456789012",
  "region": "eu-central-1",
  "losses": [],
  "adopted": [],
  "dryRun": false,
  "changed": false,
  "changes": [],
  "access": [],
  "resources": [],
  "apis": [
    {
      "api": "shop",
      "id": "lr38orqrem",
      "endpoint": "https://lr38orqrem.execute-api.eu-central-1.amazonaws.com/dev",
      "paths": [
        "https://lr38orqrem.execute-api.eu-central-1.amazonaws.com/dev/books"
      ]
    }
  ],
  "clientFile": {
    "path": "client_config.json",
    "written": false
  },
  "warnings": [],
  "notes": [],
  "file": {
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
}
`)
}
