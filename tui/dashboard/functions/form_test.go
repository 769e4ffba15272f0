package functions

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/flow/merge"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/edit"
	"gatewright/tui/dashboard/board/boardtest"
)

// crud is the library with tables and a function that has a value for each line of the form.
func crud(t *testing.T) (*model.Backend, *model.Function) {
	t.Helper()
	b := boardtest.Library(t, "Admins", "Editors")
	must(t, edit.AddTable(b, &model.Table{Name: "items", PartitionKey: model.Key{Name: "id", Type: model.StringKey}}))
	must(t, edit.AddTable(b, &model.Table{Name: "others", PartitionKey: model.Key{Name: "id", Type: model.StringKey}}))
	must(t, edit.AddFunction(b, &model.Function{
		Name: "crud", Runtime: model.NodeJS, Template: model.CRUD, Handler: "index.handler", Table: "items", Schedule: "rate(5 minutes)", Timeout: 60, Memory: 256,
		Environment: []model.Variable{{Name: "MODE", Value: "a=b"}, {Name: "EMPTY"}}, Secrets: []string{"KEY"}, Layers: []string{"layers/one"},
		Access: []model.ResourceAccess{{Resource: "function/f", Actions: access.ActionSet(access.Read)}},
	}))
	return b, b.Function("crud")
}

// TestEachLineOfAFunctionChangesItsFieldAndNoOther edits one line at a time; what is wrong is
// refused at that line.
func TestEachLineOfAFunctionChangesItsFieldAndNoOther(t *testing.T) {
	t.Parallel()
	for _, of := range []struct {
		at, text, want, wrong string
	}{
		{"template", noTemplate, noTemplate, ""},
		{"timeout", " 30 ", "30", ""},
		{"timeout", "", "", ""},
		{"timeout", "0", "", "leave the timeout empty for the default"},
		{"timeout", "soon", "", "the timeout soon is not a number"},
		{"timeout", "901", "", "900"},
		{"memory", "512", "512", ""},
		{"memory", "", "", ""},
		{"memory", "0", "", "leave the memory empty"},
		{"memory", "1", "", "128"},
		{"schedule", " rate(1 hour) ", "rate(1 hour)", ""},
		{"schedule", "", "", ""},
		{"schedule", "rate(5)", "", "rate"},
		{"environment", "  A= b \n\n \nC=\nMODE=x=y", "A= b \nC=\nMODE=x=y", ""},
		{"environment", "A=1\nA=2", "", "the variable A is named twice"},
		{"environment", "A", "", "the line takes NAME=VALUE, not A"},
		{"secrets", "KEY\n\n OTHER ", "KEY\nOTHER", ""},
		{"secrets", "KEY=value", "", "the line"},
		{"access", "table/others=read,create\nfunction/f=read", "table/others=create,read\nfunction/f=read", ""},
		{"access", "table/others=read\ntable/others=create", "", "table/others is named twice"},
		{"access", "table/others", "", "the line takes RESOURCE=ACTIONS"},
		{"access", "table/nowhere=read", "", "nowhere"},
		{"layers", " layers/two \n\nlayers/one", "layers/two\nlayers/one", ""},
		{"handler", " main.handler ", "main.handler", ""},
		{"table", "others", "others", ""},
		{"table", "nowhere", "", "nowhere"},
	} {
		b, f := crud(t)
		form := formOf(b, f)
		before, at := form.Values(f), form.Index(of.at)
		values := slices.Clone(before)
		values[at] = of.text
		line, err := checkLine(b, functionEdit(form, f.Name, before, values, merge.New()), form)
		if of.wrong != "" {
			if err == nil || !strings.Contains(err.Error(), of.wrong) || line != at {
				t.Errorf("%s %q is refused at %s with %v, want %q", of.at, of.text, form[line].Name, err, of.wrong)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s %q: %v", of.at, of.text, err)
			continue
		}
		if was, shown := form.Begin(f, before, values); !slices.Equal(was, before) || !slices.Equal(shown, values) {
			t.Errorf("of %s the form keeps %v, and what was before as %v", of.at, shown, was)
		}
		next, err := b.Edit(func(b *model.Backend) error {
			_, err := functionEdit(form, f.Name, before, values, merge.New())(b)
			return err
		})
		must(t, err)
		want := slices.Clone(before)
		want[at] = of.want
		if difference := cmp.Diff(want, form.Values(next.Function("crud"))); difference != "" && of.at != "template" {
			t.Errorf("%s %q changes (-want +got):\n%s", of.at, of.text, difference)
		}
		// Somebody else changed another line, which stays; of the same line, it is said.
		changed := *b.Function("crud")
		changed.Timeout = 7
		must(t, edit.UpdateFunction(b, &changed))
		next, err = b.Edit(func(b *model.Backend) error {
			_, err := functionEdit(form, f.Name, before, values, merge.New())(b)
			return err
		})
		if of.at == "timeout" {
			if _, err := checkLine(b, functionEdit(form, f.Name, before, values, merge.New()), form); err == nil || !strings.Contains(err.Error(), "both changed the timeout of function crud: your value is ") {
				t.Errorf("another timeout is overwritten: %v", err)
			}
		} else if err != nil || next.Function("crud").Timeout != 7 {
			t.Errorf("with %s, another timeout is lost: %v", of.at, err)
		}
	}
}

func TestANewFunctionHasWhatTheFormSays(t *testing.T) {
	t.Parallel()
	for name, of := range map[string]struct {
		values []string
		line   int
		want   string
	}{
		"a plain one":         {[]string{" mail ", "python", "plain", "", "", ""}, 0, "mail python3.14 plain index.handler table= keys="},
		"one with its source": {[]string{"mail", "nodejs", noTemplate, "x", "y", "z"}, 0, "mail nodejs24.x  index.handler table= keys="},
		"a table of its name": {[]string{"orders", "nodejs", "crud", "", " no:number ", ""}, 0, "orders nodejs24.x crud index.handler table=orders keys=no:number"},
		"another table":       {[]string{"orders", "nodejs", "crud", " sold ", "no:number", " at:string "}, 0, "orders nodejs24.x crud index.handler table=sold keys=no:number,at:string"},
		"one that is there":   {[]string{"orders", "nodejs", "crud", "items", "wrong", "wrong"}, 0, "orders nodejs24.x crud index.handler table=items keys=id:string"},
		"no key":              {[]string{"orders", "nodejs", "crud", "", ":string", ""}, partitionLine, "error: the partition key"},
		"another type":        {[]string{"orders", "nodejs", "crud", "", "no:time", ""}, partitionLine, "error: table orders: time is not a type"},
		"a wrong sort key":    {[]string{"orders", "nodejs", "crud", "", "no:number", "at:"}, sortLine, "error: the sort key"},
		"a sort key twice":    {[]string{"orders", "nodejs", "crud", "", "no:number", "no:number"}, sortLine, "error: "},
		"a wrong table":       {[]string{"orders", "nodejs", "crud", "a b", "no:number", ""}, tableLine, "error: "},
		"a name that is used": {[]string{"f", "nodejs", "plain", "", "", ""}, nameLine, "error: "},
		"no name":             {[]string{" ", "nodejs", "plain", "", "", ""}, nameLine, "error: "},
		"another runtime":     {[]string{"mail", "go", "crud", "", "id:string", ""}, templateLine, "error: "},
	} {
		b, _ := crud(t)
		edit := newFunctionEdit(of.values)
		line, err := checkLine(b, edit, newForm(b))
		if err != nil {
			if got := "error: " + err.Error(); line != of.line || !strings.HasPrefix(got, of.want) {
				t.Errorf("%s is refused at line %d: %s, want %d, %s", name, line, got, of.line, of.want)
			}
			continue
		}
		next, err := b.Edit(func(b *model.Backend) error {
			_, err := edit(b)
			return err
		})
		must(t, err)
		f := next.Function(strings.TrimSpace(of.values[nameLine]))
		keys := ""
		if table := next.Table(f.Table); table != nil {
			keys = table.PartitionKey.Name + ":" + string(table.PartitionKey.Type)
			if table.SortKey.Name != "" {
				keys += "," + table.SortKey.Name + ":" + string(table.SortKey.Type)
			}
		}
		if got := strings.Join([]string{f.Name, string(f.Runtime), string(f.Template), f.Handler, "table=" + f.Table, "keys=" + keys}, " "); got != of.want {
			t.Errorf("%s is\n%s, want\n%s", name, got, of.want)
		}
	}
	b, _ := crud(t)
	if got := strings.Join(resources(b, "function/crud"), " "); got != "table/items=read table/others=read api/shop=read function/f=read pool=read parameter/NAME secret/NAME mail" {
		t.Errorf("it may use %s", got)
	}
}
