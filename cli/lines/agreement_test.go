package lines_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/cli/lines"
	"gatewright/deploy/deploytest"
	"gatewright/flow/request"
	"gatewright/flow/request/requesttest"
)

// toldOnce are the lines that the console prints again and again: options, and what differs from run
// to run in an answer.
var toldOnce = regexp.MustCompile(`(?m)^(  \d\. .*|Access-Control-.*|Content-.*|Date: .*|X-Amz.*)\n`)

const agreements = `The test console in plain lines. Answer with a number or a text. An empty answer keeps the value, none clears it. < goes back, quit leaves, ? explains.
The sandbox listens at http://HOST.
Mode (now 1):   1. dev (from the working tree)
Environment (now 1):   1. /open (echo, open)
Path (now 1):   1. GET (read; will be refused)
Method (now 1): Below it: Query: Header: Body:   1. nobody (no credentials, like curl; counts as a guest)
Who calls (now 1): 
DELETE /staff
It will be refused: guests may not delete under /staff.
What now: DELETE /staff goes to the environment prod as last pushed, not to the working tree. It can change data there permanently. The environment is guarded.
Type prod to send it: Not sent.

DELETE /staff
It will be refused: guests may not delete under /staff.
What now: DELETE /staff goes to the environment prod as last pushed, not to the working tree. It can change data there permanently. The environment is guarded.
Type prod to send it: 
Request:
DELETE /staff, not signed

Status and latency:
403 Forbidden, 1 ms, 163 bytes

Why it was refused:
DELETE /prod/staff 403: guests may not delete under /staff (no credentials sent); make /staff protected and let guests delete there

Response body:
{
  "Message": "User: anonymous is not authorized to perform: execute-api:Invoke on resource: arn:aws:execute-api:eu-west-1:********0000:gi3cysvuxh/prod/DELETE/staff"
}

Response headers:

Log of the function echo:
the function was not called, or wrote nothing

DELETE /staff
It will be refused: guests may not delete under /staff.
What now: DELETE /staff goes to the environment prod as last pushed, not to the working tree. It can change data there permanently. The environment is guarded.
Type prod to send it: 
DELETE /staff
It will be refused: guests may not delete under /staff.
What now:   1. DELETE /staff (403, 1 ms, TIME)
Which one: 
DELETE /staff
It will be refused: guests may not delete under /staff.
What now: The method of this request was filled in; you did not choose it. DELETE /staff, signed by nobody, in the environment prod, may delete what it names.
Send it, yes or no: Not sent.

DELETE /staff
It will be refused: guests may not delete under /staff.
What now: The method of this request was filled in; you did not choose it. DELETE /staff, signed by nobody, in the environment prod, may delete what it names.
Send it, yes or no: DELETE /staff goes to the environment prod as last pushed, not to the working tree. It can change data there permanently. The environment is guarded.
Type prod to send it: 
Request:
DELETE /staff, not signed

Status and latency:
403 Forbidden, 1 ms, 163 bytes

Why it was refused:
DELETE /prod/staff 403: guests may not delete under /staff (no credentials sent); make /staff protected and let guests delete there

Response body:
{
  "Message": "User: anonymous is not authorized to perform: execute-api:Invoke on resource: arn:aws:execute-api:eu-west-1:********0000:gi3cysvuxh/prod/DELETE/staff"
}

Response headers:

Log of the function echo:
the function was not called, or wrote nothing

DELETE /staff
It will be refused: guests may not delete under /staff.
What now:   1. CALL (what a client sends)
Mode (now 1):   1. dev (from the working tree)
Environment (now 2):   1. /open (echo, open)
Path (now 3):   1. GET (read; will be refused)
Method (now 7): Below it: Query: Header: Body:   1. nobody (no credentials, like curl; counts as a guest)
Who calls (now 1): 
GET /staff, signed by a guest
It will be refused: guests may not read under /staff.
What now: 
Request:
GET /staff, signed by a guest

Status and latency:
403 Forbidden, 1 ms, 247 bytes

Why it was refused:
GET /prod/staff 403: guests may not read under /staff (called by a guest); sign in as a member of Editors, or make /staff protected and let guests read there

Response body:
{
  "Message": "User: arn:aws:sts::000000000000:assumed-role/eu-west-1_6X848cr4M-unauthRole/CognitoIdentityCredentials is not authorized to perform: execute-api:Invoke on resource: arn:aws:execute-api:eu-west-1:********0000:gi3cysvuxh/prod/GET/staff"
}

Response headers:

Log of the function echo:
the function was not called, or wrote nothing

GET /staff, signed by a guest
It will be refused: guests may not read under /staff.
What now: 
Compared with the previous response:
- DELETE /staff, not signed: 403 Forbidden, 1 ms, 163 bytes
+ GET /staff, signed by a guest: 403 Forbidden, 1 ms, 247 bytes
@@ -3,10 +3,10 @@
 Access-Control-Allow-Methods: DELETE,GET,HEAD,OPTIONS,PATCH,POST,PUT
 Access-Control-Allow-Origin: *
 Access-Control-Expose-Headers: Date,X-Amzn-ErrorType
-Content-Length: 163
+Content-Length: 247
 Content-Type: application/json
 X-Amzn-Errortype: AccessDeniedException
 
 {
-  "Message": "User: anonymous is not authorized to perform: execute-api:Invoke on resource: arn:aws:execute-api:eu-west-1:********0000:gi3cysvuxh/prod/DELETE/staff"
+  "Message": "User: arn:aws:sts::000000000000:assumed-role/eu-west-1_6X848cr4M-unauthRole/CognitoIdentityCredentials is not authorized to perform: execute-api:Invoke on resource: arn:aws:execute-api:eu-west-1:********0000:gi3cysvuxh/prod/GET/staff"
 }

GET /staff, signed by a guest
It will be refused: guests may not read under /staff.
What now: curl http://HOST/gi3cysvuxh/prod/staff
curl signs nothing, which the sandbox accepts from a guest; gatewright call --as guest signs.

GET /staff, signed by a guest
It will be refused: guests may not read under /staff.
What now: `

// TestTheConsoleAsksBeforeItSendsWhatMayDoHarm sends requests to a guarded environment, one of them with
// a method that was filled in.
func TestTheConsoleAsksBeforeItSendsWhatMayDoHarm(t *testing.T) {
	t.Parallel()
	deploytest.NeedNode(t)
	dir := requesttest.WriteProject(t, requesttest.Shop(t))
	requesttest.Push(t, dir, "prod")
	deploytest.Serve(t, dir)
	answers := strings.Join([]string{
		"", "2", "3", "7", "", "", "", "", "", // DELETE /staff in prod
		"1", "dev", "1", "prod", "1", "<",
		"3", "1", "1", "no", "1", "yes", "prod",
		"2", "", "", "", "1", "", "", "", "", "2", "1", "6", "4", "9",
	}, "\n")
	var out strings.Builder
	if err := lines.Console(strings.NewReader(answers), &out, nil, nil, dir, request.Form{}); err != nil {
		t.Error(err)
	}
	got := out.String()
	for pattern, text := range map[string]string{
		`127\.0\.0\.1:\d+`: "HOST", `\b[\d.]+ m?s\b`: "1 ms", `, \d\d:\d\d:\d\d \S+\)`: ", TIME)",
	} {
		got = regexp.MustCompile(pattern).ReplaceAllString(got, text)
	}
	if diff := cmp.Diff(agreements, toldOnce.ReplaceAllString(got, "")); diff != "" {
		t.Errorf("%s\nof\n%s", diff, got)
	}
}
