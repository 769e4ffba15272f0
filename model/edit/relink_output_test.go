package edit_test

import (
	"encoding/json"
	"testing"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/edit"
	"gatewright/model/modeltest"
)

// entriesOf returns a backend with two APIs and these outputs by name.
func entriesOf(t *testing.T, outputs map[string]string) *model.Backend {
	t.Helper()
	b := &model.Backend{}
	modeltest.Must(t, edit.AddFunction(b, modeltest.Function("f")))
	for _, label := range []string{"shop", "store"} {
		modeltest.Must(t, edit.AddAPI(b, &access.API{Label: label, Paths: []*access.Path{{Name: "/a", Function: "f", Access: access.Access{Setting: access.Open}}}}))
	}
	for name, text := range outputs {
		values, err := model.ParseOutputs([]byte(text))
		modeltest.Must(t, err)
		modeltest.Must(t, edit.AddNamedOutput(b, name, values))
	}
	return b
}

func outputText(t *testing.T, b *model.Backend, name string) string {
	t.Helper()
	o := b.Output(name)
	if o == nil {
		return "gone"
	}
	text, err := json.Marshal(o.Values)
	modeltest.Must(t, err)
	return string(text)
}

func TestARenamedAPIIsRenamedInOutputs(t *testing.T) {
	t.Parallel()
	b := entriesOf(t, map[string]string{
		"more":  `{"custom": {"API": {"shop": {"apiName": "shop", "timeout": 5}, "other": {}}, "shop": 1}}`,
		"plain": `{"custom": {"title": "shop"}}`,
	})
	before := *b
	modeltest.Must(t, edit.Rename(b, model.Ref{Kind: model.KindAPI, Name: "shop"}, "mart"))
	if got, want := outputText(t, b, "more"), `{"custom":{"API":{"mart":{"apiName":"mart","timeout":5},"other":{}},"shop":1}}`; got != want {
		t.Errorf("the output is %s, want %s", got, want)
	}
	if b.Output("plain") != before.Output("plain") {
		t.Error("an output without an entry for the API was copied")
	}
	if got, want := outputText(t, &before, "more"), `{"custom":{"API":{"other":{},"shop":{"apiName":"shop","timeout":5}},"shop":1}}`; got != want {
		t.Errorf("the earlier backend has %s, want %s", got, want)
	}
}

func TestALabelThatAnOutputUsesIsTaken(t *testing.T) {
	t.Parallel()
	b := entriesOf(t, map[string]string{"more": `{"custom": {"API": {"shop": {}, "mart": {}}}}`})
	modeltest.Refused(t, "one output", edit.Rename(b, model.Ref{Kind: model.KindAPI, Name: "shop"}, "mart"), "output more: has an entry mart under custom/API already; remove one of the two entries, or choose another label")
	b = entriesOf(t, map[string]string{"one": `{"custom": {"API": {"shop": {"n": 1}}}}`, "two": `{"custom": {"API": {"mart": {"n": 2}}}}`})
	modeltest.Refused(t, "two outputs", edit.Rename(b, model.Ref{Kind: model.KindAPI, Name: "shop"}, "mart"), "output two: /custom/API/mart/n is 1 (output one) and 2 (output two); give it once, or the same value")
	if b.API("shop") == nil || outputText(t, b, "one") != `{"custom":{"API":{"shop":{"n":1}}}}` {
		t.Error("a refused rename changed the backend")
	}
}

func TestARemovedAPIIsRemovedFromOutputs(t *testing.T) {
	t.Parallel()
	b := entriesOf(t, map[string]string{
		"alone":   `{"custom": {"API": {"shop": {"timeout": 5}}}}`,
		"beside":  `{"custom": {"API": {"shop": {}, "other": {}}}}`,
		"custom":  `{"custom": {"API": {"shop": {}}, "x": 1}}`,
		"section": `{"custom": {"API": {"shop": {}}}, "storage": {"bucket_name": "b"}}`,
	})
	modeltest.Refused(t, "in use", edit.Remove(b, model.Ref{Kind: model.KindAPI, Name: "shop"}, false), "API shop: is used by output alone, output beside, output custom, output section; change those first, or remove it with all that refers to it")
	modeltest.Must(t, edit.Remove(b, model.Ref{Kind: model.KindAPI, Name: "shop"}, true))
	for name, want := range map[string]string{
		"alone": "gone", "beside": `{"custom":{"API":{"other":{}}}}`, "custom": `{"custom":{"x":1}}`, "section": `{"storage":{"bucket_name":"b"}}`,
	} {
		if got := outputText(t, b, name); got != want {
			t.Errorf("output %s is %s, want %s", name, got, want)
		}
	}
}
