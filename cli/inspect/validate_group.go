package inspect

import (
	"errors"

	"gatewright/cli/command"
	"gatewright/model"
	"gatewright/project"
)

// ruleGroup is what problems have in common that are printed in one line: a rule, in one
// API of one file.
type ruleGroup struct {
	rule, api, file string
	level           model.Level
}

// groupOf returns the group of a problem; ok is false for one that is printed alone, as all
// errors are.
func groupOf(p *project.Problem) (of ruleGroup, path string, ok bool) {
	var about *model.Problem
	if p.Level == model.Error || p.Rule == "" || !errors.As(p, &about) || about.Of.Kind != model.KindPath {
		return ruleGroup{}, "", false
	}
	return ruleGroup{p.Rule, about.Of.API, p.File, p.Level}, about.Of.Name, true
}

// grouped sums up the problems that break the same rule in the same API, at the place of
// the first of them.
func grouped(problems []*project.Problem) []*project.Problem {
	type group struct {
		first *project.Problem
		count int
		paths []string
	}
	type member struct {
		of   ruleGroup
		path string
	}
	groups, seen := make(map[ruleGroup]*group), make(map[member]bool)
	for _, p := range problems {
		of, path, ok := groupOf(p)
		if !ok {
			continue
		}
		g := groups[of]
		if g == nil {
			g = &group{first: p}
			groups[of] = g
		}
		g.count++
		if one := (member{of, path}); !seen[one] {
			seen[one] = true
			g.paths = append(g.paths, path)
		}
	}
	var lines []*project.Problem
	for _, p := range problems {
		of, _, ok := groupOf(p)
		g := groups[of]
		switch {
		case !ok || g.count == 1:
			lines = append(lines, p)
		case g.first == p:
			text, fix := model.RuleSentence(of.rule, of.api, g.paths)
			lines = append(lines, &project.Problem{
				File: p.File, Line: p.Line, Column: p.Column, Level: p.Level, Text: of.rule + ": " + text, Fix: fix + " (validate -v lists each)",
			})
		}
	}
	return lines
}

// printProblems prints problems, a line each: all of them, or those of one rule in one
// line.
func printProblems(problems []*project.Problem, all bool, streams command.Streams) {
	if !all {
		problems = grouped(problems)
	}
	for _, p := range problems {
		command.SayProblem(streams.Out, p)
	}
}
