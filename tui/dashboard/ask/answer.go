package ask

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"gatewright/deploy/outputs"
	"gatewright/deploy/people"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/project/answer"
	"gatewright/sandbox"
	"gatewright/sandbox/identity/userpool"
	"gatewright/sandbox/identity/wire"
	"gatewright/sandbox/live"
	"gatewright/tui/dashboard/board"
)

// findAnswer answers a question. It looks users up in the sandbox, and takes a while.
func findAnswer(s *board.Snapshot, q answer.Question, label string) (found answer.Answer, err error) {
	if q.Caller.User != "" {
		if q.Caller, err = user(s, q.Caller.Who); err != nil {
			return found, err
		}
		q.Environment = s.Name()
	}
	found, err = q.Answer()
	if api := s.Backend.API(label); errors.As(err, new(answer.Unclear)) && api != nil {
		q.APIs, q.Chosen = []*access.API{api}, true
		return q.Answer()
	}
	return found, err
}

// user looks a user up in the pool of the running sandbox. If none runs it opens nothing.
func user(s *board.Snapshot, who answer.Who) (*answer.Caller, error) {
	const patience = 5 * time.Second
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if _, err := sandbox.Connect(live.State(s.Root)); err != nil {
		return nil, err
	}
	pool, err := outputs.PoolOf(s.Backend, s.Env.Environment)
	switch {
	case err != nil:
		return nil, err
	case pool == nil:
		return nil, errors.New("the backend has no user pool: restrict a path, or add a group")
	}
	var found userpool.User
	err = live.UseUsers(ctx, s.Root, *pool, "", func(users *sandbox.HeldUsers) (err error) {
		found, err = users.User(ctx, who.User)
		return err
	})
	var refused *wire.Error
	switch {
	case errors.As(err, &refused):
		return nil, fmt.Errorf("user %s: %s To list the users: gatewright user list --env %s", phrase.Quote(who.User),
			refused.Message, model.ShellWord(s.Name()))
	case err != nil:
		return nil, fmt.Errorf("user %s: %w", phrase.Quote(who.User), err)
	}
	return answer.UserCaller(who, found.Groups, found.Enabled, found.Status != people.UserUnconfirmed, s.Name()), nil
}

// text is an answer for a dialog.
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
