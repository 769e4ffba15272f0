package project

import (
	"fmt"
	"iter"

	"gatewright/model"
	"gatewright/project/document"
)

// start checks that a file is an object with a version.
func (r *reader) start() (document.Node, bool) {
	root := r.root()
	if root.Kind() != document.Object {
		r.wrongKind("", "an object", root)
		return root, false
	}
	r.version(root)
	return root, true
}

func (r *reader) project() model.Project {
	root, ok := r.start()
	if !ok {
		return model.Project{Dialect: model.Neutral}
	}
	p := model.Project{
		Name: r.text(root, "", "name"), ApplicationID: r.text(root, "", "applicationId"), Region: r.text(root, "", "region"),
		Dialect: model.Dialect(r.text(root, "", "dialect")), SandboxPort: r.number(root, "", "sandboxPort"),
	}
	if p.Dialect == "" {
		p.Dialect = model.Neutral
	}
	return p
}

func (r *reader) environment(name string) *model.Environment {
	e := &model.Environment{Name: name}
	root, ok := r.start()
	if !ok {
		return e
	}
	e.Provider = model.Provider(r.text(root, "", "provider"))
	e.Region, e.Account, e.Branch = r.text(root, "", "region"), r.text(root, "", "account"), r.text(root, "", "branch")
	e.Guarded = r.boolean(root, "", "guarded")
	e.APIs = r.texts(root, "apis")
	e.Parameters = r.variables(root, "", "parameters")
	if functions, ok := r.object(root, "", "variables"); ok {
		for fn := range functions.Members() {
			e.Variables = append(e.Variables,
				model.FunctionVariables{Function: fn, Values: r.variables(functions, "/variables", fn)})
		}
	}
	if data, ok := r.object(root, "", "data"); ok {
		e.Data = &model.Data{}
		r.into(data, "/data", e.Data)
	}
	if storage, ok := r.object(root, "", "storage"); ok {
		e.Storage = &model.Storage{}
		r.into(storage, "/storage", e.Storage)
	}
	return e
}

func (r *reader) function(name string) *model.Function {
	f := &model.Function{Name: name}
	root, ok := r.start()
	if !ok {
		return f
	}
	f.FunctionName = r.text(root, "", "functionName")
	f.Runtime = model.Runtime(r.text(root, "", "runtime"))
	f.Template = model.Template(r.text(root, "", "template"))
	f.Table, f.Handler, f.Schedule = r.text(root, "", "table"), r.text(root, "", "handler"), r.text(root, "", "schedule")
	f.Timeout, f.Memory = r.number(root, "", "timeout"), r.number(root, "", "memory")
	f.Environment = r.variables(root, "", "environment")
	f.Secrets, f.Layers = r.texts(root, "secrets"), r.texts(root, "layers")
	for pointer, item := range r.objects(root, "access") {
		a := model.ResourceAccess{Resource: r.text(item, pointer, "resource")}
		if actions, ok := item.Get("actions"); ok && actions.Kind() == document.Array {
			a.Actions = r.actions(actions, func() string { return pointer + "/actions" })
		} else if ok {
			r.wrongKind(pointer+"/actions", "an array", actions)
		}
		f.Access = append(f.Access, a)
	}
	return f
}

// objects iterates over the list of objects at a key of the file's root, with their
// pointers.
func (r *reader) objects(root document.Node, key string) iter.Seq2[string, document.Node] {
	return func(yield func(string, document.Node) bool) {
		list, ok := root.Get(key)
		if !ok {
			return
		}
		if list.Kind() != document.Array {
			r.wrongKind("/"+key, "an array", list)
			return
		}
		for i, item := range list.Elements() {
			pointer := fmt.Sprintf("/%s/%d", key, i)
			if item.Kind() != document.Object {
				r.wrongKind(pointer, "an object", item)
				continue
			}
			if !yield(pointer, item) {
				return
			}
		}
	}
}

func (r *reader) table(name string) *model.Table {
	t := &model.Table{Name: name}
	root, ok := r.start()
	if !ok {
		return t
	}
	t.PartitionKey, t.SortKey = r.key(root, "", "partitionKey"), r.key(root, "", "sortKey")
	for pointer, item := range r.objects(root, "indexes") {
		t.Indexes = append(t.Indexes, model.Index{
			Name: r.text(item, pointer, "name"), PartitionKey: r.key(item, pointer, "partitionKey"),
			SortKey: r.key(item, pointer, "sortKey"),
		})
	}
	t.StreamView = r.text(root, "", "streamView")
	for pointer, item := range r.objects(root, "triggers") {
		t.Triggers = append(t.Triggers, model.StreamTrigger{
			Function: r.text(item, pointer, "function"), From: r.text(item, pointer, "startingPosition"),
			BatchSize: r.number(item, pointer, "batchSize"), BatchWindow: r.number(item, pointer, "batchWindow"),
			Attempts:       r.number(item, pointer, "attempts"),
			Bisect:         r.boolean(item, pointer, "bisectOnError"),
			ReportFailures: r.boolean(item, pointer, "reportBatchItemFailures"),
		})
	}
	return t
}

func (r *reader) key(n document.Node, pointer, name string) model.Key {
	key, ok := r.object(n, pointer, name)
	if !ok {
		return model.Key{}
	}
	pointer += "/" + name
	return model.Key{Name: r.text(key, pointer, "name"), Type: model.KeyType(r.text(key, pointer, "type"))}
}

// triggers reads the functions that the user pool calls, by their moments.
func (r *reader) triggers() (list []model.Trigger) {
	for _, v := range r.variables(r.root(), "", "triggers") {
		list = append(list, model.Trigger{At: model.Moment(v.Name), Function: v.Value})
	}
	model.SortTriggers(list)
	return list
}

// auth reads the definition of the user pool; nil if the file has only groups and triggers.
func (r *reader) auth() *model.Auth {
	root, ok := r.start()
	if !ok {
		return nil
	}
	for key := range root.Members() {
		if key != "$schema" && key != "version" && key != "groups" && key != "triggers" {
			auth := &model.Auth{}
			r.into(root, "", auth)
			return auth
		}
	}
	return nil
}

func (r *reader) output(name string) *model.Output {
	o := &model.Output{Name: name}
	root := r.root()
	if root.Kind() != document.Object {
		r.wrongKind("", "an object", root)
		return o
	}
	if later := laterVersion(r.file); later != nil {
		*r.problems = append(*r.problems, later)
		return o
	}
	values, err := model.ParseOutputs(root.Raw())
	if err != nil {
		r.fail("", "write JSON values", "%s", err)
		return o
	}
	delete(values, "$schema")
	o.Values = values
	return o
}
