package inspect_test

import (
	"strings"
	"testing"

	"gatewright/deploy/awstest"
)

func TestARequestToAnAPIThatIsGoneInAWSIsAnswered(t *testing.T) {
	t.Parallel()
	fake := awstest.New(t, awstest.Options{})
	f := fake.ServeInForce()
	s := newSession(t)
	s.Environ = fake.Env()
	s.Run(0, "init", "--name", "shop")
	s.Run(0, "update", "env", "dev", "--provider", "aws", "--region", "eu-central-1")
	s.Run(0, "add", "api", "shop", "--path", "/books", "--function", "books", "--new-function", "plain", "--auth", "all")
	s.Run(0, "push", "--yes")
	s.Run(0, "can", "authenticated", "GET", "/books", "--live")
	for _, stack := range fake.Stacks() {
		for _, r := range stack.Resources {
			if r.Type == "AWS::ApiGateway::RestApi" {
				f.Gone = append(f.Gone, r.PhysicalID)
			}
		}
	}
	text := s.Run(3, "can", "authenticated", "GET", "/books", "--live")
	for _, want := range []string{
		"no: signed-in users may not send GET /books in AWS: the API no longer exists in AWS\n", "last push  yes: ", "the API shop of the last push is not in AWS",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}

// TestAGroupThatIsInAWSAloneIsAskedAbout has a group that somebody made by hand.
func TestAGroupThatIsInAWSAloneIsAskedAbout(t *testing.T) {
	t.Parallel()
	fake := awstest.New(t, awstest.Options{})
	fake.ServeInForce()
	s := newSession(t)
	s.Environ = fake.Env()
	s.Run(0, "init", "--name", "shop")
	s.Run(0, "update", "env", "dev", "--provider", "aws", "--region", "eu-central-1")
	s.Run(0, "add", "api", "shop", "--path", "/books", "--function", "books", "--new-function", "plain", "--auth", "read")
	s.Run(0, "push", "--yes")
	fake.Serve("cognito-idp", func(awstest.Request) (any, error) {
		return map[string]any{"Groups": []any{map[string]any{"GroupName": "Hand"}}}, nil
	})
	if text := s.Run(0, "can", "group:Hand", "GET", "/books", "--live"); !strings.HasPrefix(text, "yes: signed-in users may send GET /books in AWS") {
		t.Errorf("it says\n%s", text)
	}
	if text := s.Run(1, "can", "group:Nobody", "GET", "/books", "--live"); !strings.Contains(text, "group Nobody: not found") {
		t.Errorf("of a group that nobody has it says\n%s", text)
	}
}
