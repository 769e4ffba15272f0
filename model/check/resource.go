package check

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"gatewright/internal/schedule"
	"gatewright/internal/text/phrase"
	"gatewright/internal/text/spelling"
	"gatewright/model"
	"gatewright/model/field"
)

// CheckFunction checks one function and its references.
func (c *Checker) CheckFunction(f *model.Function) []*model.Problem {
	of := model.Ref{Kind: model.KindFunction, Name: f.Name}
	found := findings{of, readName(of)}
	if f.FunctionName != "" && !model.NameRule.Accepts(f.FunctionName) {
		found.say("/functionName", "use 1 to 64 of A-Z a-z 0-9 _ -, a letter or digit first", "%s is not a function name",
			phrase.Quote(f.FunctionName))
	}
	if c.Defines(model.KindFunction) && !slices.Contains(model.Runtimes, f.Runtime) {
		fix := "use " + cmp.Or(spelling.Nearest(string(f.Runtime), field.Words(model.Runtimes)),
			"nodejs24.x, python3.14, provided.al2023 (Go), or an older one of AWS Lambda")
		if f.Runtime == "typescript" {
			fix = "use nodejs24.x, and the template express-typescript or plain-typescript, or a source in TypeScript"
		}
		found.say("/runtime", fix, "%s is not a runtime", phrase.Quote(string(f.Runtime)))
	}
	if f.Architecture != "" && !slices.Contains(model.Architectures, f.Architecture) {
		found.say("/architecture", "use "+phrase.Either(model.Architectures), "%s is not an architecture",
			phrase.Quote(string(f.Architecture)))
	}
	switch {
	case f.Template == "":
	case !slices.Contains(model.Templates, f.Template):
		found.say("/template", "use "+phrase.Either(model.Templates), "%s is not a template",
			phrase.Quote(string(f.Template)))
	case !f.Template.Runs(f.Runtime):
		found.say("/template", "use a Node.js runtime, or the template plain",
			"the template %s does not support the runtime %s", f.Template, phrase.Quote(string(f.Runtime)))
	case f.Template == model.CRUD && f.Table == "":
		found.say("/template", "name its table, or leave the template out", "is made from the template crud and has no table")
		found.problems[len(found.problems)-1].Cause = ErrIncomplete
	}
	if err := model.CheckHandler(f.Handler); err != nil {
		p := *err.(*model.Problem)
		p.Of, p.Field, p.Pointer = of, "", "/handler"
		if !c.Defines(model.KindFunction) {
			p.Level = model.Warning // the handler may be in a layer
		}
		found.add(&p)
	}
	found.ranges("", f)
	if wrong := (*schedule.Error)(nil); f.Schedule != "" {
		if _, err := schedule.Parse(f.Schedule); errors.As(err, &wrong) {
			found.say("/schedule", wrong.Fix, "the schedule %s is wrong: %s", phrase.Quote(f.Schedule), wrong.Text)
		}
	}
	if len(f.Layers) > model.MaxLayers {
		found.say("/layers", fmt.Sprintf("use at most %d", model.MaxLayers), "has %d layers", len(f.Layers))
	}
	layers := make(map[string]bool, len(f.Layers))
	for i, layer := range f.Layers {
		if layers[layer] {
			found.say(fmt.Sprintf("/layers/%d", i), "list it once", "the layer %s is listed twice", phrase.Quote(layer))
		}
		layers[layer] = true
	}
	found.add(c.checkVariables(of, f)...)
	found.add(c.CheckReferences(f)...)
	if f.Table != "" {
		found.add(c.reference(of, "/table", model.KindTable, f.Table)...)
	}
	c.checkAccess(&found, f)
	c.checkPolicies(&found, f)
	return found.problems
}

// DeployedNames finds functions that would be deployed under the name of another. The
// problem is at the function that asks for its name: by their own names, no two have one.
func DeployedNames(b *model.Backend) []*model.Problem {
	var problems []*model.Problem
	first := make(map[string]*model.Function, len(b.Functions))
	for _, f := range b.Functions {
		other := first[f.DeployedName()]
		switch {
		case other == nil:
			first[f.DeployedName()] = f
		case f.FunctionName == "":
			problems = append(problems, deployedAlike(other, f))
		default:
			problems = append(problems, deployedAlike(f, other))
		}
	}
	return problems
}

// DeployedName is DeployedNames for one function, at which the problem is.
func DeployedName(b *model.Backend, f *model.Function) []*model.Problem {
	for _, other := range b.Functions {
		if other.Name != f.Name && other.DeployedName() == f.DeployedName() {
			return []*model.Problem{deployedAlike(f, other)}
		}
	}
	return nil
}

func deployedAlike(f, other *model.Function) *model.Problem {
	return &model.Problem{
		Of: model.Ref{Kind: model.KindFunction, Name: f.Name}, Pointer: "/functionName",
		Text: "is deployed as " + phrase.Quote(f.DeployedName()) + ", and so is the function " + phrase.Quote(other.Name),
		Fix:  "give it another name",
	}
}

// checkVariables checks environment variables and secrets, which share their names.
func (c *Checker) checkVariables(of model.Ref, f *model.Function) []*model.Problem {
	var problems []*model.Problem
	seen := make(map[string]bool)
	check := func(what, name, pointer string) {
		p := &model.Problem{Of: of, Pointer: pointer}
		switch {
		case model.CheckVariableName(name) != nil:
			p.Text, p.Fix = phrase.Quote(name)+" is not a name for an environment variable", "use A-Z a-z 0-9 _, a letter first"
		case ReservedVariable(name):
			p.Text, p.Fix, p.Level = "the "+what+" "+phrase.Quote(name)+" "+reservedText, reservedFix, c.refusedLevel()
		case seen[name]:
			p.Text, p.Fix = "the name "+phrase.Quote(name)+" is used twice", "give the variable or the secret another name"
		}
		seen[name] = true
		if p.Text != "" {
			problems = append(problems, p)
		}
	}
	for _, v := range f.Environment {
		check("variable", v.Name, "/environment/"+model.PointerSegment(v.Name))
	}
	for i, s := range f.Secrets {
		check("secret", s, fmt.Sprintf("/secrets/%d", i))
	}
	return problems
}

// CheckTable checks a table's keys and indexes, and its stream.
func (c *Checker) CheckTable(t *model.Table) []*model.Problem {
	of := model.Ref{Kind: model.KindTable, Name: t.Name}
	found := findings{of, readName(of)}
	key := func(k model.Key, pointer, what string) {
		switch {
		case k.Name == "":
			found.say(pointer, "name the attribute", "has no %s", what)
		case len(k.Name) > 255:
			found.say(pointer, "use at most 255", "the %s has a name of %s", what, phrase.Count(len(k.Name), "byte"))
		case !slices.Contains(model.KeyTypes, k.Type):
			found.say(pointer, "use string, number or binary", "%s is not a type for the %s", phrase.Quote(string(k.Type)), what)
		}
	}
	keys := func(partition, sort model.Key, pointer string) {
		key(partition, pointer+"/partitionKey", "partition key")
		if sort.Name != "" {
			key(sort, pointer+"/sortKey", "sort key")
		}
		if sort.Name != "" && sort.Name == partition.Name {
			found.say(pointer+"/sortKey", "choose another attribute, or leave it out", "the sort key is the partition key")
		}
	}
	keys(t.PartitionKey, t.SortKey, "")
	seen := make(map[string]bool)
	types := map[string]model.KeyType{t.PartitionKey.Name: t.PartitionKey.Type, t.SortKey.Name: t.SortKey.Type}
	for i, index := range t.Indexes {
		pointer := fmt.Sprintf("/indexes/%d", i)
		if !model.TableRule.Accepts(index.Name) || seen[index.Name] {
			found.say(pointer+"/name", "use 3 to 255 of A-Z a-z 0-9 _ . -, each once",
				"%s is not a name for an index, or is taken", phrase.Quote(index.Name))
		}
		seen[index.Name] = true
		keys(index.PartitionKey, index.SortKey, pointer)
		for _, k := range []model.Key{index.PartitionKey, index.SortKey} {
			if have, ok := types[k.Name]; ok && k.Name != "" && have != k.Type {
				found.say(pointer, "give it one type", "the attribute %s is %s elsewhere and %s here",
					phrase.Quote(k.Name), have, k.Type)
			}
			types[k.Name] = k.Type
		}
	}
	c.checkKeeping(&found, t, types)
	return append(found.problems, c.checkTableTriggers(t)...)
}

// checkKeeping checks how long a table and its items stay, and how it is paid. types are those of its key attributes.
func (c *Checker) checkKeeping(found *findings, t *model.Table, types map[string]model.KeyType) {
	if len(t.TimeToLive) > 255 {
		found.say("/timeToLive", "use at most 255", "the attribute has a name of %s",
			phrase.Count(len(t.TimeToLive), "byte"))
	}
	if kind := types[t.TimeToLive]; t.TimeToLive != "" && kind != "" && kind != model.NumberKey {
		found.say("/timeToLive", "name an attribute with a number, such as expires",
			"the attribute %s is a key of type %s, so no item would ever expire", phrase.Quote(t.TimeToLive), kind)
	}
	found.ranges("", t)
	for _, row := range t.Fields() {
		switch v := row.Value.(type) {
		case *string:
			if row.Default != "" && *v != "" && !slices.Contains(row.Words, *v) {
				found.say("/"+row.Name, "use "+phrase.Either(row.Words), "%s is not known", phrase.Quote(*v))
			}
		case *int:
			switch {
			case t.IsProvisioned() && *v == 0:
				found.say("/"+row.Name, "give --"+row.Flag+" NUMBER, or --billing "+model.OnDemand,
					"is provisioned without a %s", row.Noun)
			case !t.IsProvisioned() && *v != 0:
				found.say("/"+row.Name, "give --billing "+model.Provisioned+", or leave it out",
					"has a %s, but is billed on demand", row.Noun)
			}
		}
	}
	if t.Protected && t.Deletion == model.Delete {
		found.say("/deletion", "leave one of them out", "is to be deleted, but has deletion protection")
	}
}
