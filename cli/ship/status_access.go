package ship

import (
	"fmt"
	"strings"

	"gatewright/cli/command"
	"gatewright/model"
	"gatewright/render/policy"
)

// accessChange is what one caller may do after a push and not before it, or the other way
// round.
type accessChange struct {
	API string `json:"api"`
	// Path is the resource; Below says that what is below it changes likewise.
	Path  string `json:"path"`
	Below bool   `json:"below"`
	// Who is guest, auth or group. Groups are the groups that the caller is a member of.
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
func accessChanges(differences []model.AccessDifference, apis int) []accessChange {
	kinds := map[model.PrincipalKind]string{model.Guest: "guest", model.Authenticated: "auth", model.Group: "group"}
	sentences := model.AccessSentences(differences, apis)
	changes := make([]accessChange, len(differences))
	for i, d := range differences {
		changes[i] = accessChange{
			API: d.API, Path: d.Path, Below: d.Below, Who: kinds[d.Who.Kind], Groups: command.Listed(d.Caller().Groups), Gained: d.Gained,
			Actions: []string{}, Methods: command.Listed(d.Methods), Example: d.Example(), Text: sentences[i],
		}
		for _, a := range d.Actions.List() {
			changes[i].Actions = append(changes[i].Actions, a.String())
		}
	}
	return changes
}

// accessText is the section about what changes in access: all lines, or the first few.
func (r statusReport) accessText(all bool, width int) string {
	return r.accessColored(all, width, command.Palette{})
}

// accessColored is accessText in colours: what is opened stands out.
func (r statusReport) accessColored(all bool, width int, paint command.Palette) string {
	const most = 12
	if len(r.Access) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("access: " + r.accessSum + "\n")
	for i, c := range r.Access {
		if i == most && !all && len(r.Access) > most+1 {
			fmt.Fprintf(&b, "  and %d more; -v shows them\n", len(r.Access)-most)
			break
		}
		line := command.Folded("  ", c.Text, width)
		if c.Gained {
			line = paint.Wider(line)
		}
		b.WriteString(line)
	}
	if r.MoreAccess {
		b.WriteString(paint.Wider(command.Folded("  ", model.MoreAccess, width)))
	}
	return b.String()
}

// refusedByAWS lists the requests of each API that its policies would refuse in AWS although
// the project allows them.
func refusedByAWS(b *model.Backend) []string {
	texts := []string{}
	for _, api := range b.APIs {
		refusals, _ := policy.Soon(api, b.RoleOrder(), b.Auth.GuestsEnabled())
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
		return command.Folded("", "in AWS some requests under "+model.Count(n, "path")+" would be refused although the project allows them; -v shows them", width)
	}
	var b strings.Builder
	b.WriteString("refused in AWS although the project allows it\n")
	for _, text := range r.RefusedByAWS {
		b.WriteString(command.Folded("  ", text, width))
	}
	return b.String()
}
