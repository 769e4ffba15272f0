package session

import (
	"slices"

	"gatewright/flow"
	"gatewright/model"
)

// Step is something to do next: a command line and what it does.
type Step struct{ Command, About string }

// NextSteps returns what to do after the wizard has written a backend, with the very
// commands.
func NextSteps(next *model.Backend, f *flow.Flow) []Step {
	if next.AmplifyCLI {
		return []Step{{"gatewright sandbox", "runs the project on this machine"}, {"amplify push", "deploys it"}}
	}
	steps := []Step{{"gatewright sandbox", "runs the project on this machine"}}
	if api := next.API(f.Label()); api != nil {
		answers := f.Answers()
		for _, p := range answers.Paths {
			if path := api.Path(p.Path); path != nil {
				steps = append(steps, callSteps(next, path)...)
				break
			}
		}
	}
	return append(steps, Step{"gatewright", "opens the dashboard"})
}

// callSteps call a path as the first caller who may: a guest, a member of a group, a user
// who is added before.
func callSteps(b *model.Backend, path *model.Path) []Step {
	raw := model.ShellWord(model.ExamplePath([]string{path.Name}))
	method := func(actions model.Actions) string {
		for _, action := range []model.Action{model.Read, model.Create, model.Update, model.Delete} {
			if actions.Has(action) {
				return action.Methods()[0]
			}
		}
		return ""
	}
	row := b.AccessRow(path, b.Groups)
	call := "gatewright call "
	if m := method(row.Guest); m != "" {
		return []Step{{call + m + " " + raw, "calls it in another terminal"}}
	}
	if i := slices.IndexFunc(row.Groups, func(g model.GroupAccess) bool { return g.Own && g.Actions != 0 }); i >= 0 {
		who := "group:" + b.Groups[i]
		return []Step{{call + method(row.Groups[i].Actions) + " " + raw + " --as " + model.ShellWord(who), "calls it as a member of " + b.Groups[i]}}
	}
	if m := method(row.Authenticated); m != "" {
		const user = "emma@example.com"
		return []Step{{"gatewright user add " + user, "adds somebody who can sign in"}, {call + m + " " + raw + " --as " + user, "calls it as that user"}}
	}
	return nil
}
