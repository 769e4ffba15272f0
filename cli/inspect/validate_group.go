package inspect

import (
	"gatewright/cli/command"
	"gatewright/project"
)

// printProblems prints problems, a line each: all of them, or those of one rule in one
// line.
func printProblems(problems []*project.Problem, all bool, streams command.Streams) {
	if all {
		for _, p := range problems {
			command.SayProblem(streams.Out, p)
		}
		return
	}
	for _, g := range project.Grouped(problems) {
		p := *g.Problem
		if len(g.All) > 1 {
			p.Fix += " (validate -v lists each)"
		}
		command.SayProblem(streams.Out, &p)
	}
}
