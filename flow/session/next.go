package session

import (
	"slices"

	"gatewright/flow"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/project/answer"
)

// Step is something to do next: a command line and what it does.
type Step struct{ Command, About string }

// NextSteps returns what to do after the wizard has written the project, with the very
// commands. If no environment is chosen, they name one. It reads the project.
func (s *Session) NextSteps(f *flow.Flow) []Step {
	written, err := s.Read()
	if err != nil {
		return nil
	}
	defer written.Close()
	next := written.Backend
	if !next.Defines(model.KindEnvironment) {
		return []Step{{"gatewright sandbox", "runs the project on this machine"}, {"amplify push", "deploys it"}}
	}
	of := ""
	if len(next.Environments) > 1 && written.CurrentEnvironment() == nil {
		of = " --env " + model.ShellWord(firstWith(next, f.Label()))
	}
	steps := []Step{{"gatewright sandbox" + of, "runs the project on this machine"}}
	if api := next.API(f.Label()); api != nil {
		answers := f.Answers()
		for _, p := range answers.Paths {
			if path := api.Path(p.Path); path != nil {
				for _, step := range callSteps(next, path) {
					step.Command += of
					steps = append(steps, step)
				}
				break
			}
		}
	}
	return append(steps, Step{"gatewright", "opens the dashboard"})
}

// firstWith is the first environment on this machine that has an API.
func firstWith(b *model.Backend, api string) string {
	for _, e := range b.Environments {
		if e.Provider == model.Local && e.Has(api) {
			return e.Name
		}
	}
	return b.Environments[0].Name
}

// callSteps call a path as the first caller who may: a guest, a member of a group, somebody
// who is signed in.
func callSteps(b *model.Backend, path *access.Path) []Step {
	raw := model.ShellWord(access.ExamplePath([]string{path.Name}))
	method := func(actions access.Actions) string {
		for _, action := range []access.Action{access.Read, access.Create, access.Update, access.Delete} {
			if actions.Has(action) {
				return b.Terms().Methods(action)[0]
			}
		}
		return ""
	}
	row := b.AccessRow(path, b.Groups)
	call := "gatewright call "
	if m := method(row.Guest); m != "" {
		return []Step{{call + m + " " + raw, "calls it in another terminal"}}
	}
	if i := slices.IndexFunc(row.Groups, func(g access.GroupAccess) bool { return g.Own && g.Actions != 0 }); i >= 0 {
		who := "group:" + b.Groups[i]
		return []Step{{
			call + method(row.Groups[i].Actions) + " " + raw + " --as " + model.ShellWord(who),
			"calls it as a member of " + b.Groups[i],
		}}
	}
	if m := method(row.Authenticated); m != "" {
		return []Step{{call + m + " " + raw + " --as " + answer.AuthenticatedWord, "calls it as a signed-in user"}}
	}
	return nil
}
