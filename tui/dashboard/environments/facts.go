package environments

import (
	"strings"

	"gatewright/internal/text/prose"
	"gatewright/project"
	"gatewright/tui/dashboard/board"
)

// fact is a fact of environments, with its value in each as it is shown; "" if an environment
// has none.
type fact struct {
	name   string
	values []string
	differ bool
	// about says what the fact means, if its name does not.
	about string
	// lines are the details of each environment, if there are any.
	lines [][]prose.Line
}

const (
	// asOfFact is the fact of how new what the screen says about AWS is.
	asOfFact  = "AWS as of"
	aboutAsOf = "This is what this machine last saw in AWS: after its last push, or when it last looked. " +
		"ctrl+r looks again."
)

// factsOf lists the facts of the environments: from their definitions, then from their last
// pushes.
func factsOf(s *board.Snapshot) []*fact {
	lists := make([][]project.Fact, len(s.Environments))
	for i, e := range s.Environments {
		list, err := project.EnvironmentFacts(s.Backend, e.Environment)
		if err != nil {
			list = append(list, project.NewFact("overrides", err.Error()))
		}
		list = append(list, project.NewFact("last pushed", lastPushed(e)))
		if asOf := e.AsOf(); asOf != "" {
			list = append(list, project.Fact{Name: asOfFact, Shown: strings.TrimPrefix(asOf, "as of ")})
		}
		// Only one environment is the chosen one, which is not a difference, so the value
		// is "".
		list = append(list, project.Fact{Name: "chosen on this machine", Shown: prose.YesNo(e.Name == s.Chosen)})
		list = append(list, project.DeploymentFacts(s.Backend, e.Environment, e.Last())...)
		if note := e.CloudNote(); note != "" {
			list = append(list, project.Fact{Name: "in AWS now", Shown: note})
		}
		lists[i] = append(list, healthFacts(e.Health)...)
	}
	var facts []*fact
	for _, shared := range project.ShareFacts(lists...) {
		f := &fact{name: prose.PrintableStart(shared.Name), values: make([]string, len(lists)), differ: shared.Differs()}
		switch shared.Name {
		case asOfFact:
			f.about = aboutAsOf
		case driftFact:
			f.lines = driftLines(s)
		}
		for i, value := range shared.Values {
			if value != nil {
				f.values[i] = prose.PrintableStart(value.Shown)
			}
		}
		facts = append(facts, f)
	}
	return facts
}

// The facts of what AWS said when it was asked how the environments are.
const (
	healthFact = "checked in AWS"
	callsFact  = "last hour"
	driftFact  = "drift"
)

// healthFacts are how an environment was in AWS, if that was asked.
func healthFacts(h *board.Health) []project.Fact {
	switch {
	case h == nil:
		return nil
	case h.Problem != "":
		return []project.Fact{{Name: healthFact, Shown: h.AsOf() + ": " + h.Problem}}
	case h.Pushed.IsZero():
		return []project.Fact{{Name: healthFact, Shown: h.AsOf() + ": never pushed"}}
	}
	// Values that are empty are no difference between environments.
	return []project.Fact{
		{Name: healthFact, Shown: h.AsOf()},
		{Name: callsFact, Shown: h.Calls()},
		{Name: driftFact, Shown: h.Differs()},
	}
}

// driftLines are what differs in each environment from its last push.
func driftLines(s *board.Snapshot) [][]prose.Line {
	all := make([][]prose.Line, len(s.Environments))
	for i, e := range s.Environments {
		if e.Health != nil {
			all[i] = e.Health.Lines()
		}
	}
	return all
}

// lastPushed is when an environment was pushed last, as a value of its own.
func lastPushed(e board.Environment) string {
	const never = "never"
	if pushed := e.Pushed(); pushed != never+" pushed" {
		return strings.TrimPrefix(pushed, "pushed ")
	}
	return never
}
