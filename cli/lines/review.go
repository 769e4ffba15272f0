package lines

import (
	"strings"

	"gatewright/flow/preview"
	"gatewright/flow/session"
	"gatewright/project"
)

// review says what will be written, and writes it after a yes.
func (a *asker) review() error {
	if _, err, open := a.flow.FirstOpen(); open {
		a.say("Not yet: %s", err)
		return errBack
	}
	next, plan, err := session.Plan(a.session.Project, a.flow)
	if err != nil {
		return err
	}
	a.say("\nReview. These files will be written, all or none:")
	for _, c := range plan.Changes {
		a.say("  %s %s", project.Kind(c), c.Path)
	}
	for _, line := range preview.Resources(a.session.Project.Backend, next) {
		a.say("  %s", line.Text)
	}
	if notes := append(preview.Problems(a.session.Project.Backend, next), plan.Notes...); len(notes) > 0 {
		a.say("Worth a look:")
		for _, note := range notes {
			a.say("  %s", note)
		}
	}
	ok, err := a.yes("Write them (? says every line)?", func() string { return strings.TrimRight(plan.Diff(), "\n") })
	switch {
	case err != nil:
		return err
	case !ok:
		return errBack
	}
	if err := plan.Commit(); err != nil {
		return err
	}
	a.say("Written.")
	return a.session.Drafts.Discard()
}
