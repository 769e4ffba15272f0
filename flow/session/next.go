package session

import (
	"cmp"
	"net/http"
	"slices"
	"strings"

	"gatewright/flow"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/project/answer"
)

// Step is something to do next: a command line and what it does.
type Step struct{ Command, About string }

// Call is a request that somebody may send.
type Call struct {
	// Environment runs on this machine and has the API.
	Environment, API string
	// Target is the path of the URL, with example values for variables.
	Method, Target string
	// As is who sends it, as the flag --as of call takes it; "" for nobody in particular.
	As string
}

// Request is its method and target.
func (c Call) Request() string { return c.Method + " " + c.Target }

// Who says in words who sends it, after the request; "" for nobody in particular.
func (c Call) Who() string {
	switch group, ok := strings.CutPrefix(c.As, groupWord); {
	case ok:
		return " as a member of " + group
	case c.As != "":
		return " as a signed-in user"
	}
	return ""
}

const groupWord = "group:"

// Changes reports whether the request may change data: it is no GET.
func (c Call) Changes() bool { return c.Method != http.MethodGet }

// NextSteps returns what to do after the wizard has written the project, with the very
// commands, and the first request to what it wrote; nil if nobody on this machine may send
// one. If no environment is chosen, the commands name one. It reads the project.
func (s *Session) NextSteps(f *flow.Flow) ([]Step, *Call) {
	written, err := s.Read()
	if err != nil {
		return nil, nil
	}
	defer written.Close()
	next := written.Backend
	if !next.Defines(model.KindEnvironment) {
		return []Step{{"gatewright sandbox", "runs the project on this machine"}, {"amplify push", "deploys it"}}, nil
	}
	of, chosen := "", written.CurrentEnvironment()
	if len(next.Environments) > 1 && chosen == nil {
		of = " --env " + model.ShellWord(cmp.Or(firstWith(next, f.Label()), next.Environments[0]).Name)
	}
	steps := []Step{{"gatewright sandbox" + of, "runs the project on this machine"}}
	call := firstCall(next, f)
	if call == nil {
		return append(steps, opens), nil
	}
	steps = append(steps, call.step(of), opens)
	if !runsHere(chosen, call.API) {
		chosen = firstWith(next, call.API)
	}
	if chosen == nil {
		return steps, nil
	}
	call.Environment = chosen.Name
	return steps, call
}

var opens = Step{"gatewright", "opens the dashboard"}

// runsHere reports whether an environment is on this machine and has an API.
func runsHere(e *model.Environment, api string) bool {
	return e != nil && e.Provider == model.Local && e.Has(api)
}

// firstWith is the first environment on this machine that has an API; nil if there is none.
func firstWith(b *model.Backend, api string) *model.Environment {
	for _, e := range b.Environments {
		if runsHere(e, api) {
			return e
		}
	}
	return nil
}

// firstCall is the first request to the paths of the answers that somebody may send: one that reads if there is one.
func firstCall(b *model.Backend, f *flow.Flow) *Call {
	api := b.API(f.Label())
	if api == nil {
		return nil
	}
	for _, actions := range [][]access.Action{{access.Read}, {access.Create, access.Update, access.Delete}} {
		for _, answer := range f.Answers().Paths {
			path := api.Path(answer.Path)
			if path == nil {
				continue
			}
			for _, action := range actions {
				if as, ok := caller(b, path, action); ok {
					return &Call{
						API: api.Label, Method: b.Terms().Methods(action)[0], Target: access.ExamplePath([]string{path.Name}), As: as,
					}
				}
			}
		}
	}
	return nil
}

// caller is the first who may do something under a path: a guest, a member of a group, somebody who is signed in.
func caller(b *model.Backend, path *access.Path, action access.Action) (as string, ok bool) {
	row := b.AccessRow(path, b.Groups)
	if row.Guest.Has(action) {
		return "", true
	}
	may := func(g access.GroupAccess) bool { return g.Own && g.Actions.Has(action) }
	if i := slices.IndexFunc(row.Groups, may); i >= 0 {
		return groupWord + b.Groups[i], true
	}
	return answer.AuthenticatedWord, row.Authenticated.Has(action)
}

// step is the command that sends the request; of names the environment.
func (c Call) step(of string) Step {
	step := Step{"gatewright call " + c.Method + " " + model.ShellWord(c.Target), "calls it" + c.Who()}
	if c.As != "" {
		step.Command += " --as " + model.ShellWord(c.As)
	} else {
		step.About += " in another terminal"
	}
	step.Command += of
	return step
}
