package project_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"gatewright/model"
	"gatewright/project/definition"
)

// leaves returns the fields of all sections whose values are one line of text.
func leaves() map[model.Kind][]definition.Field {
	all := make(map[model.Kind][]definition.Field)
	for _, kind := range definition.Kinds {
		for _, f := range definition.Fields(kind) {
			if f.Leaf() {
				all[kind] = append(all[kind], f)
			}
		}
	}
	return all
}

func TestParseReadsWhatTextWrites(t *testing.T) {
	t.Parallel()
	all := leaves()
	rapid.Check(t, func(t *rapid.T) {
		kind := rapid.SampledFrom(definition.Kinds).Draw(t, "kind")
		f := rapid.SampledFrom(all[kind]).Draw(t, "field")
		var value any
		switch f.Type {
		case model.ArrayField:
			items := []any{}
			for _, item := range rapid.SliceOfN(rapid.SampledFrom([]string{"email", "a b", " x", "a,b", "", "[x]", `"q"`}), 0, 4).Draw(t, "items") {
				items = append(items, item)
			}
			value = items
		case model.BooleanField:
			value = rapid.Bool().Draw(t, "truth")
		case model.IntegerField:
			read, err := f.Parse("12")
			if err != nil {
				t.Fatal(err)
			}
			value = read
		default:
			value = rapid.SampledFrom([]string{"x", "a b", "[x]", "true"}).Draw(t, "text")
		}
		text := f.Text(value)
		again, err := f.Parse(text)
		if err != nil || !model.SameValue(again, value) {
			t.Fatalf("%s: %v is written %q and read as %v, %v", f, value, text, again, err)
		}
	})
}

func TestAnEditChangesOnlyItsFieldAndNotTheOldBackend(t *testing.T) {
	t.Parallel()
	b := &model.Backend{}
	if err := b.AddEnvironment(&model.Environment{Name: "dev", Provider: model.Local}); err != nil {
		t.Fatal(err)
	}
	url, _ := definition.Called(definition.Fields(model.KindData), "url")
	region, _ := definition.Called(definition.Fields(model.KindData), "cloud-region")
	edit := func(b *model.Backend, env string, settings ...definition.Setting) *model.Backend {
		t.Helper()
		next, err := b.Edit(func(next *model.Backend) error { return definition.Edit(next, model.KindData, env, settings...) })
		if err != nil {
			t.Fatal(err)
		}
		return next
	}
	first := edit(b, "", definition.Setting{Field: url, Value: "https://a"}, definition.Setting{Field: region, Value: "eu-west-1"})
	second := edit(first, "dev", definition.Setting{Field: url, Value: "https://b"})
	third := edit(second, "dev", definition.Setting{Field: url})
	if b.Data != nil || first.Data.URL != "https://a" || first.Data.Region != "eu-west-1" || first.Environments[0].Data != nil {
		t.Errorf("before and after the first edit: %+v, %+v", b.Data, first.Data)
	}
	if second.Data.URL != "https://a" || second.Environments[0].Data.URL != "https://b" || third.Environments[0].Data != nil {
		t.Errorf("of the environment: %+v, then %+v", second.Environments[0].Data, third.Environments[0].Data)
	}
}

func TestAnObjectHasAllRequiredFieldsOrNone(t *testing.T) {
	t.Parallel()
	b := &model.Backend{}
	domain, _ := definition.Called(definition.Fields(model.KindAuth), "oauth.domain")
	err := definition.Edit(b, model.KindAuth, "", definition.Setting{Field: domain, Value: "x"})
	if err == nil || !strings.Contains(err.Error(), "is incomplete") || !strings.Contains(err.Error(), "oauth.scopes") {
		t.Errorf("a part of oauth is refused with %v", err)
	}
	if b.Auth != nil {
		t.Errorf("the definition became %+v", b.Auth)
	}
}

func TestAValueIsTracedToItsOutput(t *testing.T) {
	t.Parallel()
	b := &model.Backend{}
	if err := b.AddNamedOutput("bucket", model.Outputs{"storage": map[string]any{"bucket_name": "uploads", "cloud_region": "eu-west-1"}}); err != nil {
		t.Fatal(err)
	}
	traced, err := definition.Trace(b, model.KindStorage, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range traced {
		if f.From != definition.ByOutput || f.SourceName != "bucket" || f.Value == nil {
			t.Errorf("%s is %v by %d %s", f, f.Value, f.From, f.SourceName)
		}
	}
}
