package inspect

import (
	"gatewright/cli/command"
	"gatewright/project/read"
)

// printProblems prints problems, a line each: all of them, or those of one rule in one
// line.
func printProblems(problems []*read.Problem, all bool, streams command.Streams) {
	if all {
		for _, p := range problems {
			command.SayProblem(streams.Out, p)
		}
		return
	}
	for _, g := range read.Grouped(problems) {
		p := *g.Problem
		if len(g.All) > 1 {
			p.Fix += " (validate -v lists each)"
		}
		command.SayProblem(streams.Out, &p)
	}
}
