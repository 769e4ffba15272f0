package dashboard

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatewright/deploy"
	"gatewright/flow"
	"gatewright/model"
	"gatewright/project"
	"gatewright/project/answer"
	"gatewright/sandbox"
	"gatewright/sandbox/call"
	"gatewright/sandbox/identity/wire"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
	"gatewright/tui/wizard"
)

const (
	askDialog    = "access/ask"
	answerDialog = "access/answer"
)

// The lines of the question.
const (
	whoLine = iota
	methodLine
	pathLine
)

// ask opens the question of whether somebody may send a request, with the path at
// hand and what was asked last.
func (a *accessTab) ask(label, path string) tea.Cmd {
	a.asking = label
	who, method := answer.GuestWord, "GET"
	if a.asked != nil {
		who, method = a.asked[whoLine], a.asked[methodLine]
	}
	raw := "/"
	switch {
	case path == "" && a.asked != nil:
		raw = a.asked[pathLine]
	case path != "":
		raw = model.ExamplePath([]string{path})
	}
	const most = 8
	offers := []string{answer.GuestWord, answer.AuthenticatedWord}
	for _, group := range a.groups[:min(len(a.groups), most)] {
		offers = append(offers, answer.GroupPrefix+group)
	}
	hint := "guest, authenticated, or group:A,B for a member of several"
	if a.usersUnknown() == "" {
		hint += ", or the name of a user of " + a.env.Name
	}
	return frame.Open(dialog.Form(askDialog, "May somebody send a request?", []dialog.Question{
		{Name: "who", Value: who, Hint: hint, Offers: offers},
		{Name: "method", Value: method, Options: model.Methods},
		{Name: "path", Value: raw, Hint: "as in a URL, such as " + model.ExamplePath([]string{"/books/{isbn}"})},
	}, a.checkQuestion))
}

// usersUnknown is why nobody can be asked about by the name of a user; "" where they
// can be.
func (a *accessTab) usersUnknown() string {
	switch {
	case a.page.readOnly() != "", a.env == nil:
		return "users are asked about with: gatewright can USER METHOD PATH"
	case a.seen == nil || !a.seen.running:
		return "users are known where a sandbox runs; ask with: gatewright can USER METHOD PATH"
	}
	return ""
}

// checkQuestion refuses what cannot be answered, with the line that is wrong.
func (a *accessTab) checkQuestion(values []string) (int, error) {
	who, err := answer.ParseWho(strings.TrimSpace(values[whoLine]), a.backend)
	if err != nil {
		return whoLine, err
	}
	if who.User != "" {
		if why := a.usersUnknown(); why != "" {
			return whoLine, errors.New(why)
		}
	}
	if _, _, err := call.Target(strings.TrimSpace(values[pathLine])); err != nil {
		return pathLine, err
	}
	if len(a.apis()) == 0 {
		return pathLine, errors.New("there is no API here; add one with: gatewright add api NAME")
	}
	return 0, nil
}

// apis are those of the environment.
func (a *accessTab) apis() []*model.API {
	return slices.DeleteFunc(slices.Clone(a.backend.APIs), func(api *model.API) bool { return a.env != nil && !a.env.Has(api.Label) })
}

// toldAnswer is the answer to a question.
type toldAnswer struct {
	of     *accessTab
	title  string
	answer answer.Answer
	err    error
}

func (a *accessTab) handle(msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case dialog.Result:
		filled, ok := msg.Action.(dialog.Filled)
		if msg.ID == askDialog && ok {
			a.asked = filled
			return a.find(filled), true
		}
		return nil, msg.ID == askDialog || msg.ID == answerDialog
	case toldAnswer:
		if msg.of != a {
			return nil, false
		}
		if msg.err != nil {
			return frame.Say(frame.Error, "%v", msg.err), true
		}
		return frame.Open(dialog.Text(answerDialog, msg.title, answerText(msg.answer.Words()))), true
	}
	return nil, false
}

// find answers in a command: whether a user is who they are the sandbox knows, and a
// no is tried against every change that may be proposed.
func (a *accessTab) find(values []string) tea.Cmd {
	var (
		b, older, apis = a.backend, a.older, a.apis()
		asking, dir    = a.asking, a.page.dir
		env            *model.Environment
	)
	if a.env != nil {
		env = a.env.Environment
	}
	return func() tea.Msg {
		msg := toldAnswer{of: a, title: fmt.Sprintf("%s %s %s", values[whoLine], values[methodLine], values[pathLine])}
		who, err := answer.ParseWho(strings.TrimSpace(values[whoLine]), b)
		if err != nil {
			msg.err = err
			return msg
		}
		caller := answer.CallerOf(who, b)
		if who.User != "" {
			if caller, msg.err = callerOf(dir, b, env, who); msg.err != nil {
				return msg
			}
		}
		target, _, err := call.Target(strings.TrimSpace(values[pathLine]))
		if err != nil {
			msg.err = err
			return msg
		}
		q := answer.Question{Backend: b, Caller: caller, Method: values[methodLine], Path: target, APIs: apis, Older: older}
		if env != nil && who.User != "" {
			q.Environment = env.Name
		}
		msg.answer, msg.err = q.Answer()
		if asked := b.API(asking); errors.As(msg.err, new(answer.Unclear)) && asked != nil {
			// Of several that have the path, the one at hand is meant.
			q.APIs, q.Chosen = []*model.API{asked}, true
			msg.answer, msg.err = q.Answer()
		}
		return msg
	}
}

// unconfirmed is the status of a user who signed up and did not enter the code yet.
const unconfirmed = "UNCONFIRMED"

// callerOf looks a user up in the pool of the sandbox that runs. Where none does it
// opens nothing.
func callerOf(dir string, b *model.Backend, env *model.Environment, who answer.Who) (*answer.Caller, error) {
	const patience = 5 * time.Second
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	root, _, err := project.Find(dir)
	if err != nil {
		return nil, err
	}
	state := deploy.SandboxState(root)
	if _, err := sandbox.Connect(state); err != nil {
		return nil, err
	}
	pool, err := deploy.PoolOf(b, env)
	switch {
	case err != nil:
		return nil, err
	case pool == nil:
		return nil, errors.New("the backend has no user pool: restrict a path, or add a group")
	}
	users, err := sandbox.OpenUsers(ctx, state, *pool, "", nil)
	if err != nil {
		return nil, err
	}
	user, err := users.User(ctx, who.User)
	var refused *wire.Error
	switch err = errors.Join(err, users.Close()); {
	case errors.As(err, &refused):
		return nil, fmt.Errorf("user %s: %s see who is there with: gatewright user list --env %s", model.Quote(who.User), refused.Message, model.ShellWord(env.Name))
	case err != nil:
		return nil, fmt.Errorf("user %s: %w", model.Quote(who.User), err)
	}
	return answer.UserCaller(who, user.Groups, user.Enabled, user.Status != unconfirmed, env.Name), nil
}

// answerText is an answer as a text to read.
func answerText(w answer.Words) string {
	lines := []string{w.Sentence, ""}
	for _, fact := range w.Facts {
		lines = append(lines, fact[0]+": "+fact[1])
	}
	lines = append(lines, w.Notes...)
	if w.Question != "" {
		lines = append(lines, w.Question)
	}
	if w.Lead != "" {
		lines = append(lines, "", w.Lead)
	}
	for _, command := range w.Commands {
		lines = append(lines, "  "+command)
	}
	return strings.Join(lines, "\n")
}

// edit changes who may do what, in the wizard.
func (a *accessTab) edit(label, path string) tea.Cmd {
	return a.page.toWizard(wizard.Route{Task: flow.Task{API: label, Path: path}})
}
