package edit

import (
	"strconv"

	"gatewright/model"
	"gatewright/model/check"
)

// AddOutput adds values to the client configuration file under a name of their own. Unknown
// fields and wrong types are an error, and so is a value that differs from that of another
// output or definition: the error names the place, both values and both origins.
func AddOutput(b *model.Backend, values model.Outputs) error {
	return AddNamedOutput(b, outputName(b, values), values)
}

// AddNamedOutput adds an output as AddOutput does, under a given name.
func AddNamedOutput(b *model.Backend, name string, values model.Outputs) error {
	if err := free(model.KindOutput, b.Outputs, name, ""); err != nil {
		return err
	}
	return putOutput(b, name, values, func(o *model.Output) []*model.Output { return with(b.Outputs, o) })
}

// UpdateOutput replaces the values of the output called name.
func UpdateOutput(b *model.Backend, name string, values model.Outputs) error {
	if b.Output(name) == nil {
		return model.UnknownError(model.Ref{Kind: model.KindOutput, Name: name}, model.Names(b.Outputs))
	}
	return putOutput(b, name, values, func(o *model.Output) []*model.Output { return swapped(b.Outputs, name, o) })
}

func putOutput(b *model.Backend, name string, values model.Outputs, put func(*model.Output) []*model.Output) error {
	own, err := model.OutputsOf(values)
	if err != nil {
		return &model.Problem{
			Of: model.Ref{Kind: model.KindOutput, Name: name}, Text: "cannot be written as JSON: " + err.Error(),
			Fix: "give JSON values",
		}
	}
	output := &model.Output{Name: name, Values: own}
	after := check.Output(output)
	// The address of the schema describes a file and is no value.
	delete(own, "$schema")
	if len(own) == 0 && len(after) == 0 {
		return &model.Problem{
			Field: "output", Text: "is empty",
			Fix: "give a section of the client configuration file, or custom",
		}
	}
	before := check.None
	if have := b.Output(name); have != nil {
		before = func() []*model.Problem { return check.Output(have) }
	}
	if err := check.Refusal(after, before); err != nil {
		return err
	}
	next := *b
	next.Outputs = put(output)
	if err := check.Refusal(check.Merge(&next), func() []*model.Problem { return check.Merge(b) }); err != nil {
		return err
	}
	b.Outputs = next.Outputs
	return nil
}

// outputName returns a free name for values: that of their first section, with a number if it is taken.
func outputName(b *model.Backend, values model.Outputs) string {
	base := "output"
	for _, f := range model.ClientFile.Fields {
		if _, ok := values[f.Name]; ok && f.Type != model.StringField {
			base = f.Name
			break
		}
	}
	name := base
	for i := 2; b.Output(name) != nil; i++ {
		name = base + "-" + strconv.Itoa(i)
	}
	return name
}
