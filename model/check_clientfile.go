package model

import (
	"slices"
	"strings"

	"gatewright/internal/text/phrase"
)

// checkClientFile checks the definitions and the outputs, each by itself, and then the result
// of merging those that have no errors.
func (b *Backend) checkClientFile() []*Problem {
	var problems []*Problem
	sound := *b
	sound.Outputs = nil
	ok := func(found []*Problem) bool {
		problems = append(problems, found...)
		return !slices.ContainsFunc(found, func(p *Problem) bool { return p.Level == Error })
	}
	if b.Auth != nil && !ok(checkDefinition(KindAuth, b.Auth)) {
		sound.Auth = nil
	}
	if b.Data != nil && !ok(checkDefinition(KindData, b.Data)) {
		sound.Data = nil
	}
	if b.Storage != nil && !ok(checkDefinition(KindStorage, b.Storage)) {
		sound.Storage = nil
	}
	for _, o := range b.Outputs {
		if ok(checkOutput(o)) {
			sound.Outputs = append(sound.Outputs, o)
		}
		ok(checkKey(o))
	}
	return append(problems, sound.checkMerge()...)
}

// checkKey warns of a key of the data API in an output, whose file is committed to git.
func checkKey(o *Output) []*Problem {
	data, _ := o.Values["data"].(map[string]any)
	if key, _ := data["api_key"].(string); key == "" || key == APIKeyPlaceholder {
		return nil
	}
	return []*Problem{{
		Of: sourceOf(o).of, Pointer: apiKeyPointer, Level: Warning, Text: "holds a key, and outputs are committed",
		Fix: "write " + APIKeyPlaceholder + " here, and the key into the client configuration file, which keeps it",
	}}
}

// checkMerge checks the merged client configuration file, once without an environment and
// once for each environment with overrides: values that differ, and sections that only
// outputs give and that lack a required field. Each problem is listed once.
func (b *Backend) checkMerge() []*Problem {
	type place struct {
		of      Ref
		pointer string
	}
	seen := make(map[place]bool)
	var problems []*Problem
	for _, env := range append([]*Environment{nil}, b.Environments...) {
		if env != nil && env.Data == nil && env.Storage == nil {
			continue
		}
		for _, p := range b.mergeProblems(env) {
			if at := (place{p.Of, p.Pointer}); !seen[at] {
				seen[at] = true
				problems = append(problems, p)
			}
		}
	}
	return problems
}

func (b *Backend) mergeProblems(env *Environment) []*Problem {
	m, err := b.merge(env, nil)
	if err != nil {
		// checkSection reports a definition that cannot be written as JSON.
		return nil
	}
	problems := m.conflicts
	if env != nil {
		for _, p := range problems {
			p.Text += " in environment " + phrase.Quote(env.Name)
		}
	}
	// A push makes a user pool even if only groups or restricted paths need one.
	behind := map[string]bool{"/" + string(KindAuth): b.UsesUserPool()}
	for _, section := range b.definitions(env) {
		behind["/"+string(section.kind)] = true
	}
	c := fieldCheck{ask: whole}
	c.members(ClientFile, m.values, "")
	for _, missing := range c.missing {
		of := b.outputAt(missing.object)
		if behind[missing.object] || of.Kind == "" {
			continue
		}
		field := strings.TrimPrefix(missing.object+"/"+missing.name, "/")
		section, _ := missing.section()
		problems = append(problems, &Problem{
			Of: of, Pointer: missing.object, Field: field,
			Text: phrase.Quote(field) + " is missing, so the client configuration file has no " + phrase.Quote(section),
			Fix:  "give it here or in another output", Cause: ErrIncomplete,
		})
	}
	return problems
}

// checkOutput checks one output for unknown fields and types. Only the merged file must have
// the required fields.
func checkOutput(o *Output) []*Problem {
	c := fieldCheck{of: Ref{Kind: KindOutput, Name: o.Name}}
	c.members(ClientFile, o.Values, "")
	return append(readName(c.of), c.problems...)
}
