package answer

import (
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/model/access"
)

// Words are an answer for people, in the order in which it is shown.
type Words struct {
	// Sentence is yes or no, with the reason.
	Sentence string
	// Facts are pairs of a name and a value: where the request goes, as whom.
	Facts [][]string
	// Notes are sentences. Question asks whether another path is meant; "" for none.
	Notes    []string
	Question string
	// Lead introduces Commands, each of which would let the request through.
	Lead     string
	Commands []string
}

// Words puts the answer into words. Names in it are safe for a terminal.
func (a Answer) Words() Words {
	w := Words{Sentence: "no: " + a.Reason}
	if a.Allowed {
		w.Sentence = "yes: " + a.Reason
	}
	if a.API != "" {
		route := phrase.QuotePath(a.Resource)
		if a.Resource != a.Path {
			route += ", of the path " + phrase.QuotePath(a.Path)
		}
		w.Facts = append(w.Facts, []string{"api", phrase.Quote(a.API)}, []string{"route", route},
			[]string{"function", phrase.Quote(a.Function)})
	}
	if a.User != "" {
		groups := "in no group"
		if len(a.Groups) > 0 {
			groups = "in " + phrase.QuoteList(a.Groups)
		}
		w.Facts = append(w.Facts, []string{"user", phrase.Quote(a.User) + ", " + groups})
	}
	if a.ActsAs != "" {
		w.Facts = append(w.Facts, []string{"acts as", a.actsAs()})
	}
	for _, note := range a.Notes {
		w.Notes = append(w.Notes, "note: "+note)
	}
	switch {
	case len(a.Nearest) > 0:
		w.Question = "did you mean " + phrase.QuoteList(a.Nearest) + "?"
	case len(a.Changes) == 1:
		w.Lead = "this would allow it:"
	case len(a.Changes) > 1:
		w.Lead = "any of these would allow it:"
	}
	for _, commands := range a.Changes {
		w.Commands = append(w.Commands, strings.Join(commands, " && "))
	}
	return w
}

// actsAs describes as whom the caller acts on the path, and why.
func (a Answer) actsAs() string {
	d := a.decision
	text := d.As.String()
	first := ""
	if len(a.Groups) > 0 {
		first = a.Groups[0]
	}
	several := len(a.Groups) > 1
	switch {
	case first != "" && d.Rule == access.ByAuthenticated && several:
		text += ": the path has no entry for " + phrase.Quote(first) + ", the first in order of the caller's groups"
	case first != "" && d.Rule == access.ByAuthenticated:
		text += ": the path has no entry for " + phrase.Quote(first)
	case d.Rule == access.ByNoEntry:
		text += " only, as the Amplify CLI deploys it"
	case several:
		text += ", the first in order of the caller's groups"
	}
	if several {
		have := "have"
		if len(a.IdleGroups) == 1 {
			have = "has"
		}
		text += "; " + phrase.QuoteList(a.IdleGroups) + " " + have + " no effect here"
	}
	return text
}
