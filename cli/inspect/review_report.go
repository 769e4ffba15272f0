package inspect

import (
	"path"
	"slices"

	"gatewright/cli/command"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/diff"
	"gatewright/project/review"
)

// reviewReport is what `review` reports.
type reviewReport struct {
	Base        string `json:"base"`
	Head        string `json:"head"`
	Environment string `json:"environment,omitempty"`
	// Widened says that something is opened, or might be.
	Widened bool `json:"widened"`
	// Complete is false if more may be opened than is listed; Incomplete says why.
	Complete   bool     `json:"complete"`
	Incomplete []string `json:"incomplete"`
	// Access is who may send which requests on one side only, what is opened first.
	Access []reviewedAccess `json:"access"`
	// Opened is what else opens access.
	Opened []reviewedOpening `json:"opened"`
	// Tests are the access tests that the change breaks.
	Tests     []reviewedTest     `json:"tests"`
	Resources []reviewedResource `json:"resources"`
	Files     []reviewedFile     `json:"files"`
	Notes     []string           `json:"notes"`
	// Proofs are the requests that were sent to both states; none without --prove.
	Proofs []reviewedProof `json:"proofs"`

	found *review.Review
}

// reviewedAccess is a difference in who may send which requests.
type reviewedAccess struct {
	API string `json:"api"`
	// Path is the resource; Below says that what is below it differs likewise.
	Path  string `json:"path"`
	Below bool   `json:"below"`
	// Who is guest, auth, group, or anybody for callers without credentials too.
	Who     string   `json:"who"`
	Groups  []string `json:"groups"`
	Gained  bool     `json:"gained"`
	Methods []string `json:"methods"`
	// Before and After are the answers to the example.
	Before   string `json:"before"`
	After    string `json:"after"`
	Function string `json:"function,omitempty"`
	// Method and Request are the example, and Command sends it.
	Method  string        `json:"method"`
	Request string        `json:"request"`
	Command string        `json:"command"`
	Place   reviewedPlace `json:"place"`
	Text    string        `json:"text"`
}

// reviewedPlace is a place in a file, whose name is relative to the top of the git repository.
type reviewedPlace struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
	// InBase says that it is the file as it was.
	InBase bool `json:"inBase"`
}

type reviewedOpening struct {
	Kind  string        `json:"kind"`
	Text  string        `json:"text"`
	Place reviewedPlace `json:"place"`
}

type reviewedTest struct {
	Name  string        `json:"name"`
	Text  string        `json:"text"`
	Place reviewedPlace `json:"place"`
}

type reviewedResource struct {
	Kind model.Kind `json:"kind"`
	// Name is empty for the user pool, the data API and the bucket.
	Name string `json:"name"`
	// Environment is the one in which the resource differs; empty for the definition.
	Environment string         `json:"environment,omitempty"`
	Operation   diff.Operation `json:"operation"`
	Reasons     []string       `json:"reasons"`
	// Sources are the files of a function's source that differ.
	Sources []reviewedFile `json:"sources"`
	// ManySources says that its source differs in files that are not known by name.
	ManySources bool `json:"manySources,omitempty"`

	of model.Ref
}

type reviewedFile struct {
	Path   string `json:"path"`
	Change string `json:"change"`
}

// reviewOf makes the report of a review of the project in a folder of its repository.
func reviewOf(found *review.Review, folder string) reviewReport {
	r := reviewReport{
		Base: found.Base, Head: found.Head, Environment: found.Environment, Widened: found.Widened(),
		Complete: found.Complete, Incomplete: command.Listed(found.Why),
		Access: []reviewedAccess{}, Opened: []reviewedOpening{}, Tests: []reviewedTest{}, Resources: []reviewedResource{},
		Notes: command.Listed(found.Notes), Proofs: []reviewedProof{}, found: found,
	}
	place := func(p review.Place) reviewedPlace {
		if p.File != "" {
			p.File = path.Join(folder, p.File)
		}
		return reviewedPlace{File: p.File, Line: p.Line, Column: p.Column, InBase: p.Before}
	}
	files := func(all []review.File) []reviewedFile {
		list := []reviewedFile{}
		for _, f := range all {
			list = append(list, reviewedFile{Path: path.Join(folder, f.Path), Change: f.Change})
		}
		return list
	}
	kinds := map[access.PrincipalKind]string{access.Guest: "guest", access.Authenticated: "auth", access.Group: "group"}
	base, head := found.Backends()
	sentences := access.Sentences(differencesOf(found.Access), max(len(base.APIs), len(head.APIs)))
	for i, a := range found.Access {
		one := reviewedAccess{
			API: a.API, Path: a.Path, Below: a.Below, Who: kinds[a.Who.Kind], Groups: command.Listed(a.Caller().Groups),
			Gained:  a.Gained,
			Methods: command.Listed(slices.Clone(a.Methods)), Before: a.Before(), After: a.After(), Function: a.Function,
			Method: a.Method(), Request: a.Raw, Command: a.Command(), Place: place(a.Place), Text: sentences[i],
		}
		if a.Anybody {
			one.Who = "anybody"
		}
		r.Access = append(r.Access, one)
	}
	for _, o := range found.Opened {
		r.Opened = append(r.Opened, reviewedOpening{Kind: o.Kind, Text: o.Text, Place: place(o.Place)})
	}
	for _, t := range found.Tests {
		r.Tests = append(r.Tests, reviewedTest{Name: t.Name, Text: t.Text, Place: place(t.Place)})
	}
	for _, one := range found.Resources {
		r.Resources = append(r.Resources, reviewedResource{
			Kind: one.Of.Kind, Name: one.Of.Name, Environment: one.Environment, Operation: one.Operation,
			Reasons: command.Listed(one.Reasons),
			Sources: files(one.Sources), ManySources: one.ManySources, of: one.Of,
		})
	}
	r.Files = files(found.Files)
	return r
}

func differencesOf(all []review.Access) []access.Difference {
	list := make([]access.Difference, len(all))
	for i, a := range all {
		list[i] = a.Difference
	}
	return list
}

// print prints the report in the format that was asked for.
func (x *reviewCommand) print(r reviewReport) error {
	out := x.streams.Out
	switch {
	case x.json:
		return command.PrintJSON(out, r)
	case x.markdown:
		return command.PrintText(out, r.comment())
	case x.annotations:
		return command.PrintText(out, r.workflowCommands())
	}
	return command.PrintColored(out, r.text(x.verbose, command.WidthOf(out), x.streams.Colors(out)))
}
