package ship

import (
	"cmp"
	"fmt"
	"strings"

	"gatewright/cli/command"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/render/policy"
)

// accessChange is what one caller may do after a push and not before it, or the other way
// round.
type accessChange struct {
	API string `json:"api"`
	// Path is the resource; Below says that what is below it changes likewise.
	Path  string `json:"path"`
	Below bool   `json:"below"`
	// Who is guest, auth, group, or anybody for callers without credentials too. Groups are the groups
	// that the caller is a member of.
	Who     string   `json:"who"`
	Groups  []string `json:"groups"`
	Gained  bool     `json:"gained"`
	Actions []string `json:"actions"`
	Methods []string `json:"methods"`
	Example string   `json:"example"`
	// Text is the change as a sentence.
	Text string `json:"text"`
}

// accessChanges returns the changes for a report about a project with that many APIs.
func accessChanges(differences []access.Difference, apis int) []accessChange {
	kinds := map[access.PrincipalKind]string{access.Guest: "guest", access.Authenticated: "auth", access.Group: "group"}
	sentences := access.Sentences(differences, apis)
	changes := make([]accessChange, len(differences))
	for i, d := range differences {
		changes[i] = accessChange{
			API: d.API, Path: d.Path, Below: d.Below, Who: kinds[d.Who.Kind], Groups: command.Listed(d.Caller().Groups),
			Gained:  d.Gained,
			Actions: []string{}, Methods: command.Listed(d.Methods), Example: d.Example(), Text: sentences[i],
		}
		if d.Anybody {
			changes[i].Who = "anybody"
		}
		for _, a := range d.Actions.List() {
			changes[i].Actions = append(changes[i].Actions, a.String())
		}
	}
	return changes
}

// accessText is the section about what changes in access, what is opened first and in colour:
// each difference, or in one line what many paths have in common, and so many lines as one reads.
func (r statusReport) accessText(all bool, width int, paint command.Palette) string {
	if len(r.Access) == 0 && !r.MoreAccess {
		return ""
	}
	opened, closed := r.accessTexts(all)
	var b strings.Builder
	b.WriteString("access: " + cmp.Or(r.accessSum, "more differs than can be listed") + "\n")
	// Of what is opened, nothing is left out of a change that a person made by hand.
	mostOpened, mostClosed := 40, 12
	if all {
		mostOpened, mostClosed = len(opened), len(closed)
	}
	const rest = "; -v shows them"
	writeAccess(&b, opened, mostOpened, rest, width, paint.Wider)
	writeAccess(&b, closed, mostClosed, rest, width, func(text string) string { return text })
	if r.MoreAccess {
		b.WriteString(paint.Wider(command.Folded("  ", "▲ "+access.More, width)))
	}
	return b.String()
}

// accessTexts are the sentences about what is opened, and about what is closed, each with its
// sign: of each difference, or of what many paths have in common.
func (r statusReport) accessTexts(all bool) (opened, closed []string) {
	add := func(gained bool, text string) {
		if gained {
			opened = append(opened, "▲ "+text)
		} else {
			closed = append(closed, "▼ "+text)
		}
	}
	if all {
		for _, c := range r.Access {
			add(c.Gained, c.Text)
		}
		return opened, closed
	}
	for i, words := range access.Words(r.alike, r.apis) {
		add(r.alike[i].Gained(), words)
	}
	return opened, closed
}

// writeAccess writes sentences, of too many the first ones, and then how many more there are,
// with rest.
func writeAccess(b *strings.Builder, texts []string, most int, rest string, width int, paint func(string) string) {
	for i, text := range texts {
		if i == most && len(texts) > most+1 {
			sign, _, _ := strings.Cut(text, " ")
			b.WriteString(paint(fmt.Sprintf("  %s and %d more%s\n", sign, len(texts)-most, rest)))
			return
		}
		b.WriteString(paint(command.Folded("  ", text, width)))
	}
}

// again repeats what is opened below a report that a window has scrolled away: it is what matters
// most, and what the yes to a push is about. It is "" if the report is short or opens nothing.
func (r statusReport) again(report string, width int, paint command.Palette) string {
	const window, most = 20, 10
	opened, _ := r.accessTexts(false)
	if strings.Count(report, "\n") <= window || len(opened) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("what a push opens, as said above\n")
	writeAccess(&b, opened, most, "", width, paint.Wider)
	return b.String()
}

// refusedByAWS lists the requests of each API that its policies would refuse in AWS although
// the project allows them.
func refusedByAWS(b *model.Backend) []string {
	texts := []string{}
	for _, api := range b.APIs {
		refusals, _ := policy.Soon(api, b.RoleOrder(), b.Terms())
		for _, problem := range policy.Problems(api.Label, refusals) {
			texts = append(texts, problem.Error())
		}
	}
	return texts
}

// refusedText is the section about what AWS would refuse: a sentence for each, or how many.
func (r statusReport) refusedText(all bool, width int) string {
	switch n := len(r.RefusedByAWS); {
	case n == 0:
		return ""
	case !all:
		return command.Folded("", "in AWS some requests under "+phrase.Count(n, "path")+
			" would be refused although the project allows them; -v shows them", width)
	}
	var b strings.Builder
	b.WriteString("refused in AWS although the project allows it\n")
	for _, text := range r.RefusedByAWS {
		b.WriteString(command.Folded("  ", text, width))
	}
	return b.String()
}
