// Package check has the rules for a backend. A check of a thing, or between things, is a function in a
// file of its kind; it returns a Problem with a JSON pointer, from which the place in the file follows.
// A warning about the access of a path is a lint of package access.
package check

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/model"
)

// Backend finds all errors, warnings and notes of a backend, in the order of its lists.
func Backend(b *model.Backend) []*model.Problem {
	c := New(b)
	problems := ProjectProblems(c.Backend)
	problems = append(problems, checkFileNames(model.KindEnvironment, model.Names(b.Environments))...)
	branches := make(map[string]*model.Environment, len(b.Environments))
	for _, e := range b.Environments {
		problems = append(problems, c.CheckEnvironment(e)...)
		if first := branches[e.BranchName()]; first != nil {
			problems = append(problems, branchProblem(e, first))
			continue
		}
		branches[e.BranchName()] = e
	}
	problems = append(problems, checkFileNames(model.KindAPI, model.Names(b.APIs))...)
	for _, api := range b.APIs {
		problems = append(problems, c.CheckAPI(api)...)
	}
	problems = append(problems, checkSharing(b)...)
	problems = append(problems, checkFileNames(model.KindFunction, model.Names(b.Functions))...)
	for _, f := range b.Functions {
		problems = append(problems, c.CheckFunction(f)...)
	}
	problems = append(problems, DeployedNames(b)...)
	problems = append(problems, checkFileNames(model.KindTable, model.Names(b.Tables))...)
	for _, t := range b.Tables {
		problems = append(problems, c.CheckTable(t)...)
	}
	problems = append(problems, checkGroups(b)...)
	problems = append(problems, c.CheckTriggers()...)
	problems = append(problems, checkFileNames(model.KindOutput, model.Names(b.Outputs))...)
	return append(problems, ClientFile(b)...)
}

// ErrIncomplete is the cause of a Problem about a thing that lacks something. Check reports
// it, but edits do not refuse it, since a thing may be made in several steps.
var ErrIncomplete = errors.New("incomplete")

// Refusal returns the error that stops an edit: the first that the edit adds. An error that
// was there before does not stop it, or else a thing with two errors could not be repaired
// one by one. before is called only if there is an error after the edit.
func Refusal(after []*model.Problem, before func() []*model.Problem) error {
	type key struct {
		of            model.Ref
		pointer, text string
	}
	var had map[key]bool
	for _, p := range after {
		if p.Level != model.Error || errors.Is(p, ErrIncomplete) {
			continue
		}
		if had == nil {
			had = make(map[key]bool)
			for _, p := range before() {
				had[key{p.Of, p.Pointer, p.Text}] = true
			}
		}
		if !had[key{p.Of, p.Pointer, p.Text}] {
			return p
		}
	}
	return nil
}

// None returns the problems of a thing before it existed.
func None() []*model.Problem { return nil }

// ProjectProblems checks the settings of the project. They are empty in a project of the Amplify
// CLI, and before the project has a name.
func ProjectProblems(b *model.Backend) []*model.Problem {
	if !b.Defines(model.KindProject) || b.Project == (model.Project{}) {
		return nil
	}
	return Project(b.Project)
}

// Project checks the settings of a project.
func Project(p model.Project) []*model.Problem {
	var problems []*model.Problem
	say := func(pointer, field, fix, text string, args ...any) {
		problems = append(problems,
			&model.Problem{
				Of: model.Ref{Kind: model.KindProject}, Pointer: pointer, Field: field,
				Text: fmt.Sprintf(text, args...), Fix: fix,
			})
	}
	if err := model.CheckName(model.KindProject, p.Name); err != nil {
		bad := err.(*model.Problem)
		say("/name", "project", bad.Fix, "%s", bad.Text)
	}
	if !model.NameRule.Accepts(p.ApplicationID) {
		say("/applicationId", "application id", "use 1 to 64 of A-Z a-z 0-9 _ -, a letter or digit first",
			"%s is not an application id", phrase.Quote(p.ApplicationID))
	}
	if p.Region != "" {
		if err := model.CheckRegion(p.Region); err != nil {
			say("/region", "region", err.(*model.Problem).Fix, "%s", err.(*model.Problem).Text)
		}
	}
	if !slices.Contains(model.Dialects, p.Dialect) {
		say("/dialect", "dialect", "use "+phrase.Either(model.Dialects), "%s is not a dialect",
			phrase.Quote(string(p.Dialect)))
	}
	if p.SandboxPort < 0 || p.SandboxPort > 65535 {
		say("/sandboxPort", "sandbox port", "use 1 to 65535", "%d is not a port", p.SandboxPort)
	}
	return problems
}

// checkFileNames warns of names of things that have files, or folders, of their own.
func checkFileNames(kind model.Kind, names []string) []*model.Problem {
	return append(sameButCase(kind, names), model.NotOnWindows(kind, names)...)
}

// sameButCase warns of names that differ only in case. Edits refuse to make such names.
func sameButCase(kind model.Kind, names []string) []*model.Problem {
	var problems []*model.Problem
	seen := make(map[string]string, len(names))
	for _, name := range names {
		folded := strings.ToLower(name)
		first, ok := seen[folded]
		if ok && first != name {
			problems = append(problems, &model.Problem{
				Of: model.Ref{Kind: kind, Name: name}, Text: "differs from " + phrase.Quote(first) + " only in case",
				Fix: "rename one: some filesystems ignore case", Level: model.Warning,
			})
		} else if !ok {
			seen[folded] = name
		}
	}
	return problems
}

func checkGroups(b *model.Backend) []*model.Problem {
	var problems []*model.Problem
	seen := make(map[string]bool, len(b.Groups))
	for i, g := range b.Groups {
		found, pointer := findings{of: model.Ref{Kind: model.KindGroup, Name: g}}, fmt.Sprintf("/groups/%d", i)
		if err := model.CheckReadName(model.KindGroup, g); err != nil {
			level := model.Error
			if !b.Defines(model.KindGroup) {
				level = model.Warning // the rest runs here, and the other tool says what becomes of it
			}
			found.sayAt(level, pointer, "use 1 to 128 printable characters without space", "is not a name for a group")
		}
		if seen[g] {
			found.say(pointer, "remove one", "is listed twice")
		}
		seen[g] = true
		problems = append(problems, found.problems...)
	}
	return append(problems, sameButCase(model.KindGroup, b.Groups)...)
}

// readName warns of a name that was read from a file and that an edit would refuse.
func readName(of model.Ref) []*model.Problem {
	err := model.CheckName(of.Kind, of.Name)
	if err == nil {
		return nil
	}
	p := err.(*model.Problem)
	return []*model.Problem{{Of: of, Text: p.Text, Fix: p.Fix, Level: model.Warning}}
}
