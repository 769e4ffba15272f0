package aws_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"gatewright/model"
	"gatewright/model/access"
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
		return &model.Backend{Functions: []*model.Function{f}, APIs: []*access.API{{Label: "shop", Paths: []*access.Path{{Name: "/a", Function: "books", Access: access.Access{Setting: access.Open}}}}}}
	}
	length := func(n int) *model.Backend {
		return &model.Backend{Auth: &model.Auth{PasswordPolicy: &model.PasswordPolicy{MinLength: &n}}}
	}
	oauth := func(o model.OAuth) *model.Backend { return &model.Backend{Auth: &model.Auth{OAuth: &o}} }
	indexes := func(n int) *model.Backend {
		return &model.Backend{Tables: []*model.Table{{Name: "items", Indexes: slices.Repeat([]model.Index{{Name: "byName"}}, n)}}}
	}
	paths := func(n int) *model.Backend {
		api := &access.API{Label: "shop"}
		for i := range n {
			api.Paths = append(api.Paths, &access.Path{Name: "/p" + strings.Repeat("x", i), Access: access.Access{Setting: access.Open}})
		}
		return &model.Backend{APIs: []*access.API{api}}
	}
	restricted := &model.Backend{Groups: []string{"Admins"}}
	for _, c := range []struct {
		name          string
		right, wrong  *model.Backend
		env, wrongEnv model.Environment
		says          string
	}{
		{name: "region", right: restricted, wrong: restricted, env: model.Environment{Region: "eu-central-1"}, wrongEnv: model.Environment{Region: "eu-centrl-1"}, says: "not a region of AWS"},
		{name: "user pools in China", right: &model.Backend{}, wrong: restricted, env: model.Environment{Region: "cn-north-1"}, wrongEnv: model.Environment{Region: "cn-north-1"}, says: "has no user pools"},
		{name: "account", right: restricted, wrong: restricted, env: model.Environment{Account: "123456789012"}, wrongEnv: model.Environment{Account: "12345678901"}, says: "is not an AWS account"},
		{
			name: "function name", says: "a function name may have at most 64",
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
		{name: "indexes", right: indexes(20), wrong: indexes(21), says: "a table may have at most 20"},
		{name: "resources per API", right: paths(149), wrong: paths(150), says: "a REST API may have at most 300"},
		{name: "password", right: length(6), wrong: length(5), says: "AWS accepts 6 to 99"},
		{name: "domain", right: oauth(model.OAuth{Domain: "books.auth.us-east-1.amazoncognito.com"}), wrong: oauth(model.OAuth{Domain: "myaws.auth.us-east-1.amazoncognito.com"}), says: "accepts none with aws"},
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

// TestEachThingThatAWSWouldNotAcceptIsTold has a backend that is wrong in all ways, with all that is told of it, in order.
func TestEachThingThatAWSWouldNotAcceptIsTold(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("n", 252)
	short := regexp.MustCompile(`n{60,}\.\.\.|i{60,}\.\.\.`)
	b := &model.Backend{
		Groups: []string{"Admins"},
		Functions: []*model.Function{
			{Name: "f", FunctionName: strings.Repeat("f", 61), Timeout: 60, Layers: []string{
				"layers/own", "arn:aws:lambda:eu-west-1:1:layer:l:1", "arn:aws:lambda:cn-northwest-2:1:layer:l:1", "arn:aws-cn:lambda:cn-northwest-2:1:layer:l:1", "arn:aws",
			}},
			{Name: "slow", Timeout: 900},
		},
		Tables: []*model.Table{
			{Name: long, Indexes: slices.Concat(slices.Repeat([]model.Index{{Name: "byName"}}, 20), []model.Index{{Name: "by"}, {Name: strings.Repeat("i", 256)}, {Name: strings.Repeat("i", 255)}})},
			{Name: long[1:], Indexes: []model.Index{{Name: "byA"}}},
		},
		APIs: []*access.API{{Label: "shop", Paths: []*access.Path{{Name: "/a", Function: "f"}}}},
		Auth: &model.Auth{
			PasswordPolicy: &model.PasswordPolicy{MinLength: new(int)}, StandardRequiredAttributes: []string{"email", "sub"},
			OAuth: &model.OAuth{
				Domain: "awscognito.auth.amazon", RedirectSignInURI: []string{"https://a", "http://a", "app://a", "http://localhost/"}, RedirectSignOutURI: []string{"http://b"},
			},
		},
	}
	*b.Auth.PasswordPolicy.MinLength = 100
	var got []string
	for _, p := range aws.Check(b, &model.Environment{Name: "dev", Region: "cn-northwest-2", Account: "12345678901x"}) {
		text := short.ReplaceAllString(strings.ReplaceAll(p.Error(), strings.Repeat("f", 61), "FFF"), "LONG")
		got = append(got, p.Level.String()+" "+p.Pointer+" "+text)
	}
	want := []string{
		"error /region environment dev: the region cn-northwest-2 of the environment dev is not a region of AWS; did you mean cn-northwest-1?",
		"error /region environment dev: the region cn-northwest-2 has no user pools, and paths are restricted or groups defined; deploy to a region outside China, or open every path",
		"error /account environment dev: 12345678901x is not an AWS account; write its 12 digits",
		"error /functionName function f: its name in the environment dev, FFF-dev, has 65 characters, but a function name may have at most 64; shorten the function's name or the environment's",
		"warning /timeout function f: has a timeout of 60 seconds, but a REST API ends a call after 29; respond sooner, or do long work in a scheduled function",
		"error /layers/1 function f: the layer arn:aws:lambda:eu-west-1:1:layer:l:1 is not in the region cn-northwest-2 of the environment dev; use the layer's ARN of that region",
		"error /layers/2 function f: the layer arn:aws:lambda:cn-northwest-2:1:layer:l:1 is not in the region cn-northwest-2 of the environment dev; use the layer's ARN of that region",
		"error  table LONG: its name in the environment dev has 256 characters, but a table name may have at most 255; shorten the table's name",
		"error /indexes table LONG: has 23 indexes, but a table may have at most 20; remove some, or ask AWS for a higher quota",
		"error /indexes/20/name table LONG: the index by has a name that AWS does not accept; use 3 to 255 characters",
		"error /indexes/21/name table LONG: the index LONG has a name that AWS does not accept; use 3 to 255 characters",
		"error /password_policy/min_length auth: is 100, but AWS accepts 6 to 99; change it",
		"error /standard_required_attributes auth: requires sub, which the user pool sets itself; leave it out",
		"error /oauth/domain auth: has the prefix awscognito, and AWS accepts none with aws in it; choose another prefix",
		"error /oauth/domain auth: has the prefix awscognito, and AWS accepts none with cognito in it; choose another prefix",
		"error /oauth/redirect_sign_in_uri/1 auth: http://a is not encrypted, and AWS accepts http only for localhost; use https",
		"error /oauth/redirect_sign_out_uri/0 auth: http://b is not encrypted, and AWS accepts http only for localhost; use https",
	}
	if !slices.Equal(got, want) {
		t.Errorf("it is told\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestTheRegionThatIsWrongIsNamedWhereItIsWritten has the project's, the environment's, and one that is in no list.
func TestTheRegionThatIsWrongIsNamedWhereItIsWritten(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ project, environment, want string }{
		{"eu-central-9x", "", " the region eu-central-9x of the environment dev is not a region of AWS; did you mean eu-central-1?"},
		{"eu-central-9x", "moon", "/region environment dev: the region moon of the environment dev is not a region of AWS; use one such as eu-central-1 or us-east-1"},
		{"", "moon", "/region environment dev: the region moon of the environment dev is not a region of AWS; use one such as eu-central-1 or us-east-1"},
		{"", "us-iso-east-1", ""},
		{"", "eu-isoe-west-1", ""},
		{"", "", ""},
		{"cn-north-1", "", " the region cn-north-1 has no user pools, and paths are restricted or groups defined; deploy to a region outside China, or open every path"},
	} {
		var got []string
		for _, p := range aws.Check(&model.Backend{Project: model.Project{Region: row.project}, Groups: []string{"Admins"}}, &model.Environment{Name: "dev", Region: row.environment}) {
			got = append(got, p.Pointer+" "+p.Error())
		}
		if got := strings.Join(got, "|"); got != row.want {
			t.Errorf("%q and %q: %s\nwant %s", row.project, row.environment, got, row.want)
		}
	}
}

func TestRuntimesEndOnADay(t *testing.T) {
	t.Parallel()
	const page = " (https://docs.aws.amazon.com/lambda/latest/dg/lambda-runtimes.html)"
	for _, row := range []struct{ runtime, day, want string }{
		{"nodejs18.x", "2025-08-31", ""},
		{"nodejs18.x", "2026-11-30", "AWS ended support for the runtime nodejs18.x on 2025-09-01, creates no function with it from 2027-02-01, and updates none from 2027-03-03" + page},
		{"nodejs18.x", "2027-02-01", "AWS ended support for the runtime nodejs18.x on 2025-09-01, creates no function with it since 2027-02-01, and updates none from 2027-03-03" + page},
		{"dotnet9", "2026-11-30", "AWS ended support for the runtime dotnet9 on 2026-11-10" + page},
		{"cobol", "2026-11-30", ""},
	} {
		now, err := time.Parse(time.DateOnly, row.day)
		if got := aws.Deprecated(row.runtime, now); err != nil || got != row.want {
			t.Errorf("%s on %s: %v\n%s\nwant\n%s", row.runtime, row.day, err, got, row.want)
		}
	}
}

// TestWhatADefinitionMayNameHasItsDays knows each runtime, and that none is maintained for ever.
func TestWhatADefinitionMayNameHasItsDays(t *testing.T) {
	t.Parallel()
	for _, runtime := range model.Runtimes {
		if aws.Deprecated(string(runtime.InCloud()), time.Date(2040, 1, 1, 0, 0, 0, 0, time.UTC)) == "" {
			t.Errorf("nothing says when %s ends", runtime)
		}
	}
}

func TestEachRegionHasItsPartition(t *testing.T) {
	t.Parallel()
	for region, want := range map[string]string{"eu-central-1": "aws", "cn-north-1": "aws-cn", "us-gov-west-1": "aws-us-gov", "us-isob-east-1": "aws-iso-b", "us-iso-east-1": "aws-iso", "us-isof-south-1": "aws-iso-f", "eu-isoe-west-1": "aws-iso-e", "eusc-de-east-1": "aws-eusc"} {
		if got := aws.Partition(region); got != want {
			t.Errorf("%s is in %s, not %s", region, got, want)
		}
	}
}
