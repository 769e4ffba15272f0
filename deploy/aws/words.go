package aws

import (
	"fmt"
	"slices"
	"strings"

	"gatewright/deploy/contract"
	"gatewright/internal/text/phrase"
	"gatewright/model"
)

// CountChanges counts the resources that are made, changed and removed, in one line.
func (x *Push) CountChanges() string {
	counts, replaced := make(map[contract.EventKind]int), 0
	for _, c := range x.Changes {
		counts[c.Kind]++
		if c.Replaced {
			replaced++
		}
	}
	text := fmt.Sprintf("AWS: %s to create, %d to change, %d to remove",
		phrase.Count(counts[contract.Created], "resource"),
		counts[contract.Updated], counts[contract.Deleted])
	if counts[contract.Adopted] > 0 {
		text = fmt.Sprintf("AWS: %s to take over, %d to create, %d to change, %d to remove",
			phrase.Count(counts[contract.Adopted], "resource"), counts[contract.Created], counts[contract.Updated],
			counts[contract.Deleted])
	}
	if replaced > 0 {
		text += fmt.Sprintf(", %d of them replaced by new ones", replaced)
	}
	return text
}

// Remarks say in sentences what else a person should know before the push: that it takes
// several updates, and which secrets it sends.
func (x *Push) Remarks() []string {
	var remarks []string
	if x.Updates > 1 {
		why := make([]string, 0, x.Updates)
		if len(x.Adopted) > 0 {
			why = append(why, "update 1 takes over what is there")
		}
		for _, step := range x.steps {
			why = append(why, fmt.Sprintf("update %d %s", len(why)+1, step.Why))
		}
		why = append(why, fmt.Sprintf("update %d brings what is new", x.Updates))
		remarks = append(remarks, fmt.Sprintf("in %d updates, one after the other: %s", x.Updates, strings.Join(why, "; ")))
	}
	if slices.ContainsFunc(x.Adopted, func(f Found) bool { return f.Of.Kind == model.KindAuth }) {
		remarks = append(remarks,
			"the user pool gets a new client: apps need its id, and so the new client configuration file")
	}
	if names := x.secretsSent(); len(names) > 0 {
		remarks = append(remarks, fmt.Sprintf("the values of %s go to AWS as hidden parameters", phrase.QuoteList(names)))
	}
	return remarks
}
