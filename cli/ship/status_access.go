package ship

import (
	"fmt"
	"strings"

	"gatewright/cli/command"
	"gatewright/model"
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
		b.WriteString(command.Folded("  ", c.Text, width))
	}
	if r.MoreAccess {
		b.WriteString(command.Folded("  ", model.MoreAccess, width))
	}
	return b.String()
}
