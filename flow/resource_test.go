package flow_test

import (
	"testing"

	"gatewright/flow/resource"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/edit"
)

// TestWhatAFormShowsIsWhatItReads: a form begins with the texts of what there is.
func TestWhatAFormShowsIsWhatItReads(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"id:string", "at:number", "data:binary"} {
		key, err := resource.ParseKey(text)
		if err != nil || resource.KeyText(key) != text {
			t.Errorf("%s is read as %+v, %v", text, key, err)
		}
	}
	for _, text := range []string{"byState:state:string", "byState:state:string:at:number"} {
		index, err := resource.ParseIndex(text)
		if err != nil || resource.IndexText(index) != text {
			t.Errorf("%s is read as %+v, %v", text, index, err)
		}
	}
	for _, text := range []string{"table/items=read", "function/mail=create,read,update,delete"} {
		access, err := resource.ParseAccess(text)
		if err != nil || resource.AccessText(access) != text {
			t.Errorf("%s is read as %+v, %v", text, access, err)
		}
	}
}

func TestAFunctionWithATableThatIsThereKeepsItsKeys(t *testing.T) {
	t.Parallel()
	b := &model.Backend{}
	key := model.Key{Name: "id", Type: model.StringKey}
	if err := edit.AddTable(b, &model.Table{Name: "items", PartitionKey: key}); err != nil {
		t.Fatal(err)
	}
	crud := func(name string) *model.Function {
		return &model.Function{Name: name, Runtime: model.NodeJS, Template: model.CRUD, Handler: "index.handler", Table: "items"}
	}
	if _, err := resource.AddFunction(b, crud("a"), resource.Keys{Partition: model.Key{Name: "other", Type: model.StringKey}}); err == nil {
		t.Error("a table that is there gets other keys")
	}
	if notes, err := resource.AddFunction(b, crud("b"), resource.Keys{Partition: key}); err != nil || notes != nil {
		t.Errorf("with the same keys it says %q, %v", notes, err)
	}
	if got := b.Function("b").Access; len(got) != 1 || got[0].Resource != "table/items" || got[0].Actions != access.EveryAction {
		t.Errorf("the function may %+v", got)
	}
}
