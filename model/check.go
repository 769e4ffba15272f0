package model

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"gatewright/internal/text/phrase"
)

// Check finds all errors, warnings and notes of a backend, in the order of its lists.
func (b *Backend) Check() []*Problem {
	c := b.checker()
	problems := c.Backend.projectProblems()
	problems = append(problems, checkFileNames(KindEnvironment, names(b.Environments))...)
	branches := make(map[string]*Environment, len(b.Environments))
	for _, e := range b.Environments {
		problems = append(problems, c.checkEnvironment(e)...)
		if first := branches[e.BranchName()]; first != nil {
			problems = append(problems, branchProblem(e, first))
			continue
		}
		branches[e.BranchName()] = e
	}
	problems = append(problems, checkFileNames(KindAPI, names(b.APIs))...)
	for _, api := range b.APIs {
		problems = append(problems, c.checkAPI(api)...)
	}
	problems = append(problems, b.checkSharing()...)
	problems = append(problems, checkFileNames(KindFunction, names(b.Functions))...)
	for _, f := range b.Functions {
		problems = append(problems, c.checkFunction(f)...)
	}
	problems = append(problems, b.CheckDeployedNames()...)
	problems = append(problems, checkFileNames(KindTable, names(b.Tables))...)
	for _, t := range b.Tables {
		problems = append(problems, c.checkTable(t)...)
	}
	problems = append(problems, b.checkGroups()...)
	problems = append(problems, c.checkTriggers()...)
	problems = append(problems, checkFileNames(KindOutput, names(b.Outputs))...)
	return append(problems, b.checkClientFile()...)
}

// ErrIncomplete is the cause of a Problem about a thing that lacks something. Check reports
// it, but edits do not refuse it, since a thing may be made in several steps.
var ErrIncomplete = errors.New("incomplete")

// refusal returns the error that stops an edit: the first that the edit adds. An error that
// was there before does not stop it, or else a thing with two errors could not be repaired
// one by one. before is called only if there is an error after the edit.
func refusal(after []*Problem, before func() []*Problem) error {
	type key struct {
		of            Ref
		pointer, text string
	}
	var had map[key]bool
	for _, p := range after {
		if p.Level != Error || errors.Is(p, ErrIncomplete) {
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

// none returns the problems of a thing before it existed.
func none() []*Problem { return nil }

// projectProblems checks the settings of the project. They are empty in a project of the Amplify
// CLI, and before the project has a name.
func (b *Backend) projectProblems() []*Problem {
	if !b.Defines(KindProject) || b.Project == (Project{}) {
		return nil
	}
	return checkProject(b.Project)
}

func checkProject(p Project) []*Problem {
	var problems []*Problem
	say := func(pointer, field, fix, text string, args ...any) {
		problems = append(problems,
			&Problem{Of: Ref{Kind: KindProject}, Pointer: pointer, Field: field, Text: fmt.Sprintf(text, args...), Fix: fix})
	}
	if err := CheckName(KindProject, p.Name); err != nil {
		bad := err.(*Problem)
		say("/name", "project", bad.Fix, "%s", bad.Text)
	}
	if !nameRule.Accepts(p.ApplicationID) {
		say("/applicationId", "application id", "use 1 to 64 of A-Z a-z 0-9 _ -, a letter or digit first",
			"%s is not an application id", phrase.Quote(p.ApplicationID))
	}
	if p.Region != "" {
		if err := CheckRegion(p.Region); err != nil {
			say("/region", "region", err.(*Problem).Fix, "%s", err.(*Problem).Text)
		}
	}
	if !slices.Contains(Dialects, p.Dialect) {
		say("/dialect", "dialect", "use "+phrase.Either(Dialects), "%s is not a dialect", phrase.Quote(string(p.Dialect)))
	}
	if p.SandboxPort < 0 || p.SandboxPort > 65535 {
		say("/sandboxPort", "sandbox port", "use 1 to 65535", "%d is not a port", p.SandboxPort)
	}
	return problems
}

// checkFileNames warns of names of things that have files, or folders, of their own.
func checkFileNames(kind Kind, names []string) []*Problem {
	return append(sameButCase(kind, names), notOnWindows(kind, names)...)
}

// sameButCase warns of names that differ only in case. Edits refuse to make such names.
func sameButCase(kind Kind, names []string) []*Problem {
	var problems []*Problem
	seen := make(map[string]string, len(names))
	for _, name := range names {
		folded := strings.ToLower(name)
		first, ok := seen[folded]
		if ok && first != name {
			problems = append(problems, &Problem{
				Of: Ref{Kind: kind, Name: name}, Text: "differs from " + phrase.Quote(first) + " only in case",
				Fix: "rename one: not every filesystem tells them apart", Level: Warning,
			})
		} else if !ok {
			seen[folded] = name
		}
	}
	return problems
}

func (b *Backend) checkGroups() []*Problem {
	var problems []*Problem
	seen := make(map[string]bool, len(b.Groups))
	for i, g := range b.Groups {
		found, pointer := findings{of: Ref{Kind: KindGroup, Name: g}}, fmt.Sprintf("/groups/%d", i)
		if err := checkReadName(KindGroup, g); err != nil {
			found.say(pointer, "use 1 to 128 printable characters without space", "is not a name for a group")
		}
		if seen[g] {
			found.say(pointer, "remove one", "is listed twice")
		}
		seen[g] = true
		problems = append(problems, found.problems...)
	}
	return append(problems, sameButCase(KindGroup, b.Groups)...)
}

// readName warns of a name that was read from a file and that an edit would refuse.
func readName(of Ref) []*Problem {
	err := CheckName(of.Kind, of.Name)
	if err == nil {
		return nil
	}
	p := err.(*Problem)
	return []*Problem{{Of: of, Text: p.Text, Fix: p.Fix, Level: Warning}}
}
