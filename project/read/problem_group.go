package read

import (
	"errors"

	"gatewright/model"
	"gatewright/model/access"
)

// Group is a problem as a report shows it: one alone, or the sum of several that break the
// same rule in the same API of one file.
type Group struct {
	// Problem is the problem; of several, what they have in common, at the place of the first.
	*Problem
	// All are the problems of the group: one, or those that Problem sums up.
	All []*Problem
	// API is the API of several; "" for one problem alone.
	API string
}

// ruleGroup is what the problems of a group have in common.
type ruleGroup struct {
	rule, api, file string
	level           model.Level
}

// groupOf returns the group of a problem; ok is false for one that is shown alone, as all errors are.
func groupOf(p *Problem) (of ruleGroup, path string, ok bool) {
	var about *model.Problem
	if p.Level == model.Error || p.Rule == "" || !errors.As(p, &about) || about.Of.Kind != model.KindPath {
		return ruleGroup{}, "", false
	}
	return ruleGroup{p.Rule, about.Of.API, p.File, p.Level}, about.Of.Name, true
}

// Grouped sums up the problems that break the same rule in the same API, at the place of the
// first of them. No problem is left out: each is in one group.
func Grouped(problems []*Problem) []Group {
	type member struct {
		of   ruleGroup
		path string
	}
	var groups []*Group
	at, paths, seen := make(map[ruleGroup]*Group), make(map[*Group][]string), make(map[member]bool)
	for _, p := range problems {
		of, path, ok := groupOf(p)
		g := at[of]
		if !ok || g == nil {
			g = &Group{Problem: p}
			groups = append(groups, g)
		}
		g.All = append(g.All, p)
		if !ok {
			continue
		}
		at[of] = g
		if one := (member{of, path}); !seen[one] {
			seen[one] = true
			paths[g] = append(paths[g], path)
		}
	}
	made := make([]Group, len(groups))
	for i, g := range groups {
		if p := g.Problem; len(g.All) > 1 {
			of, _, _ := groupOf(p)
			text, fix := access.RuleSentence(of.rule, of.api, paths[g])
			g.Problem = &Problem{
				File: p.File, Line: p.Line, Column: p.Column, Level: p.Level, Rule: p.Rule,
				Text: of.rule + ": " + text, Fix: fix,
			}
			g.API = of.api
		}
		made[i] = *g
	}
	return made
}
