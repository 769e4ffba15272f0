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
		{2, "--stack " + dev + " template.json", "give a TEMPLATE or --stack, not both"},
		{2, "--region eu-west-1", "--region and --profile say where a stack is: give --stack too"},
		{2, "--profile x template.json", "--region and --profile say where a stack is: give --stack too"},
		{1, "--stack none", "none"},
		{1, "--region eu-west-1 --stack " + dev, "eu-west-1"},
	} {
		if text := s.Run(row.code, append([]string{"prove"}, strings.Fields(row.args)...)...); !strings.Contains(text, row.want) || strings.Count(text, "\n") != 1 {
			t.Errorf("%s: %s", row.args, text)
		}
	}
}
