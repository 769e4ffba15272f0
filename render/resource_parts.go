package render

import (
	"cmp"

	"github.com/go-json-experiment/json/jsontext"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/field"
)

// fields writes the fields of a thing, without those that are empty.
func (w *writer) fields(of field.Object) {
	for _, row := range of.Fields() {
		if row.Written || !row.Empty() {
			w.key(row.Name)
			w.pointed(row.Value)
		}
	}
}

// pointed writes what the value of a field points to.
func (w *writer) pointed(value any) {
	switch v := value.(type) {
	case *string:
		w.token(jsontext.String(*v))
	case *int:
		w.token(jsontext.Int(int64(*v)))
	case *bool:
		w.token(jsontext.Bool(*v))
	case *[]string:
		w.list(*v)
	case *model.Patterns:
		if len(*v) == 1 {
			w.token(jsontext.String((*v)[0]))
			return
		}
		w.list(*v)
	case *model.JSON:
		if w.failed == nil {
			w.failed = w.enc.WriteValue(jsontext.Value(*v))
		}
	case *access.Actions:
		w.actions(*v)
	case *[]model.Variable:
		w.begin()
		for _, variable := range *v {
			w.text(variable.Name, variable.Value)
		}
		w.end()
	case *[]model.FunctionVariables:
		w.begin()
		for _, of := range *v {
			if len(of.Values) > 0 {
				w.key(of.Function)
				w.pointed(&of.Values)
			}
		}
		w.end()
	case **model.Data:
		w.object("data", *v)
	case **model.Storage:
		w.object("storage", *v)
	case field.Object:
		w.begin()
		w.fields(v)
		w.end()
	default:
		w.token(jsontext.BeginArray)
		for _, item := range field.Items(v) {
			w.pointed(item)
		}
		w.token(jsontext.EndArray)
	}
}

// object writes the definition of a section as an object.
func (w *writer) object(section string, definition any) {
	w.begin()
	w.definition(section, definition)
	w.end()
}

// definition writes the fields of a section's definition in the order of model.Section.
func (w *writer) definition(section string, definition any) {
	values, err := model.OutputsOf(definition)
	if err != nil {
		w.failed = cmp.Or(w.failed, err)
		return
	}
	w.memberList(values, model.Section(model.Kind(section)).Fields)
}
