package amplifycli

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"gatewright/internal/cfn"
	"gatewright/internal/schedule"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/edit"
	"gatewright/project/amplify"
)

// functions takes over the functions with their sources, without their access and variables.
func (c *converter) functions() error {
	runtimes := make(map[string][]string)
	for _, f := range c.from.Backend.Functions {
		at := c.from.Layout.FunctionFolder(f.Name)
		if c.isAdministration(f.Name) {
			continue
		}
		next := &model.Function{Name: f.Name, Handler: f.Handler, Timeout: f.Timeout, Memory: f.Memory}
		old := c.places[0].here.Function(f.Name)
		runtime := string(f.Runtime)
		if old != nil {
			runtime = cmp.Or(c.properties(next, old), runtime)
		}
		next.Runtime = model.Runtime(runtime)
		if runtime == "" {
			next.Runtime = amplify.RuntimeOfSource(func(name string) bool { return c.from.HasFile(path.Join(at, "src", name)) })
		}
		if !slices.Contains(model.Runtimes, next.Runtime) {
			next.Runtime = next.Runtime.Language()
		}
		if next.Runtime == "" {
			why := "it has neither a template nor a source"
			if runtime != "" {
				why = "the runtime " + phrase.Quote(runtime) + " is not supported"
			}
			c.leave(c.templateFile(f.Name), "the function "+phrase.Quote(f.Name)+" was not imported: "+why,
				"write it for "+phrase.Either(model.Languages))
			continue
		}
		if old == nil {
			c.leave(at, "the function "+phrase.Quote(f.Name)+" has no template, so only its source was imported", "")
		}
		next.Runtime = next.Runtime.InCloud()
		if now := string(next.Runtime); runtime != "" && runtime != now {
			runtimes[now+", and not with "+runtime] = append(runtimes[now+", and not with "+runtime], f.Name)
		}
		if err := edit.AddFunction(c.to, next); err != nil {
			c.refused(c.templateFile(f.Name), "the function "+phrase.Quote(f.Name), err)
			continue
		}
		if err := c.source(next, runtime); err != nil {
			return err
		}
	}
	for _, change := range slices.Sorted(maps.Keys(runtimes)) {
		names := runtimes[change]
		c.notes = append(c.notes,
			fmt.Sprintf("%s with %s: %s", either(len(names), "a function runs", "functions run"), change,
				phrase.QuoteList(names)))
	}
	return nil
}

// isAdministration reports whether only the API amplify.AdminQueries needs a function.
func (c *converter) isAdministration(function string) bool {
	needed := false
	for _, api := range c.from.Backend.APIs {
		if !slices.Contains(api.Functions(), function) {
			continue
		}
		if needed = api.Label == amplify.AdminQueries; !needed {
			return false
		}
	}
	return needed
}

func either(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// properties takes over what the template of a function says of it, and returns the name of its runtime.
func (c *converter) properties(next *model.Function, old *Function) string {
	s := old.Settings()
	next.Handler, next.Timeout, next.Memory = cmp.Or(s.Handler, next.Handler), cmp.Or(s.Timeout, next.Timeout),
		cmp.Or(s.Memory, next.Memory)
	if list := texts(old.Resolver.Resolve(old.Resource.Properties.Get("Architectures"))); isArchitecture(list) {
		next.Architecture = model.Architecture(list[0])
	}
	c.deployedName(next)
	next.Layers = c.layers(next, old)
	next.Schedule = c.schedule(next, old)
	c.otherProperties(next.Name, old)
	c.otherResources(next.Name, old)
	return s.RuntimeName
}

// deployedName gives a function the name that it is deployed under, which ends with the environment here.
func (c *converter) deployedName(next *model.Function) {
	values := c.places[0]
	deployed := values.anywhere.ByName["function"+next.Name+"Name"]
	base, found := strings.CutSuffix(deployed, "-"+markEnvironment)
	switch {
	case !found || marked(base):
		text := "the function was deployed under another name; in this project it is " +
			phrase.Quote(next.Name+"-"+values.environment.Name)
		if was := values.here.ByName["function"+next.Name+"Name"]; !marked(was) {
			text = "the function is deployed as " + phrase.Quote(was) + ", and in this project as " +
				phrase.Quote(next.Name+"-"+values.environment.Name)
		}
		c.warn(next.Name, text, "check who calls it by name")
	case base == next.Name:
	case slices.ContainsFunc(c.to.Functions, func(f *model.Function) bool { return f.DeployedName() == base }):
		c.warn(next.Name,
			"the function is deployed as "+phrase.Quote(base)+", as another one is, so it is "+
				phrase.Quote(next.Name)+" here", "")
	default:
		next.FunctionName = base
	}
}

// schedule is the schedule of a function: that of the first rule that calls it.
func (c *converter) schedule(f *model.Function, old *Function) string {
	found := ""
	for _, r := range old.Template.Resources() {
		if r.Type != "AWS::Events::Rule" {
			continue
		}
		if exists, known := old.Resolver.Exists(&r); known && !exists {
			continue
		}
		expression, known := old.Resolver.Resolve(r.Properties.Get("ScheduleExpression")).String()
		_, err := schedule.Parse(expression)
		switch {
		case r.Properties.Get("ScheduleExpression") == nil || !known || found != "":
			c.resource(f.Name, &r, "")
		case expression == "NONE":
		case err != nil:
			c.resource(f.Name, &r, err.Error())
		default:
			found = expression
		}
	}
	return found
}

// The properties and the resources of a function's template that the new project has too.
var (
	ownProperties = []string{
		"Code", "CodeUri", "Handler", "FunctionName", "Environment", "Role", "Runtime", "Layers", "Timeout", "MemorySize",
		"Tags", "Description", "PackageType",
	}
	ownResources = []string{
		"AWS::IAM::Role", "AWS::IAM::Policy", "AWS::IAM::ManagedPolicy", "AWS::IAM::RolePolicy",
		"AWS::Events::Rule",
	}
)

// otherProperties adds the properties of a function that a definition has no field for.
func (c *converter) otherProperties(name string, old *Function) {
	if old.Resource.Properties == nil {
		return
	}
	for _, m := range old.Resource.Properties.Members {
		usual := m.Name == "Architectures" && isArchitecture(texts(old.Resolver.Resolve(m.Value)))
		if !usual && !slices.Contains(ownProperties, m.Name) {
			c.leaveNode(name, m.Value, "the property "+phrase.Quote(m.Name)+" of the function was not imported", "")
		}
	}
}

// isArchitecture reports whether a definition can have what a template says of a processor.
func isArchitecture(list []string) bool {
	return len(list) == 1 && slices.Contains(model.Architectures, model.Architecture(list[0]))
}

func texts(v cfn.Value) []string {
	list := make([]string, len(v.List))
	for i, item := range v.List {
		list[i] = item.Text
	}
	return list
}

// otherResources adds the resources of a function's template that a definition has nothing for.
func (c *converter) otherResources(name string, old *Function) {
	for _, r := range old.Template.Resources() {
		switch {
		case r.ID == old.Resource.ID, slices.Contains(ownResources, r.Type):
		case r.Type == "AWS::Lambda::Permission" && textOf(r.Properties.Get("Principal")) == "events.amazonaws.com":
		case r.Type == "AWS::Lambda::EventSourceMapping" && c.isStream(name, &r):
		default:
			c.resource(name, &r, "")
		}
	}
}

// isStream reports whether a mapping calls a function with the changes of a table that came along.
func (c *converter) isStream(name string, r *cfn.Resource) bool {
	return slices.ContainsFunc(c.from.Backend.Tables, func(t *model.Table) bool {
		return t.Trigger(name) != nil && textOf(r.Properties.Get("EventSourceArn", "Ref")) == "storage"+t.Name+"StreamArn"
	})
}

// resource adds a resource of a function's template that was not imported.
func (c *converter) resource(function string, r *cfn.Resource, why string) {
	text := "the resource " + phrase.Quote(r.ID) + " (" + r.Type + ") was not imported"
	if why != "" {
		text += ": " + why
	}
	c.leaveNode(function, r.Node, text, "")
}

// textOf is the text of a node, which may be nil.
func textOf(n *cfn.Node) string {
	if n == nil {
		return ""
	}
	return n.Text
}
