package ship_test

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"maps"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"gatewright/deploy/awstest"
)

// hotTimes are how long a hot push took, and hotSteps the lines about functions that change at once.
var (
	hotSteps = regexp.MustCompile(`(?m)^function \S+: changing its code\n`)
	hotTimes = regexp.MustCompile(`(?m)^in .*(ms|s);`)
)

// TestAHotPushSaysWhatItChangesAndWhatWaits gives two of three functions other code, and the project another path.
func TestAHotPushSaysWhatItChangesAndWhatWaits(t *testing.T) {
	t.Parallel()
	s, fake := onAWS(t)
	var mu sync.Mutex
	code := map[string]string{}
	fake.Serve("lambda", func(r awstest.Request) (any, error) {
		mu.Lock()
		defer mu.Unlock()
		name, what, _ := strings.Cut(strings.TrimPrefix(r.Path, "/2015-03-31/functions/"), "/")
		if what == "code" {
			var in struct{ S3Key string }
			if err := r.Read(&in); err != nil {
				return nil, err
			}
			sum, err := hex.DecodeString(strings.TrimSuffix(strings.TrimPrefix(in.S3Key, "functions/"), ".zip"))
			if err != nil {
				return nil, err
			}
			code[name] = base64.StdEncoding.EncodeToString(sum)
		}
		if code[name] == "" {
			return nil, awstest.ErrUnserved
		}
		return map[string]string{"CodeSha256": code[name], "State": "Active", "LastUpdateStatus": "Successful"}, nil
	})
	told(t, s, `% init --name shop --app-id d1shop --region eu-central-1
$ 2 push --hot
gatewright: environment dev is deployed to this machine, where a push is done at once; --hot is for AWS
$ 2 push --watch
gatewright: --watch, --adopt and --allow-destroy are for environments of AWS, and dev is deployed to this machine
% update env dev --provider aws
% add api shop --path /books --function books --new-function plain --auth read
% add function mail --template plain
% add function idle --template plain
$ 1 push --hot
gatewright: environment dev was never deployed; push it with: gatewright push --env dev
$ 1 push --watch
gatewright: environment dev was never deployed; push it with: gatewright push --env dev
% push --yes
$ 0 push --watch
the stack gatewright-d1shop-dev-branch-884c1f91c7 is pushed, since TIME
pushed environment dev as the stack gatewright-d1shop-dev-branch-884c1f91c7
`+shopAddresses+`client configuration file client_config.json is up to date, for environment dev
TIME  the user pool: made
TIME  the client of the user pool: made
TIME  the identity pool: made
TIME  the role of signed-in users: made
TIME  the role of guests: made
TIME  the log group of the function books: made
TIME  the role of the function books: made
TIME  the function books: made
TIME  the log group of the function idle: made
TIME  the role of the function idle: made
TIME  the function idle: made
TIME  the log group of the function mail: made
TIME  the role of the function mail: made
TIME  the function mail: made
TIME  the API shop: made
TIME  the resource /books of the API shop: made
TIME  ANY /books of the API shop: made
TIME  OPTIONS /books of the API shop: made
TIME  the resource /books/{proxy+} of the API shop: made
TIME  ANY /books/{proxy+} of the API shop: made
TIME  OPTIONS /books/{proxy+} of the API shop: made
TIME  the answer 4XX of the API shop: made
TIME  the answer 5XX of the API shop: made
TIME  the deployment of the API shop: made
TIME  the stage dev of the API shop: made
TIME  the permission to call the function books of the API shop: made
TIME  what signed-in users may do with the API shop: made
TIME  the definition as deployed: made
TIME  the roles of the identity pool: made
`)
	for _, name := range []string{"books", "mail", "idle"} {
		code[name+"-dev"] = "of somebody else"
	}
	s.Run(0, "push", "--hot")
	for _, name := range []string{"books", "mail"} {
		s.Put(filepath.Join("backend", "function", name, "src", "index.js"), "exports.handler = async () => ({ statusCode: 200 });\n")
	}
	s.Run(0, "add", "path", "shop", "/later", "--function", "mail", "--auth", "read")
	hot := func(want string, args ...string) {
		t.Helper()
		got := archives.ReplaceAllString(s.Run(0, append([]string{"push", "--hot"}, args...)...), "")
		if n := len(hotSteps.FindAllString(got, -1)); n != strings.Count(want, "has its new code") {
			t.Errorf("%d functions begin to change in\n%s", n, got)
		}
		got = hotSteps.ReplaceAllString(got, "")
		if got = hotTimes.ReplaceAllString(got, "in TIME;"); got != want {
			t.Errorf("%q prints\n%s\nwant\n%s", args, got, want)
		}
	}
	const (
		head  = "environment dev, account 123456789012, eu-central-1: code alone\n"
		waits = "waits for a push: API shop changes (/later is new, served by mail (signed-in users: read))\n"
	)
	were := maps.Clone(code)
	hot(head+"  function books would get its new code\n  function mail would get its new code\n  idle: the code is the deployed one\n"+waits, "--dry-run")
	if !maps.Equal(code, were) {
		t.Errorf("a dry run changed the code to %v", code)
	}
	hot(head + "  function books has its new code\n  function mail has its new code\n  idle: the code is the deployed one\nin TIME; the next push brings the stack in line\n" + waits)
	if code["books-dev"] == were["books-dev"] || code["mail-dev"] == were["mail-dev"] || code["idle-dev"] != were["idle-dev"] {
		t.Errorf("the code is %v, and was %v", code, were)
	}
	hot(head + "the code of every function is the deployed one; nothing is changed\n" + waits)
	var report struct {
		DryRun          bool
		Functions, Same []any
		Waiting         []string
	}
	if err := json.Unmarshal([]byte(s.Run(0, "push", "--hot", "--json")), &report); err != nil || len(report.Functions) != 0 || len(report.Same) != 3 || len(report.Waiting) != 1 {
		t.Errorf("as JSON it is %+v, %v", report, err)
	}
}
