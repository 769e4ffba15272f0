package edit_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/accesstest"
	"gatewright/model/check"
	"gatewright/model/edit"
	"gatewright/model/modeltest"
)

// scrambled changes everything that a value reaches.
func scrambled(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			scrambled(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			scrambled(v.Field(i))
		}
	case reflect.Slice:
		for i := range v.Len() {
			scrambled(v.Index(i))
			if v.Index(i).Kind() == reflect.Interface {
				v.Index(i).SetZero()
			}
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			scrambled(v.MapIndex(key))
			v.SetMapIndex(key, reflect.Zero(v.Type().Elem()))
		}
	case reflect.String:
		if !v.CanSet() {
			return // It is in a list or a map, where it is replaced.
		}
		v.SetString(v.String() + " other")
	case reflect.Bool:
		v.SetBool(!v.Bool())
	case reflect.Int:
		v.SetInt(v.Int() + 1)
	case reflect.Uint8:
		v.SetUint(v.Uint() ^ 1)
	}
}

func TestABackendKeepsNothingOfWhatItIsGiven(t *testing.T) {
	t.Parallel()
	yes, twelve := true, 12
	given := struct {
		auth     *model.Auth
		data     *model.Data
		storage  *model.Storage
		function *model.Function
		table    *model.Table
		api      *access.API
		path     *access.Path
		env      *model.Environment
		output   *model.Output
	}{
		&model.Auth{
			StandardRequiredAttributes: []string{"email"}, UsernameAttributes: []string{"email"}, UserVerificationTypes: []string{"email"}, UnauthenticatedIdentitiesEnabled: &yes,
			MFAConfiguration: "OPTIONAL", MFAMethods: []string{"TOTP"},
			PasswordPolicy: &model.PasswordPolicy{MinLength: &twelve, RequireNumbers: &yes, RequireLowercase: &yes, RequireUppercase: &yes, RequireSymbols: &yes},
			OAuth: &model.OAuth{
				IdentityProviders: []string{"PROVIDER_A"}, Domain: "login.example.com", Scopes: []string{"openid"}, RedirectSignInURI: []string{"https://a.example.com/"},
				RedirectSignOutURI: []string{"https://b.example.com/"}, ResponseType: "code",
			},
		},
		&model.Data{Region: "eu-west-1", URL: "https://data.example.com", DefaultAuthorizationType: "API_KEY", AuthorizationTypes: []string{"API_KEY"}, ModelIntrospection: []byte(`{"version":1}`)},
		&model.Storage{Region: "eu-west-1", BucketName: "files"},
		&model.Function{
			Name: "watch", Runtime: model.NodeJS, Environment: []model.Variable{{Name: "LOG", Value: "info"}}, Secrets: []string{"KEY"}, Layers: []string{"arn:aws:lambda:eu-west-1:1:layer:a:1"},
			Access: []model.ResourceAccess{{Resource: "storage/files", Actions: access.ActionSet(access.Read)}},
		},
		&model.Table{
			Name: "orders", PartitionKey: model.Key{Name: "id", Type: model.StringKey}, Indexes: []model.Index{{Name: "byDay", PartitionKey: model.Key{Name: "at", Type: model.NumberKey}}},
			Triggers: []model.StreamTrigger{{Function: "watch"}},
		},
		&access.API{Label: "office", BinaryMediaTypes: []string{"image/png"}, Paths: []*access.Path{accesstest.Restricted("/a", "watch", accesstest.ToGroup("Admins", access.Read))}},
		accesstest.Restricted("/b", "watch", accesstest.ToGroup("Admins", access.Read)),
		&model.Environment{
			Name: "dev", Provider: model.Local, APIs: []string{"office"}, Parameters: []model.Variable{{Name: "size", Value: "1"}},
			Variables: []model.FunctionVariables{{Function: "watch", Values: []model.Variable{{Name: "LOG", Value: "debug"}}}},
			Data:      &model.Data{URL: "https://dev.example.com", AuthorizationTypes: []string{"API_KEY"}}, Storage: &model.Storage{BucketName: "dev-files"},
		},
		&model.Output{Name: "limits", Values: map[string]any{"custom": map[string]any{"pages": map[string]any{"most": "3"}, "list": []any{map[string]any{"a": "b"}}}}},
	}
	b := &model.Backend{}
	modeltest.Must(t, edit.AddGroup(b, "Admins"))
	modeltest.Must(t, edit.SetAuth(b, given.auth))
	modeltest.Must(t, edit.SetData(b, given.data))
	modeltest.Must(t, edit.SetStorage(b, given.storage))
	modeltest.Must(t, edit.AddFunction(b, given.function))
	modeltest.Must(t, edit.AddTable(b, given.table))
	modeltest.Must(t, edit.AddAPI(b, given.api))
	modeltest.Must(t, edit.AddPath(b, "office", given.path))
	modeltest.Must(t, edit.AddEnvironment(b, given.env))
	modeltest.Must(t, edit.AddNamedOutput(b, given.output.Name, given.output.Values))
	before := modeltest.Dump(t, b)
	for _, one := range []any{given.auth, given.data, given.storage, given.function, given.table, given.api, given.path, given.env, given.output} {
		scrambled(reflect.ValueOf(one))
		if after := modeltest.Dump(t, b); after != before {
			t.Errorf("changing the %T that was given changes the backend:\n%s", one, cmp.Diff(before, after))
			before = after
		}
	}
}

// TestAnEnvironmentReplacesEachFieldOfDataAndStorage sets one field after the other in an
// environment: that one is replaced there, and the others stay.
func TestAnEnvironmentReplacesEachFieldOfDataAndStorage(t *testing.T) {
	t.Parallel()
	full := func(suffix string) *model.Backend {
		return &model.Backend{
			Data: &model.Data{
				Region: "region" + suffix, URL: "url" + suffix, APIKey: "key" + suffix, DefaultAuthorizationType: "type" + suffix,
				AuthorizationTypes: []string{"one" + suffix}, ModelIntrospection: []byte(`"` + suffix + `"`),
			},
			Storage: &model.Storage{Region: "there" + suffix, BucketName: "bucket" + suffix},
		}
	}
	each := func(of func(*model.Backend) reflect.Value, give func(*model.Environment, reflect.Value)) {
		for i := range of(full("")).Elem().NumField() {
			b, other := full(""), full(" other")
			only := reflect.New(of(b).Elem().Type())
			only.Elem().Field(i).Set(of(other).Elem().Field(i))
			want := full("")
			of(want).Elem().Field(i).Set(of(other).Elem().Field(i))
			env := &model.Environment{Name: "dev"}
			give(env, only)
			got := b.For(env)
			if diff := cmp.Diff([]any{want.Data, want.Storage}, []any{got.Data, got.Storage}); diff != "" {
				t.Errorf("%s: %s", of(b).Elem().Type().Field(i).Name, diff)
			}
			if diff := cmp.Diff(full(""), b); diff != "" {
				t.Errorf("the backend itself changes: %s", diff)
			}
		}
	}
	each(func(b *model.Backend) reflect.Value { return reflect.ValueOf(b.Data) }, func(env *model.Environment, only reflect.Value) { env.Data = only.Interface().(*model.Data) })
	each(func(b *model.Backend) reflect.Value { return reflect.ValueOf(b.Storage) }, func(env *model.Environment, only reflect.Value) { env.Storage = only.Interface().(*model.Storage) })
}

// TestThingsOfOneNameAreToldApartByTheirKind gives everything one name. A rename or a removal of
// one of them touches what refers to that one.
func TestThingsOfOneNameAreToldApartByTheirKind(t *testing.T) {
	t.Parallel()
	const same = "same"
	b := &model.Backend{}
	modeltest.Must(t, edit.AddGroup(b, same))
	modeltest.Must(t, edit.AddTable(b, &model.Table{Name: same, PartitionKey: model.Key{Name: "id", Type: model.StringKey}}))
	f := modeltest.Function(same)
	modeltest.Must(t, edit.AddFunction(b, f))
	modeltest.Must(t, edit.AddAPI(b, &access.API{Label: same, Paths: []*access.Path{accesstest.Restricted("/"+same, same, accesstest.ToGroup(same, access.Read))}}))
	changed := *f
	changed.Access = []model.ResourceAccess{{Resource: "table/same", Actions: access.ActionSet(access.Read)}, {Resource: "api/same", Actions: access.ActionSet(access.Read)}}
	modeltest.Must(t, edit.UpdateFunction(b, &changed))
	modeltest.Must(t, edit.UpdateTable(b, &model.Table{Name: same, PartitionKey: model.Key{Name: "id", Type: model.StringKey}, Triggers: []model.StreamTrigger{{Function: same}}}))
	modeltest.Must(t, edit.AddEnvironment(b, &model.Environment{Name: same, Provider: model.Local, APIs: []string{same}, Variables: []model.FunctionVariables{{Function: same, Values: []model.Variable{{Name: "A", Value: "b"}}}}}))
	modeltest.Must(t, edit.AddNamedOutput(b, same, model.Outputs{"custom": map[string]any{same: same}}))
	kinds := []model.Kind{model.KindAPI, model.KindFunction, model.KindTable, model.KindGroup, model.KindEnvironment, model.KindOutput}
	// used are the places that name a thing of each kind.
	used := func(b *model.Backend, kind model.Kind, name string) (n int) {
		for _, f := range b.Functions {
			for _, a := range f.Access {
				if a.Resource == string(kind)+"/"+name {
					n++
				}
			}
		}
		for _, e := range b.Environments {
			for _, label := range e.APIs {
				if kind == model.KindAPI && label == name {
					n++
				}
			}
			for _, v := range e.Variables {
				if kind == model.KindFunction && v.Function == name {
					n++
				}
			}
		}
		for _, api := range b.APIs {
			for _, p := range api.Paths {
				if kind == model.KindFunction && p.Function == name || kind == model.KindGroup && len(p.Access.Groups()) == 1 && p.Access.Groups()[0] == name {
					n++
				}
			}
		}
		for _, table := range b.Tables {
			for _, trigger := range table.Triggers {
				if kind == model.KindFunction && trigger.Function == name {
					n++
				}
			}
		}
		return n
	}
	for _, kind := range kinds {
		next := *b
		modeltest.Must(t, edit.Rename(&next, model.Ref{Kind: kind, Name: same}, "other"))
		for _, of := range kinds {
			name, gone := same, "other"
			if of == kind {
				name, gone = "other", same
			}
			if got := next.Names(of); len(got) != 1 || got[0] != name {
				t.Errorf("after a rename of the %s, those of the kind %s are %q", kind, of, got)
			}
			if got, want := used(&next, of, name), used(b, of, same); got != want || used(&next, of, gone) != 0 {
				t.Errorf("after a rename of the %s, %s of the kind %s is used %d times, want %d", kind, name, of, got, want)
			}
		}
		if problems := modeltest.Texts(check.Backend(&next), model.Error); len(problems) > 0 {
			t.Errorf("after a rename of the %s: %q", kind, problems)
		}
	}
	for kind, left := range map[model.Kind][]model.Kind{
		model.KindAPI: {model.KindFunction, model.KindTable, model.KindGroup, model.KindEnvironment, model.KindOutput},
		// The only path of the API goes with its function.
		model.KindFunction:    {model.KindTable, model.KindGroup, model.KindEnvironment, model.KindOutput},
		model.KindTable:       {model.KindAPI, model.KindFunction, model.KindGroup, model.KindEnvironment, model.KindOutput},
		model.KindGroup:       {model.KindAPI, model.KindFunction, model.KindTable, model.KindEnvironment, model.KindOutput},
		model.KindEnvironment: {model.KindAPI, model.KindFunction, model.KindTable, model.KindGroup, model.KindOutput},
		model.KindOutput:      {model.KindAPI, model.KindFunction, model.KindTable, model.KindGroup, model.KindEnvironment},
	} {
		next := *b
		modeltest.Must(t, edit.Remove(&next, model.Ref{Kind: kind, Name: same}, true))
		var have []model.Kind
		for _, of := range kinds {
			if len(next.Names(of)) > 0 {
				have = append(have, of)
			}
		}
		if !slices.Equal(have, left) || used(&next, kind, same) != 0 {
			t.Errorf("after a removal of the %s, there are things of the kinds %q, want %q; it is used %d times", kind, have, left, used(&next, kind, same))
		}
		if problems := modeltest.Texts(check.Backend(&next), model.Error); len(problems) > 0 {
			t.Errorf("after a removal of the %s: %q", kind, problems)
		}
	}
}
