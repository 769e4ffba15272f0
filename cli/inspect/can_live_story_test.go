package inspect_test

import (
	"regexp"
	"testing"

	"gatewright/deploy/awstest"
)

func TestWhatIsInForceIsAskedBesideTheLastPushAndTheWorkingTree(t *testing.T) {
	t.Parallel()
	fake := awstest.New(t, awstest.Options{})
	f := fake.ServeInForce()
	s := newSession(t)
	s.Environ = fake.Env()
	same := func(printed string) string { return pushed.ReplaceAllString(printed, "TIME") }
	s.Told(beforeTheDenial, same)
	f.ResourcePolicy = `{"Statement": {"Effect": "Deny", "Principal": "*", "Action": "execute-api:Invoke", "Resource": "execute-api:/dev/GET/books"}}`
	s.Told(withADenial, same)
}

// pushed is when the fake of AWS was pushed to.
var pushed = regexp.MustCompile(`20\d\d-\d\d-\d\d \d\d:\d\d:\d\d UTC`)

const beforeTheDenial = `% init --name shop --app-id d1shop --region eu-central-1
% update env dev --provider aws
% add group Editors
% add api shop --path /books --function books --new-function plain --auth read --group Editors=all
% add api staff --path /lists --function books --auth read
$ 1 can authenticated GET /books --live
gatewright: environment dev was never deployed; push it with: gatewright push --env dev
% push --yes
$ 0 can authenticated GET /books --live
yes: signed-in users may send GET /books in AWS: a policy of their role allows it
  api        shop
  account    123456789012, eu-central-1
  acts as    signed-in users
  last push  yes: signed-in users may read under /books
AWS decides as the last push says: 100 decisions
$ 1 can authenticated DELETE /books/1 --live
no: signed-in users may not send DELETE /books/1 in AWS: no policy of their role allows it
  api        shop
  account    123456789012, eu-central-1
  acts as    signed-in users
  last push  no: signed-in users may not delete under /books
AWS decides as the last push says: 100 decisions
$ 0 can group:Editors DELETE /books/1 --live
yes: members of Editors may send DELETE /books/1 in AWS: a policy of their role allows it
  api        shop
  account    123456789012, eu-central-1
  acts as    members of Editors
  last push  yes: members of Editors may delete under /books
AWS decides as the last push says: 100 decisions
$ 1 can guest GET /nothing --live
no: guests may not send GET /nothing in AWS: no path serves it
  api        none has the path
  account    123456789012, eu-central-1
  acts as    guests
  last push  no: no path serves /nothing
AWS decides as the last push says: 100 decisions
$ 0 can authenticated GET /lists --live --api staff
yes: signed-in users may send GET /lists in AWS: a policy of their role allows it
  api        staff
  account    123456789012, eu-central-1
  acts as    signed-in users
  last push  yes: signed-in users may read under /lists
AWS decides as the last push says: 50 decisions
$ 1 can authenticated GET /lists --live --api shop
no: signed-in users may not send GET /lists in AWS: no path serves it
  api        shop
  account    123456789012, eu-central-1
  acts as    signed-in users
  last push  no: no path serves /lists
AWS decides as the last push says: 50 decisions
$ 1 can authenticated GET /lists --live --api stuff
gatewright: the last push of the environment has no API stuff
% update path shop /books --auth read,delete
$ 1 can authenticated DELETE /books/1 --live
no: signed-in users may not send DELETE /books/1 in AWS: no policy of their role allows it
  api        shop
  account    123456789012, eu-central-1
  acts as    signed-in users
  last push  no: signed-in users may not delete under /books
in AWS, unlike the working tree, before its push
  ▼ DELETE /books: signed-in users may not; the working tree allows it
  ▼ DELETE /books/1: signed-in users may not; the working tree allows it
AWS decides as the last push says: 100 decisions
$ 1 can authenticated DELETE /books/1 --live --json
{
  "environment": "dev",
  "account": "123456789012",
  "region": "eu-central-1",
  "api": "shop",
  "live": {
    "allowed": false,
    "known": true,
    "as": "signed-in users",
    "why": "no policy of their role allows it",
    "served": true
  },
  "lastPush": {
    "allowed": false,
    "reason": "signed-in users may not delete under /books",
    "equal": true,
    "decisions": 100,
    "differences": [],
    "doors": [],
    "refused": [],
    "undecided": [],
    "notices": []
  },
  "workingTree": {
    "allowed": true,
    "reason": "signed-in users may delete under /books",
    "equal": false,
    "decisions": 100,
    "differences": [
      {
        "api": "shop",
        "who": "signed-in users",
        "direction": "less",
        "resource": "/books",
        "methods": [
          "DELETE"
        ],
        "path": "/books",
        "why": "the working tree allows it"
      },
      {
        "api": "shop",
        "who": "signed-in users",
        "direction": "less",
        "resource": "/books/{proxy+}",
        "methods": [
          "DELETE"
        ],
        "path": "/books/1",
        "why": "the working tree allows it"
      }
    ],
    "doors": [],
    "refused": [],
    "undecided": [],
    "notices": []
  }
}
`

const withADenial = `$ 3 can authenticated GET /books --live --api shop
no: signed-in users may not send GET /books in AWS: a policy denies it
  api        shop
  account    123456789012, eu-central-1
  acts as    signed-in users
  last push  yes: signed-in users may read under /books
in AWS, unlike the last push, TIME
  ▼ OPTIONS /books: anyone unsigned may not; the CORS preflight needs no grant
  ▼ GET /books: signed-in users may not; the last push allows it
  ▼ GET /books: members of Editors may not; the last push allows it
  ▼ OPTIONS /books/1: anyone unsigned may not; the CORS preflight needs no grant
in AWS, unlike the working tree, before its push
  ▼ OPTIONS /books: anyone unsigned may not; the CORS preflight needs no grant
  ▼ DELETE, GET /books: signed-in users may not; the working tree allows it
  ▼ GET /books: members of Editors may not; the working tree allows it
  ▼ OPTIONS /books/1: anyone unsigned may not; the CORS preflight needs no grant
  ▼ DELETE /books/1: signed-in users may not; the working tree allows it
`
