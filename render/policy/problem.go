package policy

import (
	"slices"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/access"
)

// Problems are warnings about refusals in an API, one for each resource and path that a
// policy cannot tell apart. Refusals of only requests with an empty segment are left out.
func Problems(api string, refusals []Refusal) []*model.Problem {
	var problems []*model.Problem
	var told []Refusal
	for _, r := range refusals {
		if r.EmptySegment || slices.ContainsFunc(told, r.alike) {
			continue
		}
		told = append(told, r)
		problems = append(problems, &model.Problem{
			Of:      model.Ref{Kind: model.KindPath, API: api, Name: r.Path.Name},
			Pointer: "/paths/" + model.PointerSegment(r.Path.Name),
			Text:    "is refused in part by AWS: " + r.sentence(whoOf(refusals, r)), Fix: r.Fix(), Level: model.Warning,
			Rule: access.RuleRefusedByAWS,
		})
	}
	return problems
}

// Words says of a path what AWS refuses because a policy cannot tell its requests from those
// of another path, a sentence for each such path: for a screen that shows the path.
func Words(refusals []Refusal, path string) []string {
	var all []string
	var told []*access.Path
	for _, r := range refusals {
		other := r.Because
		if other.Name == path {
			other = r.Path
		}
		if r.EmptySegment || r.Path.Name != path && r.Because.Name != path || slices.Contains(told, other) {
			continue
		}
		told = append(told, other)
		text := "AWS refuses " + listed(whoOf(refusals, r)) + " requests such as " + r.Methods()[0] + " " +
			phrase.Quote(r.Example)
		if r.Because == r.Path {
			all = append(all, text+": the path has too many or unusual segments for a policy")
			continue
		}
		all = append(all, text+": a policy cannot tell "+phrase.Quote(r.Path.Name)+" from "+phrase.Quote(r.Because.Name)+
			"; give both the same rule")
	}
	return all
}

// whoOf lists the callers whom the same requests are refused to.
func whoOf(refusals []Refusal, r Refusal) []string {
	var who []string
	for _, other := range refusals {
		if !other.EmptySegment && r.alike(other) && !slices.Contains(who, other.Who.String()) {
			who = append(who, other.Who.String())
		}
	}
	return who
}

// alike reports whether two refusals are about the same requests of several callers. Those of a path
// that a policy cannot say are about all its requests.
func (r Refusal) alike(other Refusal) bool {
	same := r.Resource == other.Resource || r.Path == other.Path && r.Because == r.Path
	return same && r.Because == other.Because && !other.EmptySegment
}

func (r Refusal) sentence(who []string) string {
	request := r.Methods()[0] + " " + phrase.Quote(r.Example)
	if r.Because == r.Path {
		return listed(who) + " are refused " + request + ", which has too many or unusual segments for a policy"
	}
	return listed(who) + " are refused requests such as " + request + ", which a policy cannot tell from those of " +
		phrase.Quote(r.Because.Name)
}

func listed(words []string) string {
	const named = 3
	if more := len(words) - named; more > 1 {
		return strings.Join(words[:named], ", ") + " and " + phrase.Count(more, "other caller")
	}
	if len(words) == 1 {
		return words[0]
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}
