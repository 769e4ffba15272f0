//go:build linux

package main

import "regexp"

// tool is what is compared. Its scripts run in its folder, and have $PORT and $OTHER for ports that are free.
type tool struct {
	name string
	// make makes the project, whose handler is the file that rounds write.
	make, handler string
	// serve serves it, and prints its address and, then or with it, ready.
	serve, ready string
	address      *regexp.Regexp
	path         string
	// widen lets guests delete too, and before is what could tell of it before a deploy.
	widen, before string
}

const install = "npm install --no-audit --no-fund "

var tools = []tool{{
	name: "gatewright",
	make: `gatewright init --name books --app-id books
gatewright add api books --path /books --function books --new-function plain --auth all --guest read
gatewright push`,
	handler: "backend/function/books/src/index.js",
	serve:   "gatewright sandbox --port $PORT", ready: "is written, for environment",
	address: regexp.MustCompile(`API books (http://\S+)`), path: "/books",
	widen:  "gatewright update path books /books --guest read,delete",
	before: "gatewright push --dry-run",
}, {
	name: "serverless-offline",
	make: install + peers[0] + " " + peers[1] + ` && echo '
service: books
provider: {name: aws, runtime: nodejs20.x}
plugins: [serverless-offline]
functions:
  books:
    handler: index.handler
    events:
      - {http: {path: /books, method: get}}
      - {http: {path: /books, method: delete, authorizer: aws_iam}}' >serverless.yml`,
	handler: "index.js",
	serve:   "serverless offline --reloadHandler --host 127.0.0.1 --httpPort $PORT --lambdaPort $OTHER",
	ready:   "Server ready",
	address: regexp.MustCompile(`Server ready: (http://[^/ ]+)`), path: "/dev/books",
	widen:  "sed -i 's/, authorizer: aws_iam//' serverless.yml",
	before: "serverless package",
}, {
	name: "Architect Sandbox",
	make: install + peers[2] + ` && echo '
@app
books
@aws
runtime nodejs20.x
@http
any /books' >app.arc`,
	handler: "src/http/any-books/index.js",
	serve:   "arc sandbox --port $PORT", ready: "environment ready",
	address: regexp.MustCompile(`(http://localhost:\d+)`), path: "/books",
	widen:  "true",
	before: "arc deploy --dry-run",
}}

// peers are packages of npm.
var peers = []string{"serverless@3.40.0", "serverless-offline@13.10.1", "@architect/architect@12.0.1"}

// notes say what the table cannot, and which peers do not run without an account and Docker.
const notes = `
serverless-offline runs with ` + "`--reloadHandler`" + `. A manifest of Architect has no word for who may call.

Not run, so nothing is claimed of them:

- AWS SAM CLI 1.170.0: ` + "`sam local start-api`" + ` needs Docker or Finch, as it says itself
- SST 4.17.1: ` + "`sst dev`" + ` deploys to an account first (https://sst.dev/docs/live)
- Amplify CLI 14.5.1: ` + "`amplify mock`" + ` does not support REST APIs
  (https://docs.amplify.aws/gen1/nextjs/tools/cli/usage/mock/)
`
