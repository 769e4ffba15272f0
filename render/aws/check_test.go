package aws_test

import (
	"slices"
	"strings"
	"testing"

	"gatewright/model"
	"gatewright/render/aws"
)

// problemsOf checks a backend in an environment of a region.
func problemsOf(b *model.Backend, env model.Environment) []string {
	if env.Name == "" {
		env.Name = "dev"
	}
	var texts []string
	for _, p := range aws.Check(b, &env) {
		texts = append(texts, p.Level.String()+" "+p.Pointer+" "+p.Text)
	}
	return texts
}

func says(problems []string, text string) bool {
	return slices.ContainsFunc(problems, func(p string) bool { return strings.Contains(p, text) })
}

func TestWhatAWSAcceptsHasItsEdges(t *testing.T) {
	t.Parallel()
	function := func(change func(*model.Function)) *model.Backend {
		f := &model.Function{Name: "books", Runtime: model.NodeJS}
		change(f)
		return &model.Backend{Functions: []*model.Function{f}, APIs: []*model.API{{Label: "shop", Paths: []*model.Path{{Name: "/a", Function: "books", Access: model.Access{Setting: model.Open}}}}}}
	}
	length := func(n int) *model.Backend {
		return &model.Backend{Auth: &model.Auth{PasswordPolicy: &model.PasswordPolicy{MinLength: &n}}}
	}
	oauth := func(o model.OAuth) *model.Backend { return &model.Backend{Auth: &model.Auth{OAuth: &o}} }
	indexes := func(n int) *model.Backend {
		return &model.Backend{Tables: []*model.Table{{Name: "items", Indexes: slices.Repeat([]model.Index{{Name: "byName"}}, n)}}}
	}
	paths := func(n int) *model.Backend {
		api := &model.API{Label: "shop"}
		for i := range n {
			api.Paths = append(api.Paths, &model.Path{Name: "/p" + strings.Repeat("x", i), Access: model.Access{Setting: model.Open}})
		}
		return &model.Backend{APIs: []*model.API{api}}
	}
	restricted := &model.Backend{Groups: []string{"Admins"}}
	for _, c := range []struct {
		name          string
		right, wrong  *model.Backend
		env, wrongEnv model.Environment
		says          string
	}{
		{name: "region", right: restricted, wrong: restricted, env: model.Environment{Region: "eu-central-1"}, wrongEnv: model.Environment{Region: "eu-centrl-1"}, says: "none of AWS"},
		{name: "user pools in China", right: &model.Backend{}, wrong: restricted, env: model.Environment{Region: "cn-north-1"}, wrongEnv: model.Environment{Region: "cn-north-1"}, says: "has no user pools"},
		{name: "account", right: restricted, wrong: restricted, env: model.Environment{Account: "123456789012"}, wrongEnv: model.Environment{Account: "12345678901"}, says: "is no AWS account"},
		{
			name: "function name", says: "a function's name takes 64",
			right: function(func(f *model.Function) { f.FunctionName = strings.Repeat("f", 60) }),
			wrong: function(func(f *model.Function) { f.FunctionName = strings.Repeat("f", 61) }),
		},
		{
			name: "timeout", says: "ends a call after 29",
			right: function(func(f *model.Function) { f.Timeout = 29 }),
			wrong: function(func(f *model.Function) { f.Timeout = 30 }),
		},
		{
			name: "layer", says: "is not in the region",
			right: function(func(f *model.Function) { f.Layers = []string{"arn:aws:lambda:us-east-1:123456789012:layer:l:1"} }),
			wrong: function(func(f *model.Function) { f.Layers = []string{"arn:aws:lambda:eu-west-1:123456789012:layer:l:1"} }),
		},
		{name: "indexes", right: indexes(20), wrong: indexes(21), says: "a table takes 20"},
		{name: "resources of an API", right: paths(149), wrong: paths(150), says: "a REST API takes 300"},
		{name: "password", right: length(6), wrong: length(5), says: "AWS takes 6 to 99"},
		{name: "domain", right: oauth(model.OAuth{Domain: "books.auth.us-east-1.amazoncognito.com"}), wrong: oauth(model.OAuth{Domain: "myaws.auth.us-east-1.amazoncognito.com"}), says: "takes none with aws"},
		{
			name: "redirect", says: "is not encrypted",
			right: oauth(model.OAuth{RedirectSignInURI: []string{"http://localhost:3000/", "https://a.example/"}}),
			wrong: oauth(model.OAuth{RedirectSignInURI: []string{"http://a.example/"}}),
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := problemsOf(c.right, c.env); says(got, c.says) {
				t.Errorf("what AWS accepts is a problem: %v", got)
			}
			if got := problemsOf(c.wrong, c.wrongEnv); !says(got, c.says) {
				t.Errorf("nothing says %q: %v", c.says, got)
			}
		})
	}
}

func TestRuntimesEndOnADay(t *testing.T) {
	t.Parallel()
	if day, ok := aws.DeprecatedOn("nodejs18.x"); !ok || day != "2025-09-01" {
		t.Errorf("nodejs18.x ends on %q", day)
	}
	if _, ok := aws.DeprecatedOn("cobol"); ok {
		t.Error("there is a day for an unknown runtime")
	}
}

func TestEachRegionHasItsPartition(t *testing.T) {
	t.Parallel()
	for region, want := range map[string]string{"eu-central-1": "aws", "cn-north-1": "aws-cn", "us-gov-west-1": "aws-us-gov", "us-isob-east-1": "aws-iso-b", "eusc-de-east-1": "aws-eusc"} {
		if got := aws.Partition(region); got != want {
			t.Errorf("%s is in %s, not %s", region, got, want)
		}
	}
}
