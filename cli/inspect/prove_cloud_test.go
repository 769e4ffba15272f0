package inspect_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gatewright/deploy/awstest"
)

func TestAStackInAWSIsProved(t *testing.T) {
	t.Parallel()
	fake := awstest.New(t, awstest.Options{})
	f := fake.ServeInForce()
	s := newSession(t)
	s.Environ = fake.Env()
	s.Run(0, "init", "--name", "shop", "--app-id", "d1shop", "--region", "eu-central-1")
	s.Run(0, "update", "env", "dev", "--provider", "aws")
	s.Run(0, "add", "api", "shop", "--path", "/books", "--function", "books", "--new-function", "plain", "--auth", "all", "--guest", "read")
	s.Run(0, "add", "api", "staff", "--path", "/lists", "--function", "books", "--auth", "read")
	s.Run(0, "add", "env", "prod", "--provider", "aws", "--api", "shop")
	s.Run(0, "push", "--yes")
	s.Run(0, "push", "--yes", "--env", "prod")
	const dev = "gatewright-d1shop-dev-branch-884c1f91c7"
	stacks := fake.Stacks()
	prod := stacks[len(stacks)-1].Name
	// A stack is compared with the environment whose stack it is, which has an API less in prod.
	for _, row := range []struct {
		stack, args string
		code        int
		want        string
	}{
		{dev, "", 0, "equal: 76 decisions\n"},
		{prod, "", 0, "equal: 38 decisions\n"},
		{dev, "--api staff", 0, "equal: 38 decisions\n"},
	} {
		if got := s.Run(row.code, append([]string{"prove", "--stack", row.stack}, strings.Fields(row.args)...)...); got != row.want {
			t.Errorf("%s %s: %s", row.stack, row.args, got)
		}
	}
	// Nor need one be chosen.
	elsewhere := s.Copy()
	if err := os.RemoveAll(filepath.Join(elsewhere.Dir, ".gatewright")); err != nil {
		t.Fatal(err)
	}
	if got := elsewhere.Run(0, "prove", "--stack", prod); got != "equal: 38 decisions\n" {
		t.Errorf("without a chosen environment: %s", got)
	}
	// What somebody opened by hand is in no template.
	f.ResourcePolicy = `{"Statement": {"Effect": "Allow", "Principal": "*", "Action": "execute-api:Invoke", "Resource": "execute-api:/*"}}`
	f.Permissions = map[string][]string{"books-prod": {`{"Sid": "Hand", "Effect": "Allow", "Principal": "*", "Action": "lambda:InvokeFunction"}`}}
	opened := s.Run(3, "prove", "--stack", prod)
	for _, line := range []string{
		"DELETE, PATCH, POST, PUT /books: guests may; the project refuses it\n",
		"the function BooksFunctionc418cb: anyone with an AWS account may call it by the permission Hand; it names everybody (*)\n", ", 1 other way to functions\n",
	} {
		if !strings.Contains(opened, line) {
			t.Errorf("%q is not in\n%s", line, opened)
		}
	}
	f.ResourcePolicy, f.Permissions = "", nil
	// Without the right to look, what is written is compared, and not taken for what runs.
	fake.Fail("GetRole", "AccessDenied", "User: arn:aws:iam::123456789012:user/ann is not authorized to perform: iam:GetRole", 1)
	const refused = "its policies in force are not known: environment prod: ann may not do iam:GetRole"
	if text := s.Run(3, "prove", "--stack", prod); !strings.Contains(text, refused) || !strings.Contains(text, "not equal: 0 differences in 38 decisions, 1 not decided\n") {
		t.Errorf("without the right to read roles: %s", text)
	}
	s.Run(0, "update", "path", "shop", "/books", "--guest", "read,create")
	const want = "POST /books: guests may not; the project allows it\nPOST /books/1: guests may not; the project allows it\nnot equal: 2 differences in 76 decisions\n"
	if got := s.Run(3, "prove", "--stack", dev); got != want {
		t.Errorf("after a change it says\n%s", got)
	}
	type difference struct{ API, Who, Direction, Resource, Path, Why string }
	var report struct {
		Equal       bool
		Template    string
		Decisions   int
		Differences []difference
	}
	differences := []difference{
		{"shop", "guests", "less", "/books", "/books", "the project allows it"}, {"shop", "guests", "less", "/books/{proxy+}", "/books/1", "the project allows it"},
	}
	if err := json.Unmarshal([]byte(s.Run(3, "prove", "--stack", dev, "--json")), &report); err != nil ||
		report.Equal || report.Template != "the stack "+dev || report.Decisions != 76 || !slices.Equal(report.Differences, differences) {
		t.Errorf("as JSON it is %+v, %v", report, err)
	}
	for _, row := range []struct {
		code int
		args string
		want string
	}{
		{2, "--stack " + dev + " template.json", "give a TEMPLATE or --stack STACK, not both"},
		{2, "--region eu-west-1", "--region and --profile need --stack STACK"},
		{2, "--profile x template.json", "--region and --profile need --stack STACK"},
		{1, "--stack none", "none"},
		{1, "--region eu-west-1 --stack " + dev, "eu-west-1"},
	} {
		if text := s.Run(row.code, append([]string{"prove"}, strings.Fields(row.args)...)...); !strings.Contains(text, row.want) || strings.Count(text, "\n") != 1 {
			t.Errorf("%s: %s", row.args, text)
		}
	}
}
