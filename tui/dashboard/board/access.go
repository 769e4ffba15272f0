package board

import (
	"fmt"
	"slices"

	"gatewright/internal/text/prose"
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
