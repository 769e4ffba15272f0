package access

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"gatewright/deploy"
	"gatewright/model"
	"gatewright/project/answer"
	"gatewright/sandbox"
	"gatewright/sandbox/call"
	"gatewright/sandbox/identity/wire"
)

// question is whether somebody may send a request, with all that it takes to answer.
type question struct {
	who, method, path string
	backend           *model.Backend
	older             []string
	// apis are those of the environment env, which may be nil. label is that of the API
	// which is meant where several have the path; "" for none.
	apis  []*model.API
	env   *model.Environment
	label string
	// root is the folder of the project.
	root string
}

// answer gives the answer as a text to read. It asks the sandbox for a user, and takes
// a while.
func (q question) answer() (string, error) {
	who, err := answer.ParseWho(q.who, q.backend)
	if err != nil {
		return "", err
	}
	asked := answer.Question{Backend: q.backend, Caller: answer.CallerOf(who, q.backend), Method: q.method, APIs: q.apis, Older: q.older}
	if who.User != "" {
		if asked.Caller, err = q.user(who); err != nil {
			return "", err
		}
		if q.env != nil {
			asked.Environment = q.env.Name
		}
	}
	if asked.Path, _, err = call.Target(q.path); err != nil {
		return "", err
	}
	found, err := asked.Answer()
	if api := q.backend.API(q.label); errors.As(err, new(answer.Unclear)) && api != nil {
		asked.APIs, asked.Chosen = []*model.API{api}, true
		found, err = asked.Answer()
	}
	if err != nil {
		return "", err
	}
	return text(found.Words()), nil
}

// unconfirmed is the status of a user who signed up and did not enter the code yet.
const unconfirmed = "UNCONFIRMED"

// user looks a user up in the pool of the sandbox that runs. Where none does it opens
// nothing.
func (q question) user(who answer.Who) (*answer.Caller, error) {
	const patience = 5 * time.Second
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	state := deploy.SandboxState(q.root)
	if _, err := sandbox.Connect(state); err != nil {
		return nil, err
	}
	pool, err := deploy.PoolOf(q.backend, q.env)
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
		return nil, fmt.Errorf("user %s: %s see who is there with: gatewright user list --env %s", model.Quote(who.User), refused.Message, model.ShellWord(q.env.Name))
	case err != nil:
		return nil, fmt.Errorf("user %s: %w", model.Quote(who.User), err)
	}
	return answer.UserCaller(who, user.Groups, user.Enabled, user.Status != unconfirmed, q.env.Name), nil
}

// text is an answer as a text to read.
func text(w answer.Words) string {
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
