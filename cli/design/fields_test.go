package design

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/afero"
	"github.com/spf13/cobra"
	"pgregory.net/rapid"

	"gatewright/cli/command"
	"gatewright/flow/resource"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/diff"
	"gatewright/model/field"
	"gatewright/project"
	"gatewright/project/disk"
	"gatewright/render"
	"gatewright/schemas"
	_ "gatewright/test/depth" // says how often a property is tried
)

// sample is one kind of definition, with what passes over its fields.
type sample struct {
	// of names the thing in the tests, schema its schema.
	of     model.Ref
	schema string
	// within is the object of the file that has the fields; "" for the whole file.
	within string
	// others are the keys of its file that are no fields.
	others []string
	empty  func() field.Object
	render func(field.Object) []byte
	loaded func(*model.Backend) field.Object
	update func(command.Streams) *cobra.Command
	// changes are what a difference says; nil if it compares no fields.
	changes func(was, now field.Object) []diff.Difference
}

const testName = "one"

var samples = []sample{
	{
		of: model.Ref{Kind: model.KindTable, Name: testName}, schema: "table",
		empty:  func() field.Object { return &model.Table{Name: testName} },
		render: func(o field.Object) []byte { return render.Table(o.(*model.Table), render.Whole) },
		loaded: func(b *model.Backend) field.Object { return b.Table(testName) },
		update: newUpdateTable,
		changes: func(was, now field.Object) []diff.Difference {
			return diff.Backends(&model.Backend{Tables: []*model.Table{was.(*model.Table)}},
				&model.Backend{Tables: []*model.Table{now.(*model.Table)}})
		},
	},
	{
		of: model.Ref{Kind: model.KindFunction, Name: testName}, schema: "function",
		empty:  func() field.Object { return &model.Function{Name: testName} },
		render: func(o field.Object) []byte { return render.Function(o.(*model.Function), render.Whole) },
		loaded: func(b *model.Backend) field.Object { return b.Function(testName) },
		update: newUpdateFunction,
		changes: func(was, now field.Object) []diff.Difference {
			return diff.Backends(&model.Backend{Functions: []*model.Function{was.(*model.Function)}},
				&model.Backend{Functions: []*model.Function{now.(*model.Function)}})
		},
	},
	{
		of: model.Ref{Kind: model.KindEnvironment, Name: testName}, schema: "environment",
		empty:  func() field.Object { return &model.Environment{Name: testName} },
		render: func(o field.Object) []byte { return render.Environment(o.(*model.Environment), render.Whole) },
		loaded: func(b *model.Backend) field.Object { return b.Environment(testName) },
		update: newUpdateEnvironment,
	},
	{
		of: model.Ref{Kind: model.KindProject}, schema: "project",
		empty:  func() field.Object { return &model.Project{Dialect: model.Neutral} },
		render: func(o field.Object) []byte { return render.Project(*o.(*model.Project), render.Whole) },
		loaded: func(b *model.Backend) field.Object { return &b.Project },
		update: newUpdateProject,
	},
	{
		of: model.Ref{Kind: model.KindAPI, Name: testName}, schema: "cli-inputs", others: []string{"paths"},
		empty:  func() field.Object { return &access.API{Label: testName, Paths: []*access.Path{}} },
		render: func(o field.Object) []byte { return render.API(o.(*access.API), render.Whole) },
		loaded: func(b *model.Backend) field.Object { return b.API(testName) },
		update: newUpdateAPI,
	},
	{
		of: model.Ref{Kind: model.KindSettings, Name: testName}, schema: "settings", within: "cors",
		empty: func() field.Object { return new(access.CORS) },
		render: func(o field.Object) []byte {
			return render.Settings(&access.API{CORS: *o.(*access.CORS)}, render.Whole)
		},
		loaded: func(b *model.Backend) field.Object { return &b.API(testName).CORS },
		update: newUpdateAPI,
		changes: func(was, now field.Object) []diff.Difference {
			return diff.Backends(&model.Backend{APIs: []*access.API{{CORS: *was.(*access.CORS)}}},
				&model.Backend{APIs: []*access.API{{CORS: *now.(*access.CORS)}}})
		},
	},
}

// TestEveryFieldIsInItsSchemaAndHasItsFlag compares the rows of fields with the schemas: names,
// words and ranges. Each has a flag.
func TestEveryFieldIsInItsSchemaAndHasItsFlag(t *testing.T) {
	t.Parallel()
	for _, d := range samples {
		source, err := schemas.Source(d.schema)
		if err != nil {
			t.Fatal(err)
		}
		type properties map[string]struct {
			Enum             []any
			Minimum, Maximum *int
			Properties       json.RawMessage
		}
		var schema struct{ Properties properties }
		if err := json.Unmarshal(source, &schema); err != nil {
			t.Fatal(err)
		}
		want := append([]string{"$schema", "version"}, d.others...)
		if d.within != "" {
			inner := schema.Properties[d.within].Properties
			want, schema.Properties = nil, nil
			if err := json.Unmarshal(inner, &schema.Properties); err != nil {
				t.Fatal(err)
			}
		}
		cmd := d.update(command.Streams{})
		for _, row := range d.empty().Fields() {
			want = append(want, row.Name)
			in := schema.Properties[row.Name]
			var words []string
			for _, word := range in.Enum {
				if text, ok := word.(string); ok {
					words = append(words, text)
				}
			}
			if !slices.Equal(words, row.Words) {
				t.Errorf("%s: %s may be %q, and in the schema %q", d.schema, row.Name, row.Words, words)
			}
			if row.Range.Max != 0 && (*in.Minimum != row.Range.Min || *in.Maximum != row.Range.Max) {
				t.Errorf("%s: %s is in %+v, and in the schema %d to %d", d.schema, row.Name, row.Range, *in.Minimum, *in.Maximum)
			}
			if cmd.Flags().Lookup(row.Flag) == nil {
				t.Errorf("%s: %s has no flag", d.schema, row.Name)
			}
		}
		slices.Sort(want)
		if diff := cmp.Diff(want, slices.Sorted(maps.Keys(schema.Properties))); diff != "" {
			t.Errorf("%s: the fields differ from the schema:\n%s", d.schema, diff)
		}
	}
}

// TestAFieldIsReadAsItIsWrittenAndAsItsFlagSaysAndIsTold gives one field a random value: its file is
// read as it was written, its flag sets the same, and a difference tells it.
func TestAFieldIsReadAsItIsWrittenAndAsItsFlagSaysAndIsTold(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.SampledFrom(samples).Draw(t, "definition")
		thing := d.empty()
		at := rapid.IntRange(0, len(thing.Fields())-1).Draw(t, "field")
		row := thing.Fields()[at]
		drawValue(t, row)
		again := readAgain(t, d, d.render(thing))
		if diff := cmp.Diff(thing, again); diff != "" {
			t.Fatalf("%s of %s is read as something else:\n%s", row.Name, d.schema, diff)
		}
		if d.changes != nil && row.Noun != "" {
			told := d.changes(d.empty(), thing)
			if len(told) != 1 || len(told[0].Reasons) == 0 || !strings.HasPrefix(told[0].Reasons[0], row.Noun) {
				t.Fatalf("a new %s is told as %+v", row.Name, told)
			}
		}
		switch row.Value.(type) {
		case *[]model.FunctionVariables, **model.Data, **model.Storage, *bool:
			return // the commands of environments set them
		}
		given, cmd := d.empty(), d.update(command.Streams{})
		for _, line := range resource.Lines(row.Value) {
			if err := cmd.Flags().Set(row.Flag, line); err != nil {
				t.Fatal(err)
			}
		}
		if err := setFields(cmd, given); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(thing, given); diff != "" {
			t.Fatalf("--%s sets something else:\n%s", row.Flag, diff)
		}
	})
}

// readAgain reads a definition from its file.
func readAgain(t *rapid.T, d sample, file []byte) field.Object {
	problems, err := schemas.Validate(d.schema, file)
	if err != nil {
		t.Fatal(err)
	}
	for _, problem := range problems {
		if strings.HasPrefix(problem.Text, "unknown field") {
			t.Fatalf("the schema of %s lacks it: %v", d.schema, problem)
		}
	}
	fsys := disk.Memory()
	if err = afero.WriteFile(fsys, project.Native.File(d.of), file, 0o600); err != nil {
		t.Fatal(err)
	}
	if d.of.Kind == model.KindSettings {
		api := project.Native.APIFile(testName)
		if err = afero.WriteFile(fsys, api, []byte(`{"version": 2, "paths": {}}`), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p, err := project.Load(fsys, project.Native)
	if err != nil {
		t.Fatal(err)
	}
	return d.loaded(p.Backend)
}

// drawValue gives a field a value that is not empty.
func drawValue(t *rapid.T, row field.Row) {
	word := func() string { return rapid.StringMatching(`[a-z]{3,8}`).Draw(t, row.Name) }
	names := func() []string {
		return rapid.SliceOfNDistinct(rapid.StringMatching(`[a-z]{3,8}`), 1, 3, rapid.ID).Draw(t, row.Name)
	}
	variables := func() (list []model.Variable) {
		for _, name := range names() {
			list = append(list, model.Variable{Name: name, Value: word()})
		}
		return list
	}
	switch v := row.Value.(type) {
	case *string:
		if *v = word(); row.Words != nil {
			*v = rapid.SampledFrom(row.Words).Filter(func(word string) bool { return word != row.Default }).Draw(t, row.Name)
		}
	case *int:
		*v = rapid.IntRange(max(row.Range.Min, 1),
			max(row.Range.Max, 99)).Filter(func(n int) bool { return n != row.Range.Default }).Draw(t, row.Name)
	case *bool:
		*v = true
	case *[]string:
		*v = names()
	case *model.Patterns:
		*v = names()
	case *model.JSON:
		*v = model.JSON(`{"Bool":{"` + word() + `":"true"}}`)
	case *access.Actions:
		*v = access.Actions(rapid.IntRange(1, int(access.EveryAction)).Draw(t, row.Name))
	case *[]model.Variable:
		*v = variables()
	case *[]model.FunctionVariables:
		*v = []model.FunctionVariables{{Function: word(), Values: variables()}}
	case **model.Data:
		*v = &model.Data{Region: word()}
	case **model.Storage:
		*v = &model.Storage{BucketName: word()}
	case field.Object:
		for _, inner := range v.Fields() {
			drawValue(t, inner)
		}
	default:
		for range rapid.IntRange(1, 3).Draw(t, "entries") {
			for i, inner := range field.Append(v).Fields() {
				if i == 0 || rapid.Bool().Draw(t, "given") || inner.Written {
					drawValue(t, inner)
				}
			}
		}
		// The name of an entry tells it apart from others.
		if list := reflect.ValueOf(v).Elem(); len(slices.Compact(slices.Sorted(slices.Values(resource.EntriesOf(v).Names())))) < list.Len() {
			list.SetLen(1)
		}
	}
}
