package model

import "strconv"

// AddOutput adds values to the client configuration file under a name of their own. Unknown
// fields and wrong types are an error, and so is a value that differs from that of another
// output or definition: the error names the place, both values and both origins.
func (b *Backend) AddOutput(values Outputs) error {
	return b.AddNamedOutput(b.outputName(values), values)
}

// AddNamedOutput adds an output as AddOutput does, under a given name.
func (b *Backend) AddNamedOutput(name string, values Outputs) error {
	if err := free(KindOutput, b.Outputs, name, ""); err != nil {
		return err
	}
	return b.putOutput(name, values, func(o *Output) []*Output { return with(b.Outputs, o) })
}

// UpdateOutput replaces the values of the output called name.
func (b *Backend) UpdateOutput(name string, values Outputs) error {
	if b.Output(name) == nil {
		return unknownError(Ref{Kind: KindOutput, Name: name}, names(b.Outputs))
	}
	return b.putOutput(name, values, func(o *Output) []*Output { return swapped(b.Outputs, name, o) })
}

func (b *Backend) putOutput(name string, values Outputs, put func(*Output) []*Output) error {
	own, err := OutputsOf(values)
	if err != nil {
		return &Problem{
			Of: Ref{Kind: KindOutput, Name: name}, Text: "cannot be written as JSON: " + err.Error(),
			Fix: "give JSON values",
		}
	}
	output := &Output{Name: name, Values: own}
	after := checkOutput(output)
	// The address of the schema describes a file and is no value.
	delete(own, "$schema")
	if len(own) == 0 && len(after) == 0 {
		return &Problem{Field: "output", Text: "is empty", Fix: "give a section of the client configuration file, or custom"}
	}
	before := none
	if have := b.Output(name); have != nil {
		before = func() []*Problem { return checkOutput(have) }
	}
	if err := refusal(after, before); err != nil {
		return err
	}
	next := *b
	next.Outputs = put(output)
	if err := refusal(next.checkMerge(), func() []*Problem { return b.checkMerge() }); err != nil {
		return err
	}
	b.Outputs = next.Outputs
	return nil
}

// outputName returns a free name for values: that of their first section, with a number if
// it is taken.
func (b *Backend) outputName(values Outputs) string {
	base := "output"
	for _, f := range ClientFile.Fields {
		if _, ok := values[f.Name]; ok && f.Type != StringField {
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
