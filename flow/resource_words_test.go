package flow_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/flow/resource"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/project/amplify"
)

func TestWhatCannotBeReadIsRefusedWithWhatToWrite(t *testing.T) {
	t.Parallel()
	read := map[string]func(string) (any, error){
		"key":      func(s string) (any, error) { return resource.ParseKey(s) },
		"index":    func(s string) (any, error) { return resource.ParseIndex(s) },
		"variable": func(s string) (any, error) { return resource.ParseVariable(s) },
		"actions":  func(s string) (any, error) { return resource.ParseActions(s) },
		"access":   func(s string) (any, error) { return resource.ParseAccess(s) },
		"trigger":  func(s string) (any, error) { return resource.ParseTrigger(s) },
		"stream":   func(s string) (any, error) { return resource.ParseStreamTrigger(s) },
	}
	for _, test := range []struct{ kind, text, want string }{
		{"key", "id", "{id string}"},
		{"key", "id:number", "{id number}"},
		{"key", "id:", "takes NAME:TYPE such as id:string, not id:"},
		{"key", ":string", "takes NAME:TYPE such as id:string, not :string"},
		{"key", "a:b:c", "takes NAME:TYPE such as id:string, not a:b:c"},
		{"index", "by:a:string", "{by {a string} { }}"},
		{"index", "by:a:string:b:number", "{by {a string} {b number}}"},
		{"index", "by:a:string:b", "takes NAME:KEY:TYPE or NAME:KEY:TYPE:SORTKEY:TYPE such as byTitle:title:string, not by:a:string:b"},
		{"index", "by::string", "takes NAME:KEY:TYPE or"},
		{"index", "by:a", "takes NAME:KEY:TYPE or"},
		{"variable", "A=", "{A }"},
		{"variable", "A=b=c", "{A b=c}"},
		{"variable", "=b", "takes NAME=VALUE, not =b"},
		{"variable", "A", "takes NAME=VALUE, not A"},
		{"actions", "create, delete", "create, delete"},
		{"actions", "all", "create, read, update, delete"},
		{"actions", "read,none", "takes at least one of create, read, update, delete or all"},
		{"actions", "", "takes at least one of create, read, update, delete or all"},
		{"actions", "reed", "takes create, read, update, delete or all, not reed; did you mean read?"},
		{"actions", "zzzzzz", "takes create, read, update, delete or all, separated by commas, not zzzzzz"},
		{"access", "table/items=read,all", "{table/items create, read, update, delete}"},
		{"access", "=read", "takes RESOURCE=ACTIONS such as table/items=create,read, not =read"},
		{"access", "table/items", "takes RESOURCE=ACTIONS such as"},
		{"access", "table/items=", "takes at least one of"},
		{"trigger", "preSignUp = check ", "{preSignUp check}"},
		{"trigger", "preSignUp=", "{preSignUp }"},
		{"trigger", "preSignUp", "takes MOMENT=FUNCTION such as preSignUp=check, not preSignUp"},
		{"trigger", "=check", "takes MOMENT=FUNCTION such as preSignUp=check, not =check"},
		{"trigger", "presignup=check", "{preSignUp check}"},
		{"trigger", "atNoon=check", "names "},
		{"stream", "audit", "audit"},
		{"stream", " audit : oldest, batch=10,window=5,attempts=2,bisect,failures", "audit:oldest,batch=10,window=5,attempts=2,bisect,failures"},
		{"stream", "audit:latest", "audit:latest"},
		{"stream", "audit:", "takes FUNCTION[:OPTION,...] such as audit:oldest,batch=10, not audit:"},
		{"stream", ":oldest", "takes FUNCTION[:OPTION,...]"},
		{"stream", "audit:batch=0", "takes a whole number from 1 for batch, not 0"},
		{"stream", "audit:batch=1", "audit:batch=1"},
		{"stream", "audit:window", `takes a whole number from 1 for window, not ""`},
		{"stream", "audit:attempts=x", "takes a whole number from 1 for attempts, not x"},
		{"stream", "audit:olddest", "has no option olddest; did you mean oldest?"},
		{"stream", "audit:zzzzzzzz", "has no option zzzzzzzz; use oldest, latest, batch=N, window=SECONDS, attempts=N, bisect, failures"},
	} {
		value, err := read[test.kind](test.text)
		got := fmt.Sprint(value)
		if stream, ok := value.(model.StreamTrigger); ok {
			got = resource.StreamTriggerText(stream)
		}
		if err != nil {
			got = err.Error()
		}
		if !strings.HasPrefix(got, test.want) || err == nil && got != test.want {
			t.Errorf("the %s %q is %s, want %s", test.kind, test.text, got, test.want)
		}
	}
	if err := resource.CheckSecret("KEY=value"); err == nil || strings.Contains(err.Error(), "value=") || strings.Contains(err.Error(), "KEY") {
		t.Errorf("a secret with its value: %v", err)
	}
	if err := resource.CheckSecret("KEY"); err != nil {
		t.Errorf("the name of a secret: %v", err)
	}
}

func TestAnIndexOrTriggerReplacesTheOneOfItsNameInItsPlace(t *testing.T) {
	t.Parallel()
	indexes := []model.Index{{Name: "a"}, {Name: "b"}}
	other := model.Index{Name: "a", PartitionKey: model.Key{Name: "x", Type: model.StringKey}}
	put := func(list any, lines ...string) {
		for _, line := range lines {
			if err := resource.EntriesOf(list).Put(line); err != nil {
				t.Error(err)
			}
		}
	}
	got := indexes
	if put(&got, "a:x:string"); got[0] != other || got[1].Name != "b" || len(got) != 2 || indexes[0] == other {
		t.Errorf("the indexes are %v of %v", got, indexes)
	}
	if put(&got, "c:x:string"); len(got) != 3 || got[2].Name != "c" || resource.IndexNamed(got, "c") != 2 || resource.IndexNamed(got, "d") != -1 {
		t.Errorf("with another one they are %v", got)
	}
	triggers := []model.StreamTrigger{{Function: "a"}, {Function: "b"}}
	next := triggers
	put(&next, "b:batch=7", "c")
	want := []model.StreamTrigger{{Function: "a"}, {Function: "b", BatchSize: 7}, {Function: "c"}}
	if difference := cmp.Diff(want, next); difference != "" || triggers[1].BatchSize != 0 {
		t.Error(difference)
	}
}

func TestANewFunctionGetsItsTableAndAChangedOneItsEntryPoint(t *testing.T) {
	t.Parallel()
	b := &model.Backend{}
	add := func(name string, keys resource.Keys, edit func(f *model.Function)) []string {
		t.Helper()
		f := &model.Function{Name: name, Runtime: model.NodeJS, Template: model.CRUD, Handler: model.NodeJS.Handler()}
		edit(f)
		notes, err := resource.AddFunction(b, f, keys)
		must(t, err)
		return notes
	}
	none := func(*model.Function) {}
	keys := resource.Keys{Partition: model.Key{Name: "customer", Type: model.StringKey}, Sort: model.Key{Name: "at", Type: model.NumberKey}}
	if got := add("orders", keys, none); !slices.Equal(got, []string{"added table orders with the partition key customer (string) and the sort key at (number)"}) {
		t.Errorf("the notes are %q", got)
	}
	if got := add("things", resource.Keys{}, none); !slices.Equal(got, []string{"added table things with the partition key id (string)"}) {
		t.Errorf("the notes are %q", got)
	}
	if got := add("plain", resource.Keys{}, func(f *model.Function) { f.Template = model.Plain }); got != nil || b.Function("plain").Table != "" || b.Function("plain").Access != nil {
		t.Errorf("a function without a table: %q, %+v", got, b.Function("plain"))
	}
	add("reader", resource.Keys{}, func(f *model.Function) {
		f.Table, f.Access = "orders", []model.ResourceAccess{{Resource: "table/orders", Actions: access.ActionSet(access.Read)}}
	})
	if got := fmt.Sprint(b.Function("orders").Access, b.Function("reader").Access, b.Names(model.KindTable)); got != "[{table/orders create, read, update, delete}] [{table/orders read}] [orders things]" {
		t.Errorf("access and tables are %s", got)
	}
	_, err := resource.AddFunction(b, &model.Function{Name: "x", Runtime: model.NodeJS, Template: model.CRUD, Table: "orders"}, resource.Keys{Partition: keys.Partition})
	const want = "table orders: exists already, with the partition key customer (string) and the sort key at (number); leave out --partition-key and --sort-key, or name another table"
	if err == nil || strings.Replace(err.Error(), "table orders exists", "table orders: exists", 1) != want {
		t.Errorf("other keys: %v", err)
	}
	update := func(name string, given bool, edit func(f *model.Function)) ([]string, error) {
		f := *b.Function(name)
		edit(&f)
		return resource.UpdateFunction(b, &f, given)
	}
	notes, err := update("plain", false, func(f *model.Function) { f.Runtime = model.Python })
	if got := b.Function("plain"); err != nil || got.Handler != model.Python.Handler() || !slices.Equal(notes, []string{"the source of function plain does not change"}) {
		t.Errorf("with another runtime it is %+v, %q, %v", got, notes, err)
	}
	if _, err := update("plain", true, func(f *model.Function) { f.Runtime = model.NodeJS }); err != nil || b.Function("plain").Handler != model.Python.Handler() {
		t.Errorf("with an entry point that was given it is %+v, %v", b.Function("plain"), err)
	}
	if notes, err = update("plain", false, func(f *model.Function) { f.Timeout = 7 }); err != nil || notes != nil || b.Function("plain").Timeout != 7 {
		t.Errorf("with another timeout: %q %v", notes, err)
	}
	if _, err = update("plain", false, func(f *model.Function) { f.Template = model.CRUD }); err == nil || !strings.HasSuffix(err.Error(), "a function with the template crud needs a table; name it with --table TABLE, or remove the template with --template ''") {
		t.Errorf("a template without its table: %v", err)
	}
	if _, err := resource.UpdateFunction(b, &model.Function{Name: "gone"}, false); err == nil {
		t.Error("a function that is not there is changed")
	}
	b.Layout = amplify.Layout
	if notes, _ = update("plain", false, func(f *model.Function) { f.Runtime = model.Go }); notes != nil {
		t.Errorf("in a project of the Amplify CLI: %q", notes)
	}
}
