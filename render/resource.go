package render

import (
	"reflect"

	"gatewright/model"
	"gatewright/model/field"
	"gatewright/schemas"
)

// Project renders project.json.
func Project(p model.Project, form Form) []byte { return definitionFile("project", &p, form) }

// Environment renders environments/<env>.json.
func Environment(e *model.Environment, form Form) []byte {
	return definitionFile("environment", e, form)
}

// Function renders function/<fn>/function.json.
func Function(f *model.Function, form Form) []byte { return definitionFile("function", f, form) }

// Table renders table/<table>/table.json.
func Table(t *model.Table, form Form) []byte { return definitionFile("table", t, form) }

func definitionFile(schema string, of field.Object, form Form) []byte {
	w := newWriter(form)
	version := 1
	if later, has := of.(interface{ Version() int }); has {
		version = later.Version()
	}
	w.fileOf(schema, version)
	w.fields(of)
	return w.bytes()
}

// Auth renders auth.json: the definition of the user pool, which may be nil, its groups in
// order of precedence, and its triggers. An empty definition is written as its default for
// guests, because a file with groups or triggers alone defines no pool.
func Auth(auth *model.Auth, groups []string, triggers []model.Trigger, form Form) []byte {
	w := newWriter(form)
	w.file("auth")
	if auth != nil {
		if reflect.ValueOf(*auth).IsZero() {
			guests := auth.GuestsEnabled()
			auth = &model.Auth{UnauthenticatedIdentitiesEnabled: &guests}
		}
		w.definition("auth", auth)
	}
	if len(groups) > 0 {
		w.texts("groups", groups)
	}
	if len(triggers) > 0 {
		w.beginAt("triggers")
		for _, t := range triggers {
			w.text(string(t.At), t.Function)
		}
		w.end()
	}
	return w.bytes()
}

// Data renders data.json.
func Data(data *model.Data, form Form) []byte {
	w := newWriter(form)
	w.file("data")
	w.definition("data", data)
	return w.bytes()
}

// Storage renders storage.json.
func Storage(storage *model.Storage, form Form) []byte {
	w := newWriter(form)
	w.file("storage")
	w.definition("storage", storage)
	return w.bytes()
}

// Output renders outputs/<name>.json.
func Output(o *model.Output, form Form) []byte {
	w := newWriter(form)
	w.begin()
	if _, given := o.Values["$schema"]; form == Whole && !given {
		w.text("$schema", schemas.ID("output"))
	}
	w.memberList(o.Values, model.ClientFile.Fields)
	return w.bytes()
}
