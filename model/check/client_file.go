package check

import (
	"slices"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/clientfile"
)

// ClientFile checks the definitions and the outputs, each by itself, and then the result
// of merging those that have no errors.
func ClientFile(b *model.Backend) []*model.Problem {
	var problems []*model.Problem
	sound := *b
	sound.Outputs = nil
	ok := func(found []*model.Problem) bool {
		problems = append(problems, found...)
		return !slices.ContainsFunc(found, func(p *model.Problem) bool { return p.Level == model.Error })
	}
	if b.Auth != nil && !ok(clientfile.CheckDefinition(model.KindAuth, b.Auth)) {
		sound.Auth = nil
	}
	if b.Data != nil && !ok(clientfile.CheckDefinition(model.KindData, b.Data)) {
		sound.Data = nil
	}
	if b.Storage != nil && !ok(clientfile.CheckDefinition(model.KindStorage, b.Storage)) {
		sound.Storage = nil
	}
	for _, o := range b.Outputs {
		if ok(Output(o)) {
			sound.Outputs = append(sound.Outputs, o)
		}
		ok(checkKey(o))
	}
	return append(problems, Merge(&sound)...)
}

// checkKey warns of a key of the data API in an output, whose file is committed to git.
func checkKey(o *model.Output) []*model.Problem {
	data, _ := o.Values["data"].(map[string]any)
	if key, _ := data["api_key"].(string); key == "" || key == model.APIKeyPlaceholder {
		return nil
	}
	return []*model.Problem{{
		Of: clientfile.SourceOf(o).Of, Pointer: clientfile.APIKeyPointer, Level: model.Warning,
		Text: "holds a key, and outputs are committed",
		Fix:  "write " + model.APIKeyPlaceholder + " here, and the key into the client configuration file, where it stays",
	}}
}

// Merge checks the merged client configuration file, once without an environment and
// once for each environment with overrides: values that differ, and sections that only
// outputs give and that lack a required field. Each problem is listed once.
func Merge(b *model.Backend) []*model.Problem {
	type place struct {
		of      model.Ref
		pointer string
	}
	seen := make(map[place]bool)
	var problems []*model.Problem
	for _, env := range append([]*model.Environment{nil}, b.Environments...) {
		if env != nil && env.Data == nil && env.Storage == nil {
			continue
		}
		for _, p := range mergeProblems(b, env) {
			if at := (place{p.Of, p.Pointer}); !seen[at] {
				seen[at] = true
				problems = append(problems, p)
			}
		}
	}
	return problems
}

func mergeProblems(b *model.Backend, env *model.Environment) []*model.Problem {
	m, err := clientfile.Merge(b, env, nil)
	if err != nil {
		// checkSection reports a definition that cannot be written as JSON.
		return nil
	}
	problems := m.Conflicts
	if env != nil {
		for _, p := range problems {
			p.Text += " in environment " + phrase.Quote(env.Name)
		}
	}
	// A push makes a user pool even if only groups or restricted paths need one.
	behind := map[string]bool{"/" + string(model.KindAuth): b.UsesUserPool()}
	for _, section := range clientfile.Definitions(b, env) {
		behind["/"+string(section.Kind)] = true
	}
	c := clientfile.FieldCheck{Ask: clientfile.Whole}
	c.Members(model.ClientFile, m.Values, "")
	for _, missing := range c.Missing {
		of := clientfile.OutputAt(b, missing.Object)
		if behind[missing.Object] || of.Kind == "" {
			continue
		}
		field := strings.TrimPrefix(missing.Object+"/"+missing.Name, "/")
		section, _ := missing.Section()
		problems = append(problems, &model.Problem{
			Of: of, Pointer: missing.Object, Field: field,
			Text: phrase.Quote(field) + " is missing, so the client configuration file has no " + phrase.Quote(section),
			Fix:  "give it here or in another output", Cause: ErrIncomplete,
		})
	}
	return problems
}

// Output checks one output for unknown fields and types. Only the merged file must have the required fields.
func Output(o *model.Output) []*model.Problem {
	c := clientfile.FieldCheck{Of: model.Ref{Kind: model.KindOutput, Name: o.Name}}
	c.Members(model.ClientFile, o.Values, "")
	return append(readName(c.Of), c.Problems...)
}
