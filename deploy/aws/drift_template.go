package aws

import (
	"context"
	"maps"
	"slices"
	"sync"

	"gatewright/deploy/account"
	"gatewright/deploy/drift"
	"gatewright/deploy/stack"
	"gatewright/internal/cfn"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/render/template"
)

// templateDrift compares the template of the stack with the one that this version makes of the
// definition as deployed. What differs was changed by hand, or made by another version.
func (r *Reached) templateDrift(deployed template.Deployed, d *Drift) {
	b, env := r.Deployment.Project.Backend, r.environment()
	options := r.optionsOf(b, deployed.Root)
	options.Deployed = deployed
	made, err := template.Render(b, env, options)
	if err != nil {
		d.Unread = append(d.Unread,
			"the template of the stack was not compared with the definition, because this version cannot generate "+
				"it: "+err.Error())
		return
	}
	d.Rendered = true
	names := wordsOf(made)
	nested := make(map[string]*cfn.Node)
	for _, n := range made.Nested {
		nested[n.ID] = n.Node
	}
	// A nested stack is told by what is in it, not by the address of its template.
	skip := func(id string) bool {
		return id == template.DefinitionID || nested[id] != nil && deployed.Nested[id] != nil
	}
	r.addTemplate(d, names, drift.Templates(made.Root, deployed.Root, skip))
	for _, id := range slices.Sorted(maps.Keys(nested)) {
		if is := deployed.Nested[id]; is != nil {
			r.addTemplate(d, names, drift.Templates(nested[id], is, skip))
		}
	}
}

// addTemplate adds what differs in a template.
func (r *Reached) addTemplate(d *Drift, names words, entries []drift.Entry) {
	for _, e := range entries {
		of, name := names.of[e.ID], names.name(e.ID, e.Type)
		if e.Section != "Resources" {
			of, name = model.Ref{Kind: model.KindEnvironment, Name: r.Deployment.Environment},
				"the entry "+phrase.Quote(e.ID)+" of the section "+e.Section
		}
		texts := drift.Words(e.Type, e.Differences, drift.StackAgainstDefinition, r.hidden(of))
		switch {
		case e.Added:
			texts = []string{"is in the template of the stack, but not in the definition"}
		case e.Removed:
			texts = []string{"is not in the template of the stack"}
		case len(texts) == 0:
			texts = []string{"differs in the stack from the definition"}
		}
		d.Template = append(d.Template, Drifted{Of: of, Name: name, Texts: texts})
	}
}

// optionsOf reads from a deployed template what the definition does not say: the archives, and
// which functions have a source map.
func (r *Reached) optionsOf(b *model.Backend, root *cfn.Node) template.Options {
	options := template.Options{
		StackName: r.Stack.Name, Archives: make(map[string]string), Layers: deployedLayers(b, root),
		SourceMaps: make(map[string]bool), Sources: r.definition.Sources,
	}
	for id, of := range r.of {
		resource := root.Get("Resources", id)
		switch kind := resource.Get("Type"); {
		case kind == nil:
		case kind.Text == functionType:
			options.Archives[of.Name] = textAt(resource, "Properties", "Code", "S3Key")
			options.SourceMaps[of.Name] = textAt(resource, "Properties", "Environment", "Variables",
				"NODE_OPTIONS") == template.SourceMapOption
		}
	}
	return options
}

// deployedLayers are the keys of the archives of a backend's layers in a deployed template, by their folders.
func deployedLayers(b *model.Backend, root *cfn.Node) map[string]string {
	layers := make(map[string]string)
	for _, f := range b.Functions {
		for _, folder := range f.Layers {
			if key := textAt(root.Get("Resources", template.LayerID(folder)), "Properties", "Content", "S3Key"); key != "" {
				layers[folder] = key
			}
		}
	}
	return layers
}

// textAt is the text at a place of a node, "" if there is none.
func textAt(n *cfn.Node, names ...string) string {
	if at := n.Get(names...); at != nil {
		return at.Text
	}
	return ""
}

// codeDrift finds the functions whose code is another than the archive that the stack names: a
// hot push gave it to them, or somebody uploaded it. The service does not compare that.
func (r *Reached) codeDrift(ctx context.Context, root *cfn.Node, d *Drift) error {
	functions := slices.DeleteFunc(slices.Clone(r.resources), func(one stack.Resource) bool {
		return one.Type != functionType || one.Physical == "" || one.Status == string(stack.DeleteComplete)
	})
	states, gone := make([]functionState, len(functions)), make([]bool, len(functions))
	err := atOnce(ctx, len(functions), func(ctx context.Context, i int) (err error) {
		states[i], err = r.place.cloud.codeOf(ctx, functions[i].Physical)
		if gone[i] = account.Code(err) == "ResourceNotFoundException"; gone[i] {
			err = nil
		}
		return err
	})
	if err != nil {
		return err
	}
	// If it cannot be read which functions a hot push gave code, the code is told all the same.
	hot := sync.OnceValue(func() []string {
		names, _ := r.place.cloud.marked(ctx, r.Stack.Name)
		return names
	})
	for i, one := range functions {
		of, name := r.of[one.Logical], r.name(one.Logical, one.Type)
		want := keyHash(textAt(root.Get("Resources", one.Logical), "Properties", "Code", "S3Key"))
		switch {
		case gone[i]:
			d.Cloud = addDrifted(d.Cloud, of, name, isGone)
		case want == "":
			d.Unread = append(d.Unread, "the code of "+name+" was not compared: the stack does not name the archive of a push")
		case states[i].CodeSha256 == want:
			d.Functions++
		default:
			d.Functions++
			d.Cloud = addDrifted(d.Cloud, of, name, codeText(slices.Contains(hot(), of.Name)))
		}
	}
	return nil
}

// codeText says that a function has other code than that of the last push.
func codeText(hot bool) string {
	if hot {
		return "its code differs from the last push: a hot push changed it"
	}
	return "its code differs from the last push"
}

// addDrifted adds what is said of a part to what is known of it already.
func addDrifted(to []Drifted, of model.Ref, name, text string) []Drifted {
	i := slices.IndexFunc(to, func(d Drifted) bool { return d.Name == name })
	switch {
	case i < 0:
		return append(to, Drifted{Of: of, Name: name, Texts: []string{text}})
	case text == isGone || slices.Contains(to[i].Texts, isGone):
		to[i].Texts = []string{isGone}
	default:
		to[i].Texts = append(to[i].Texts, text)
	}
	return to
}
