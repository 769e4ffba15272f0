package template_test

import (
	"fmt"

	"pgregory.net/rapid"

	"gatewright/model"
	"gatewright/model/access"
)

// drawBackend draws a backend with up to three APIs and everything that belongs to one. It is
// small enough to be deployed, but may need nested stacks.
func drawBackend(t *rapid.T) *model.Backend {
	var apis []*access.API
	for i := range rapid.IntRange(1, 3).Draw(t, "APIs") {
		a := drawAPI(t)
		a.Label = fmt.Sprintf("api-%d", i)
		for _, p := range a.Paths {
			p.Function = fmt.Sprintf("f%d", rapid.IntRange(0, 4).Draw(t, "function"))
			p.Access = drawAccess(t)
		}
		if rapid.IntRange(0, 9).Draw(t, "large") == 0 {
			a.Paths = append(a.Paths, manyPaths("", 70).Paths...)
		}
		apis = append(apis, a)
	}
	b := backend(apis...)
	b.Groups = []string{"Admins", "Editors", "Ünlü+1"}[:rapid.IntRange(0, 3).Draw(t, "groups")]
	for i := range rapid.IntRange(0, 3).Draw(t, "tables") {
		b.Tables = append(b.Tables, drawTable(t, fmt.Sprintf("table.%d", i)))
	}
	for _, f := range b.Functions {
		drawFunction(t, b, f)
	}
	drawTriggers(t, b)
	if rapid.Bool().Draw(t, "auth") {
		b.Auth = drawAuth(t)
	}
	if rapid.Bool().Draw(t, "storage") {
		b.Storage = &model.Storage{Region: "eu-central-1", BucketName: "files-of-books"}
	}
	return b
}

// drawTriggers draws functions that the user pool and the tables call.
func drawTriggers(t *rapid.T, b *model.Backend) {
	name := func() string { return b.Functions[rapid.IntRange(0, len(b.Functions)-1).Draw(t, "triggered")].Name }
	for _, at := range model.Moments {
		if at != model.PreTokenGeneration && rapid.IntRange(0, 4).Draw(t, "trigger") == 0 {
			b.Triggers = append(b.Triggers, model.Trigger{At: at, Function: name()})
		}
	}
	for _, table := range b.Tables {
		switch rapid.IntRange(0, 3).Draw(t, "stream") {
		case 0:
			table.StreamView = rapid.SampledFrom(model.StreamViews).Draw(t, "view")
		case 1:
			table.Triggers = []model.StreamTrigger{{
				Function: name(), From: rapid.SampledFrom([]string{"", model.FromLatest, model.FromOldest}).Draw(t, "from"), BatchSize: rapid.IntRange(0, model.MaxBatchSize).Draw(t, "batch"),
				BatchWindow: rapid.IntRange(0, model.MaxBatchWindow).Draw(t, "window"), Attempts: rapid.IntRange(0, model.MaxAttempts).Draw(t, "attempts"),
				Bisect: rapid.Bool().Draw(t, "bisect"), ReportFailures: rapid.Bool().Draw(t, "failures"),
			}}
		}
	}
}

func drawAccess(t *rapid.T) access.Access {
	rules := access.Access{Setting: rapid.SampledFrom(access.Settings).Draw(t, "setting")}
	if rules.Setting == access.Open {
		return rules
	}
	for _, to := range []access.Principal{{Kind: access.Authenticated}, {Kind: access.Guest}, {Kind: access.Group, Group: "Admins"}, {Kind: access.Group, Group: "Others"}} {
		if to.Kind == access.Guest && rules.Setting != access.Protected {
			continue
		}
		if rapid.Bool().Draw(t, "granted") {
			rules = rules.With(to, access.Actions(rapid.IntRange(1, 15).Draw(t, "actions")))
		}
	}
	return rules
}

func drawTable(t *rapid.T, name string) *model.Table {
	key := func(name string) model.Key {
		return model.Key{Name: name, Type: rapid.SampledFrom(model.KeyTypes).Draw(t, "type")}
	}
	// One that stays keeps its name, and a push that gives it another key is refused.
	table := &model.Table{Name: name, PartitionKey: key("id"), Deletion: model.Delete}
	if rapid.Bool().Draw(t, "sorted") {
		table.SortKey = key("at")
	}
	for i := range rapid.IntRange(0, 2).Draw(t, "indexes") {
		table.Indexes = append(table.Indexes, model.Index{Name: fmt.Sprintf("by_%d", i), PartitionKey: key(fmt.Sprintf("key%d", i))})
	}
	return table
}

func drawFunction(t *rapid.T, b *model.Backend, f *model.Function) {
	some := func(what string) bool { return rapid.IntRange(0, 3).Draw(t, what) == 0 }
	f.Runtime = rapid.SampledFrom(model.Runtimes).Draw(t, "runtime")
	f.Handler = f.Runtime.Handler()
	if some("renamed") {
		f.FunctionName = f.Name + "-deployed"
	}
	if len(b.Tables) > 0 && some("table") {
		f.Table = b.Tables[0].Name
	}
	if some("schedule") {
		f.Schedule = rapid.SampledFrom([]string{"rate(5 minutes)", "cron(0 12 * * ? *)"}).Draw(t, "schedule")
	}
	if some("layers") {
		f.Layers = []string{"arn:aws:lambda:eu-central-1:123456789012:layer:tools:3", "layers/shared"}
	}
	if some("secrets") {
		f.Secrets = []string{"API_KEY", "Password"}
	}
	if some("variables") {
		f.Environment = []model.Variable{{Name: "LEVEL", Value: "${debug}"}, {Name: "ENV", Value: ""}}
	}
	for _, resource := range []string{"table/table.0", "function/f0", "function/f1", "api/api-0", "storage/files"} {
		if resource == "table/table.0" && len(b.Tables) == 0 || !some("access") {
			continue
		}
		f.Access = append(f.Access, model.ResourceAccess{Resource: resource, Actions: access.Actions(rapid.IntRange(1, 15).Draw(t, "actions"))})
	}
}

func drawAuth(t *rapid.T) *model.Auth {
	guests := rapid.Bool().Draw(t, "guests")
	length := rapid.IntRange(6, 99).Draw(t, "length")
	auth := &model.Auth{
		UnauthenticatedIdentitiesEnabled: &guests,
		PasswordPolicy:                   &model.PasswordPolicy{MinLength: &length},
		MFAConfiguration:                 rapid.SampledFrom(append([]string{""}, model.MFAConfigurations...)).Draw(t, "MFA"),
		MFAMethods:                       rapid.SampledFrom([][]string{nil, {"SMS"}, {"TOTP"}, {"TOTP", "SMS"}}).Draw(t, "methods"),
		UsernameAttributes:               rapid.SampledFrom([][]string{nil, {"email"}, {"phone_number", "email"}, {"username", "email"}}).Draw(t, "names"),
		UserVerificationTypes:            rapid.SampledFrom([][]string{nil, {"email"}, {"phone_number", "email"}}).Draw(t, "verification"),
		StandardRequiredAttributes:       rapid.SampledFrom([][]string{nil, {"email"}, {"name", "updated_at", "sub"}}).Draw(t, "required"),
	}
	if rapid.Bool().Draw(t, "OAuth") {
		auth.OAuth = &model.OAuth{
			IdentityProviders: rapid.SliceOfDistinct(rapid.SampledFrom(model.IdentityProviders), rapid.ID[string]).Draw(t, "providers"),
			Domain:            "books.auth.eu-central-1.amazoncognito.com", Scopes: []string{"openid", "email"},
			RedirectSignInURI: []string{"https://books.example/in"}, RedirectSignOutURI: []string{"https://books.example/out"},
			ResponseType: rapid.SampledFrom(model.ResponseTypes).Draw(t, "response"),
		}
	}
	return auth
}
