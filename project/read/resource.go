package read

import (
	"cmp"
	"fmt"
	"iter"
	"strings"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/field"
	"gatewright/project/document"
)

// Start checks that a file is an object with a version.
func (r *Reader) Start() (document.Node, bool) {
	root := r.Root()
	if root.Kind() != document.Object {
		r.WrongKind("", "an object", root)
		return root, false
	}
	r.version(root)
	return root, true
}

// Definition reads the fields of a thing from its file.
func Definition[T field.Object](r *Reader, of T) T {
	if root, ok := r.Start(); ok {
		r.fields(root, "", of)
	}
	return of
}

// fields reads the fields of a thing.
func (r *Reader) fields(n document.Node, pointer string, of field.Object) {
	for _, row := range of.Fields() {
		r.field(n, pointer, row)
	}
}

func (r *Reader) field(n document.Node, pointer string, row field.Row) {
	switch v := row.Value.(type) {
	case *string:
		*v = r.Text(n, pointer, row.Name)
	case *int:
		*v = r.Number(n, pointer, row.Name)
	case *bool:
		*v = r.Boolean(n, pointer, row.Name)
	case *[]string:
		*v = r.textsAt(n, pointer, row.Name)
	case *model.Patterns:
		if text, ok := n.Get(row.Name); ok && text.Kind() == document.String {
			*v = model.Patterns{text.Text()}
		} else {
			*v = r.textsAt(n, pointer, row.Name)
		}
	case *model.JSON:
		if value, ok := n.Get(row.Name); ok {
			*v = model.CompactJSON(value.Raw())
		}
	case *access.Actions:
		pointer += "/" + row.Name
		if actions, ok := n.Get(row.Name); ok && actions.Kind() == document.Array {
			*v = r.actions(actions, func() string { return pointer })
		} else if ok {
			r.WrongKind(pointer, "an array", actions)
		}
	case *[]model.Variable:
		*v = r.variables(n, pointer, row.Name)
	case *[]model.FunctionVariables:
		functions, _ := r.object(n, pointer, row.Name)
		for fn := range functions.Members() {
			*v = append(*v, model.FunctionVariables{Function: fn, Values: r.variables(functions, pointer+"/"+row.Name, fn)})
		}
	case **model.Data:
		*v = override[model.Data](r, n, row.Name)
	case **model.Storage:
		*v = override[model.Storage](r, n, row.Name)
	case field.Object:
		if object, ok := r.object(n, pointer, row.Name); ok {
			r.fields(object, pointer+"/"+row.Name, v)
		}
	default:
		for at, item := range r.objects(n, pointer, row.Name) {
			added := field.Append(v)
			if _, statement := added.(*model.Statement); statement {
				r.exclusions(item, at)
			}
			r.fields(item, at, added)
		}
	}
}

// exclusions refuses elements of a statement that a function's policies do not have.
func (r *Reader) exclusions(n document.Node, pointer string) {
	for _, name := range []string{"NotAction", "NotResource", "Principal"} {
		if _, has := n.Get(name); has && name == "Principal" {
			r.fail(pointer+"/"+name, "leave it out", "a role has no Principal: its statements are about the function itself")
		} else if has {
			r.fail(pointer+"/"+name, "use "+strings.TrimPrefix(name, "Not"),
				"%s would allow or deny things that nobody thought of", name)
		}
	}
}

// override reads what an environment overrides of a definition.
func override[T any](r *Reader, n document.Node, key string) *T {
	object, ok := r.object(n, "", key)
	if !ok {
		return nil
	}
	definition := new(T)
	r.Into(object, "/"+key, definition)
	return definition
}

// Project reads a project.json.
func (r *Reader) Project() model.Project {
	p := Definition(r, &model.Project{})
	p.Dialect = cmp.Or(p.Dialect, model.Neutral)
	return *p
}

// objects iterates over the list of objects at a key of an object, with their pointers.
func (r *Reader) objects(root document.Node, within, key string) iter.Seq2[string, document.Node] {
	return func(yield func(string, document.Node) bool) {
		list, ok := root.Get(key)
		if !ok {
			return
		}
		if list.Kind() != document.Array {
			r.WrongKind(within+"/"+key, "an array", list)
			return
		}
		for i, item := range list.Elements() {
			pointer := fmt.Sprintf("%s/%s/%d", within, key, i)
			if item.Kind() != document.Object {
				r.WrongKind(pointer, "an object", item)
				continue
			}
			if !yield(pointer, item) {
				return
			}
		}
	}
}

// Triggers reads the functions that the user pool calls, by their moments.
func (r *Reader) Triggers() (list []model.Trigger) {
	for _, v := range r.variables(r.Root(), "", "triggers") {
		list = append(list, model.Trigger{At: model.Moment(v.Name), Function: v.Value})
	}
	model.SortTriggers(list)
	return list
}

// Auth reads the definition of the user pool; nil if the file has only groups and triggers.
func (r *Reader) Auth() *model.Auth {
	root, ok := r.Start()
	if !ok {
		return nil
	}
	for key := range root.Members() {
		if key != "$schema" && key != "version" && key != "groups" && key != "triggers" {
			auth := &model.Auth{}
			r.Into(root, "", auth)
			return auth
		}
	}
	return nil
}

// Output reads the file of an output.
func (r *Reader) Output(name string) *model.Output {
	o := &model.Output{Name: name}
	root := r.Root()
	if root.Kind() != document.Object {
		r.WrongKind("", "an object", root)
		return o
	}
	if later := LaterVersion(r.File); later != nil {
		*r.Problems = append(*r.Problems, later)
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
