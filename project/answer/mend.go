package answer

import (
	"slices"
	"strings"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/assertion"
	"gatewright/project"
	"gatewright/project/plan"
)

// mostSteps is how many changes after each other are tried to fix a test.
const mostSteps = 6

// mend returns commands after which a test holds, and all that held before. Each change is tried on a
// copy of the backend; the one after which the fewest decisions are against the test is taken.
func mend(p *project.Project, b *model.Backend, o assertion.Outcome, all []assertion.Outcome) []string {
	if needsTooMany(b, o) {
		return nil
	}
	var commands []string
	for range mostSteps {
		if o.Err != nil || o.Holds() {
			return shortened(commands)
		}
		x := o.Broken[0]
		q := questionOf(p, b, x)
		try := q.candidates
		if x.Decision.Allowed {
			try = func(d access.Decision, caller access.Caller) []candidate {
				return q.closingCandidates(d, caller, o.Keep, o.Actions)
			}
		}
		var (
			best   candidate
			better *model.Backend
			left   = o
		)
		for _, c := range try(x.Decision, q.Caller.decided()) {
			next, err := b.Edit(c.edit)
			if err != nil {
				continue
			}
			checker := assertion.NewChecker(next)
			now := checker.Check(o.Text)
			if now.Err == nil && len(now.Broken) < len(left.Broken) && keeps(checker, all) {
				best, better, left = c, next, now
			}
		}
		if better == nil {
			return nil
		}
		commands, b, o = append(commands, best.commands...), better, left
	}
	return nil
}

// needsTooMany reports whether more paths than there are steps have a decision against a test that only a
// change of the path's own rule can turn.
func needsTooMany(b *model.Backend, o assertion.Outcome) bool {
	paths := make(map[model.Ref]bool)
	for _, x := range o.Broken {
		if x.Groups == nil && x.Decision.Rule != access.GuestsOff &&
			(x.Who.Kind != access.Group || slices.Contains(b.Groups, x.Who.Group)) {
			paths[model.Ref{API: x.API, Name: x.Path}] = true
		}
	}
	return len(paths) >= mostSteps && o.Counted == "" && !b.Terms().Below
}

// shortened leaves out the commands that a later one replaces: both set the same entry of a path.
func shortened(commands []string) []string {
	entry := func(command string) string {
		before, flag, _ := strings.Cut(command, " --")
		if strings.Contains(flag, " --") {
			return command
		}
		name, value, _ := strings.Cut(strings.TrimPrefix(flag, "no-"), " ")
		if name == "group" {
			group, _, _ := strings.Cut(value, "=")
			name += " " + group
		}
		return before + " --" + name
	}
	var kept []string
	for i, c := range commands {
		same := func(later string) bool { return strings.Contains(c, " --") && entry(later) == entry(c) }
		if !slices.ContainsFunc(commands[i+1:], same) && !slices.Contains(kept, c) {
			kept = append(kept, c)
		}
	}
	return kept
}

// keeps reports whether all tests that held hold for another backend.
func keeps(checker *assertion.Checker, all []assertion.Outcome) bool {
	for _, o := range all {
		if o.Holds() && !checker.Check(o.Text).Holds() {
			return false
		}
	}
	return true
}

// callerWord is how a command names the caller of a request.
func callerWord(x assertion.Counterexample) string {
	if x.Groups != nil {
		return GroupPrefix + strings.Join(x.Groups, ",")
	}
	return PrincipalWord(x.Who)
}

// questionOf asks about the request that is decided against a test.
func questionOf(p *project.Project, b *model.Backend, x assertion.Counterexample) *Question {
	caller := x.Caller()
	b = b.Near(x.Raw)
	return &Question{
		Backend: b, Caller: CallerOf(Who{SignedIn: caller.SignedIn, Groups: caller.Groups}, b), Method: x.Method,
		Path: x.Raw, Older: plan.Legacy(p), api: b.API(x.API),
	}
}
