package render

import (
	"reflect"

	"gatewright/model"
	"gatewright/schemas"
)

// Project renders project.json.
func Project(p model.Project, form Form) []byte {
	w := newWriter(form)
	w.file("project")
	w.text("name", p.Name)
	w.text("applicationId", p.ApplicationID)
	w.optionalText("region", p.Region)
	w.optionalText("dialect", string(p.Dialect))
	w.optionalNumber("sandboxPort", p.SandboxPort)
	return w.bytes()
}

// Environment renders environments/<env>.json.
func Environment(e *model.Environment, form Form) []byte {
	w := newWriter(form)
	w.file("environment")
	w.text("provider", string(e.Provider))
	w.optionalText("region", e.Region)
	w.optionalText("account", e.Account)
	w.optionalText("branch", e.Branch)
	w.optionalTrue("guarded", e.Guarded)
	if e.APIs != nil {
		w.texts("apis", e.APIs)
	}
	w.variables("parameters", e.Parameters)
	if len(e.Variables) > 0 {
		w.beginAt("variables")
		for _, v := range e.Variables {
			w.variables(v.Function, v.Values)
		}
		w.end()
	}
	if e.Data != nil {
		w.beginAt("data")
		w.definition("data", e.Data)
		w.end()
	}
	if e.Storage != nil {
		w.beginAt("storage")
		w.definition("storage", e.Storage)
		w.end()
	}
	return w.bytes()
}

// Function renders function/<fn>/function.json.
func Function(f *model.Function, form Form) []byte {
	w := newWriter(form)
	w.file("function")
	w.optionalText("functionName", f.FunctionName)
	w.text("runtime", string(f.Runtime))
	w.optionalText("template", string(f.Template))
	w.optionalText("table", f.Table)
	w.optionalText("handler", f.Handler)
	w.optionalNumber("timeout", f.Timeout)
	w.optionalNumber("memory", f.Memory)
	w.variables("environment", f.Environment)
	if len(f.Secrets) > 0 {
		w.texts("secrets", f.Secrets)
	}
	w.optionalText("schedule", f.Schedule)
	if len(f.Layers) > 0 {
		w.texts("layers", f.Layers)
	}
	if len(f.Access) > 0 {
		w.key("access")
		w.accessList(f.Access)
	}
	return w.bytes()
}

// Table renders table/<table>/table.json.
func Table(t *model.Table, form Form) []byte {
	w := newWriter(form)
	w.file("table")
	w.keys(t.PartitionKey, t.SortKey)
	w.indexes(t.Indexes)
	w.optionalText("streamView", t.StreamView)
	w.streamTriggers(t.Triggers)
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
