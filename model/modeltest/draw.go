package modeltest

import (
	"slices"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/accesstest"
	"gatewright/model/edit"

	"pgregory.net/rapid"
)

// Draw returns the result of random edits.
func Draw(t *rapid.T) *model.Backend {
	b := &model.Backend{}
	for range rapid.IntRange(1, 40).Draw(t, "edits") {
		if next, err := b.Edit(func(b *model.Backend) error { return DrawEdit(t, b) }); err == nil {
			b = next
		}
	}
	return b
}

var (
	someNames = rapid.SampledFrom([]string{"aaa", "bbb", "ccc"})
	somePaths = rapid.SampledFrom([]string{"/", "/a", "/a/{x}", "/a/{y}", "/a/{x}/c", "/b"})
	someKinds = rapid.SampledFrom([]model.Kind{
		model.KindFunction, model.KindAPI, model.KindGroup,
		model.KindEnvironment, model.KindTable, model.KindOutput, model.KindPath,
	})
	someValues     = rapid.SampledFrom([]string{"", "", "one", "two"})
	someReferences = rapid.SampledFrom([]string{
		"", "x", "${TABLE_AAA_NAME}",
		"$${ENV} ${FUNCTION_BBB_ARN} ${API_CCC_URL}",
	})
	someTypes    = rapid.SampledFrom([]string{"", "API_KEY", "CLOUD_IAM", "CLOUD_FUNCTION"})
	someRuntimes = rapid.SampledFrom([]model.Runtime{model.NodeJS, model.NodeJS, model.Python})
)

// DrawEdit applies one edit of any kind, sometimes a wrong one.
func DrawEdit(t *rapid.T, b *model.Backend) error {
	name, path := someNames.Draw(t, "name"), somePaths.Draw(t, "path")
	switch rapid.IntRange(0, 20).Draw(t, "edit") {
	case 20:
		return edit.SetBinaryMediaTypes(b, name,
			rapid.SliceOfN(rapid.SampledFrom([]string{"image/png", "image/*", "*/*", "png"}), 0, 3).Draw(t, "media types"))
	case 0:
		return edit.AddFunction(b, drawFunction(t, name))
	case 1:
		return edit.UpdateFunction(b, drawFunction(t, name))
	case 2:
		return edit.AddGroup(b, name)
	case 3:
		return edit.AddReadGroup(b, name+rapid.SampledFrom([]string{"", "é", " "}).Draw(t, "suffix"))
	case 4:
		return edit.AddAPI(b,
			&access.API{
				Label:            name,
				BinaryMediaTypes: rapid.SampledFrom([][]string{nil, {"image/png"}, {"image"}}).Draw(t, "media types"),
				Paths:            []*access.Path{drawPath(t, path), drawPath(t, somePaths.Draw(t, "second path"))},
			})
	case 5:
		return edit.AddPath(b, name, drawPath(t, path))
	case 6:
		return edit.UpdatePath(b, name, path, drawPath(t, somePaths.Draw(t, "new path")))
	case 7:
		return edit.Remove(b, model.Ref{Kind: someKinds.Draw(t, "kind"), API: someNames.Draw(t, "api"), Name: name},
			rapid.Bool().Draw(t, "cascade"))
	case 8:
		of := model.Ref{Kind: someKinds.Draw(t, "kind"), API: someNames.Draw(t, "api"), Name: name}
		if of.Kind == model.KindPath {
			of.Name = path
			return edit.Rename(b, of, somePaths.Draw(t, "to"))
		}
		return edit.Rename(b, of, someNames.Draw(t, "to")+rapid.SampledFrom([]string{"", "2"}).Draw(t, "suffix"))
	case 9:
		return edit.AddEnvironment(b, drawEnvironment(t, name))
	case 10:
		return edit.UpdateEnvironment(b, drawEnvironment(t, name))
	case 11:
		return edit.OrderGroups(b, rapid.Permutation(b.Groups).Draw(t, "order"))
	case 12:
		return edit.AddTable(b, drawTable(t, name))
	case 13:
		return edit.UpdateTable(b, drawTable(t, name))
	case 14:
		return edit.SetAuth(b, &model.Auth{
			Region:             someValues.Draw(t, "region"),
			MFAConfiguration:   rapid.SampledFrom([]string{"", "NONE", "OPTIONAL", "x"}).Draw(t, "mfa"),
			UsernameAttributes: rapid.SampledFrom([][]string{nil, {}, {"email"}, {"email", "email"}}).Draw(t, "attributes"),
		})
	case 15:
		return edit.SetData(b, drawData(t))
	case 16:
		return edit.SetStorage(b, drawStorage(t))
	case 17:
		return edit.UpdateOutput(b, name, drawOutputs(t))
	case 18:
		return edit.UpdateAPI(b,
			&access.API{Label: name, Paths: []*access.Path{drawPath(t, path), drawPath(t, somePaths.Draw(t, "second path"))}})
	}
	return edit.AddNamedOutput(b, name, drawOutputs(t))
}

func drawFunction(t *rapid.T, name string) *model.Function {
	f := &model.Function{
		Name: name, Runtime: someRuntimes.Draw(t, "runtime"),
		Template: rapid.SampledFrom(append(slices.Clone(model.Templates), "")).Draw(t, "template"),
		Table:    rapid.SampledFrom([]string{"", "aaa", "bbb"}).Draw(t, "table"),
		Timeout:  rapid.SampledFrom([]int{0, 1, 900, 901}).Draw(t, "timeout"),
	}
	if kind := someKinds.Draw(t, "access"); rapid.Bool().Draw(t, "has access") {
		f.Access = []model.ResourceAccess{{
			Resource: string(kind) + "/" + someNames.Draw(t, "resource"),
			Actions:  access.EveryAction,
		}}
		f.Environment = []model.Variable{{Name: "LIST", Value: someReferences.Draw(t, "value")}}
	}
	return f
}

func drawPath(t *rapid.T, name string) *access.Path {
	group := accesstest.ToGroup(someNames.Draw(t, "group"), access.Read)
	return rapid.SampledFrom([]*access.Path{
		accesstest.Open(name, "aaa"), accesstest.Open(name, "bbb"), accesstest.Open(name, ""),
		{Name: name, Function: "aaa"},
		accesstest.Restricted(name, "aaa"), accesstest.Restricted(name, "aaa", accesstest.ToUsers(), accesstest.ToGuests()),
		accesstest.Restricted(name, "aaa", accesstest.ToUsers(access.Read), group),
		accesstest.Restricted(name, "bbb", group, group),
	}).Draw(t, "a path")
}

func drawEnvironment(t *rapid.T, name string) *model.Environment {
	e := &model.Environment{
		Name: name, Provider: model.Local,
		Branch: rapid.SampledFrom([]string{"", "", "aaa", "main"}).Draw(t, "branch"),
	}
	e.APIs = rapid.SampledFrom([][]string{nil, {}, {"aaa"}, {"bbb", "bbb"}}).Draw(t, "apis")
	if rapid.Bool().Draw(t, "variables") {
		e.Variables = []model.FunctionVariables{{
			Function: someNames.Draw(t, "function"),
			Values: []model.Variable{
				{Name: someNames.Draw(t, "variable"), Value: someReferences.Draw(t, "value")},
				{Name: "bbb"},
			},
		}}
	}
	if rapid.Bool().Draw(t, "overrides") {
		e.Data, e.Storage = drawData(t), drawStorage(t)
	}
	return e
}

func drawTable(t *rapid.T, name string) *model.Table {
	table := &model.Table{
		Name:         name,
		PartitionKey: model.Key{Name: "id", Type: rapid.SampledFrom(model.KeyTypes).Draw(t, "type")},
	}
	if rapid.Bool().Draw(t, "indexed") {
		table.Indexes = []model.Index{{
			Name:         "by-" + someNames.Draw(t, "index"),
			PartitionKey: model.Key{Name: someNames.Draw(t, "key"), Type: model.StringKey},
		}}
	}
	return table
}

func drawData(t *rapid.T) *model.Data {
	return &model.Data{
		Region: someValues.Draw(t, "region"), URL: someValues.Draw(t, "url"),
		DefaultAuthorizationType: someTypes.Draw(t, "type"),
		APIKey:                   rapid.SampledFrom([]string{"", model.APIKeyPlaceholder, "key"}).Draw(t, "key"),
		AuthorizationTypes:       rapid.SampledFrom([][]string{nil, {}, {"API_KEY"}, {"x"}}).Draw(t, "types"),
	}
}

func drawStorage(t *rapid.T) *model.Storage {
	return &model.Storage{Region: someValues.Draw(t, "region"), BucketName: someValues.Draw(t, "bucket")}
}

func drawOutputs(t *rapid.T) model.Outputs {
	given := rapid.SampledFrom([]model.Outputs{
		{},
		{"$schema": "x"},
		{"version": "1"},
		{"auth": map[string]any{"cloud_region": "one"}},
		{"auth": map[string]any{"mfa_configuration": "NONE", "username_attributes": []string{}}},
		{"data": map[string]any{"url": "one"}},
		{"data": map[string]any{"api_key": "key"}},
		{"data": map[string]any{"default_authorization_type": "CLOUD_IAM"}},
		{"geo": map[string]any{"maps": map[string]any{"default": "x"}}},
		{"geo": map[string]any{"cloud_region": 1}},
		{"storage": map[string]any{"bucket_name": "one"}},
		{"storage": map[string]any{"bucket_name": "two", "cloud_region": "one"}},
		{"custom": map[string]any{"a": nil}},
		{"custom": map[string]any{"a": map[string]any{}}},
		{"custom": map[string]any{"a": map[string]any{"b": 1}}},
		{"custom": map[string]any{"a": 1}},
	})
	return given.Draw(t, "outputs")
}
