package project_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/afero"
	"pgregory.net/rapid"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/edit"
	"gatewright/project"
	"gatewright/project/disk"
	"gatewright/project/plan"
	"gatewright/project/validate"
)

// TestWhatIsPlannedIsWhatIsLoaded edits a project at random. After every edit the
// project loads as planned, the same plan is empty, the project is valid, and it still
// has a key and a file that a person added.
func TestWhatIsPlannedIsWhatIsLoaded(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		fsys := disk.Memory()
		start := project.New(fsys, nil)
		commit(t, start, func(b *model.Backend) error {
			if err := edit.AddEnvironment(b, &model.Environment{Name: "dev", Provider: model.Local}); err != nil {
				return err
			}
			return edit.SetProject(b, model.Project{Name: "shop", ApplicationID: "a", Dialect: model.Neutral})
		}, nil)
		const noted = "backend/environments/dev.json"
		text := strings.Replace(readAll(t, fsys, noted), "{", "{ \"x-note\" : [1.50],", 1)
		writeAll(t, fsys, noted, text)
		writeAll(t, fsys, "backend/mine.txt", "mine")
		for range rapid.IntRange(1, 8).Draw(t, "commits") {
			p := reload(t, fsys)
			var renames []plan.Renamed
			want := commit(t, p, func(b *model.Backend) error {
				for range rapid.IntRange(1, 4).Draw(t, "edits") {
					renames = append(renames, randomEdit(t, b)...)
				}
				return nil
			}, &renames)
			now := reload(t, fsys)
			if got, want := asText(t, now.Backend), asText(t, want); got != want {
				t.Fatalf("loaded is\n%s\nplanned was\n%s", got, want)
			}
			plan, err := plan.Of(now, now.Backend)
			if err != nil || !plan.Empty() {
				t.Fatalf("what was just written plans %v", err)
			}
			for _, problem := range validate.Backend(now) {
				if problem.Level == model.Error && problem.Pointer != "/x-note" {
					t.Fatalf("%v", problem)
				}
			}
			if readAll(t, fsys, "backend/mine.txt") != "mine" || !strings.HasPrefix(readAll(t, fsys, noted), "{ \"x-note\" : [1.50],") {
				t.Fatal("what a person wrote is gone")
			}
		}
	})
}

// randomEdit tries an edit, which the model may refuse. It returns some of its renames,
// since callers may forget one.
func randomEdit(t *rapid.T, b *model.Backend) (renames []plan.Renamed) {
	name := rapid.SampledFrom([]string{"one", "two", "three"})
	fn := &model.Function{Name: name.Draw(t, "function"), Runtime: model.NodeJS, Timeout: rapid.IntRange(0, 30).Draw(t, "timeout")}
	rules := access.Access{Setting: access.Open}
	if group := name.Draw(t, "group"); slices.Contains(b.Groups, group) {
		rules = access.Access{Setting: access.Private}.With(access.Principal{Kind: access.Group, Group: group}, access.EveryAction)
	}
	path := &access.Path{Name: "/" + name.Draw(t, "path"), Function: fn.Name, Access: rules}
	label := name.Draw(t, "label")
	kind := rapid.SampledFrom([]model.Kind{model.KindAPI, model.KindFunction, model.KindTable, model.KindGroup, model.KindOutput}).Draw(t, "kind")
	edits := []func() error{
		func() error { return edit.AddFunction(b, fn) },
		func() error { return edit.UpdateFunction(b, fn) },
		func() error { return edit.AddAPI(b, &access.API{Label: label, Paths: []*access.Path{path}}) },
		func() error { return edit.AddPath(b, label, path) },
		func() error { return edit.RemovePath(b, label, path.Name) },
		func() error { return edit.AddGroup(b, path.Name[1:]) },
		func() error {
			return edit.AddTable(b, &model.Table{Name: label, PartitionKey: model.Key{Name: "id", Type: model.StringKey}})
		},
		func() error { return edit.SetStorage(b, &model.Storage{Region: "r", BucketName: label}) },
		func() error { return edit.SetStorage(b, nil) },
		func() error {
			return edit.AddOutput(b, model.Outputs{"custom": map[string]any{label: []any{fn.Timeout}}})
		},
		func() error {
			e := *b.Environment("dev")
			e.Region, e.Guarded = label, fn.Timeout > 15
			return edit.UpdateEnvironment(b, &e)
		},
		func() error {
			p := b.Project
			p.Dialect = rapid.SampledFrom(model.Dialects).Draw(t, "dialect")
			return edit.SetProject(b, p)
		},
		func() error { return edit.Remove(b, ref(kind, label), rapid.Bool().Draw(t, "cascade")) },
		func() error {
			err := edit.Rename(b, ref(kind, label), fn.Name)
			if err == nil && rapid.Bool().Draw(t, "told") {
				renames = append(renames, plan.Renamed{From: ref(kind, label), To: fn.Name})
			}
			return err
		},
	}
	_ = rapid.SampledFrom(edits).Draw(t, "edit")()
	return renames
}

// commit plans and writes an edit, which may add to renames.
func commit(t *rapid.T, p *project.Project, edit func(*model.Backend) error, renames *[]plan.Renamed) *model.Backend {
	next, err := p.Backend.Edit(edit)
	noError(t, err)
	if renames == nil {
		renames = new([]plan.Renamed)
	}
	plan, err := plan.Of(p, next, *renames...)
	noError(t, err)
	noError(t, plan.Commit())
	return next
}

func reload(t *rapid.T, fsys afero.Fs) *project.Project {
	p, err := project.Load(fsys, project.Native)
	noError(t, err)
	return p
}

// asText returns a backend as text, with sorted paths and without empty lists.
func asText(t *rapid.T, b *model.Backend) string {
	next := *b
	next.APIs = nil
	for _, api := range b.APIs {
		sorted := *api
		sorted.Paths = slices.SortedFunc(slices.Values(api.Paths), func(a, b *access.Path) int { return strings.Compare(a.Name, b.Name) })
		next.APIs = append(next.APIs, &sorted)
	}
	value := reflect.ValueOf(&next).Elem()
	for i := range value.NumField() {
		if field := value.Field(i); field.Kind() == reflect.Slice && field.Len() == 0 {
			field.SetZero()
		}
	}
	text, err := json.MarshalIndent(next, "", " ")
	noError(t, err)
	return string(text)
}

func noError(t *rapid.T, err error) {
	if err != nil {
		t.Fatal(err)
	}
}

func readAll(t *rapid.T, fsys afero.Fs, name string) string {
	data, err := afero.ReadFile(fsys, name)
	noError(t, err)
	return string(data)
}

func writeAll(t *rapid.T, fsys afero.Fs, name, text string) {
	noError(t, afero.WriteFile(fsys, name, []byte(text), 0o644))
}
