package policy

import (
	"slices"
	"strings"

	"gatewright/model"
)

// Problems are warnings about refusals in an API, one for each resource and path that it
// cannot be told from. Those of requests with an empty segment alone are left out.
func Problems(api string, refusals []Refusal) []*model.Problem {
	var problems []*model.Problem
	var told []Refusal
	for _, r := range refusals {
		if r.EmptySegment || slices.ContainsFunc(told, r.alike) {
			continue
		}
		told = append(told, r)
		var who []string
		for _, other := range refusals {
			if !other.EmptySegment && r.alike(other) && !slices.Contains(who, other.Who.String()) {
				who = append(who, other.Who.String())
			}
		}
		problems = append(problems, &model.Problem{
			Of:      model.Ref{Kind: model.KindPath, API: api, Name: r.Path.Name},
			Pointer: "/paths/" + model.PointerSegment(r.Path.Name),
			Text:    r.sentence(who), Fix: r.Fix(), Level: model.Warning, Rule: model.RuleRefusedByAWS,
		})
	}
	return problems
}

// alike reports whether two refusals are about the same requests of several callers.
func (r Refusal) alike(other Refusal) bool {
	return r.Resource == other.Resource && r.Because == other.Because && !other.EmptySegment
}

func (r Refusal) sentence(who []string) string {
	request := r.Methods()[0] + " " + model.Quote(r.Example)
	if r.Because == r.Path {
		return "is refused by AWS to " + listed(who) + ": it has too many or unusual segments for a policy"
	}
	return "is refused by AWS to " + listed(who) + " for requests such as " + request +
		", which a policy cannot tell from those of " + model.Quote(r.Because.Name)
}

func listed(words []string) string {
	const named = 3
	if more := len(words) - named; more > 1 {
		return strings.Join(words[:named], ", ") + " and " + model.Count(more, "other caller")
	}
	if len(words) == 1 {
		return words[0]
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}
