package board

import (
	"fmt"
	"slices"

	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/model/access"
)

// AccessLines say who may do more after a change, marked with a triangle that points up, and
// who may do less; what many paths have in common in one line. Nothing that is opened is left
// out, unless there are more lines than anybody reads; then they say how many.
func AccessLines(differences []access.Difference, more bool, apis int) []prose.Line {
	const mostOpened, mostClosed = 400, 12
	if len(differences) == 0 && !more {
		return nil
	}
	groups := access.Grouped(differences)
	gained := slices.IndexFunc(groups, func(g access.Alike) bool { return !g.Gained() })
	if gained < 0 {
		gained = len(groups)
	}
	sum := prose.Line{Tone: prose.Strong, Text: "access: " + access.Count(differences)}
	if gained > 0 || more {
		sum.Tone = prose.Wider
	}
	lines := []prose.Line{sum}
	if more {
		lines = append(lines, prose.Line{Tone: prose.Wider, Text: "▲ " + access.More})
	}
	sentences := prose.PrintableStarts(access.Words(groups, apis))
	add := func(sentences []string, most int, sign string, tone prose.Tone) {
		for i, sentence := range sentences {
			if i == most && len(sentences) > most+1 {
				lines = append(lines,
					prose.Line{Tone: tone, Text: fmt.Sprintf("%s and %d more: run gatewright status -v", sign, len(sentences)-most)})
				return
			}
			lines = append(lines, prose.Line{Tone: tone, Text: sign + " " + sentence})
		}
	}
	add(sentences[:gained], mostOpened, "▲", prose.Wider)
	add(sentences[gained:], mostClosed, "▼", prose.Muted)
	return append(lines, prose.Line{})
}

// ByPath gives each difference in access to the path that serves its requests now, and to the
// path that is gone and served them; to the API, whose path is "", if there is neither. The keys
// are labels and names. now is the project, here and was have the routers of both sides.
func ByPath(
	changed []access.Difference, now *model.Backend, here, was func(label string) *access.Router,
) map[[2]string][]access.Difference {
	all := make(map[[2]string][]access.Difference)
	served := func(of *access.Router, d access.Difference) string {
		if of == nil {
			return ""
		}
		route, ok := of.Match(d.Methods[0], d.Raw)
		if !ok {
			return ""
		}
		return route.Path.Name
	}
	for _, d := range changed {
		to, before := served(here(d.API), d), served(was(d.API), d)
		if api := now.API(d.API); before != "" && (api == nil || api.Path(before) == nil || to == "") && before != to {
			at := [2]string{d.API, before}
			all[at] = append(all[at], d)
			if to == "" {
				continue
			}
		}
		at := [2]string{d.API, to}
		all[at] = append(all[at], d)
	}
	return all
}
