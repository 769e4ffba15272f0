package cli

import (
	"errors"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"gatewright/model"
	"gatewright/project"
	"gatewright/project/answer"
	"gatewright/sandbox/identity/userpool"
)

const whoHelp = "WHO is guest, group:NAME for a member of a group, or a user of the environment's pool: its name, address or sub. user:NAME is\n" +
	"a user whose name is one of these words.\n"

// parseWho reads WHO; what names nobody is misuse.
func parseWho(text string, b *model.Backend) (answer.Who, error) {
	who, err := answer.ParseWho(text, b)
	return who, meant(err)
}

// meant is an error of a question: one that is not clear is misuse.
func meant(err error) error {
	var unclear answer.Unclear
	if errors.As(err, &unclear) {
		return misuse("%s", string(unclear))
	}
	return err
}

// caller finds out who is meant. Only a user is looked for, in the pool.
func (x *asking) caller(p *project.Project, env *model.Environment, w answer.Who) (*answer.Caller, error) {
	if w.User == "" {
		return answer.CallerOf(w, p.Backend), nil
	}
	var c *answer.Caller
	session := userSession{streams: x.streams, env: x.env, others: true}
	err := session.hold(p, env, func() error {
		user, err := session.find(w.User)
		if err != nil {
			return err
		}
		c = answer.UserCaller(w, user.Groups, user.Enabled, user.Status != unconfirmed, x.env.String())
		return nil
	})
	return c, err
}

// find is a user by name, address or sub. Who is not there is told with the
// nearest one, or as what else was meant.
func (x *userSession) find(name string) (userpool.User, error) {
	user, err := x.held.User(x.ctx, name)
	return user, x.explain(name, err)
}

// notFound says that a user is not there, and who or what may have been meant.
func (x *userSession) notFound(name string) error {
	problem := &model.Problem{
		Of: userRef(name), Text: "not found in environment " + model.Quote(x.pool.Environment), Cause: model.ErrUnknown,
		Fix: "see who is there with: gatewright user list" + x.envWords(),
	}
	near := ""
	if names, err := x.names(); err == nil {
		if x.others {
			names[answer.GuestWord], names[answer.AuthenticatedWord] = answer.GuestWord, answer.AuthenticatedWord
		}
		near = names[model.Nearest(name, slices.Sorted(maps.Keys(names)))]
	}
	switch {
	case slices.Contains(x.groups, name):
		problem.Fix = "groups are asked for as " + model.Quote(answer.GroupPrefix+name)
	case near != "":
		problem.Fix = "did you mean " + model.Quote(near) + "?"
	}
	return problem
}

// completeWho completes guests, groups and other words; users are not looked at.
func completeWho(streams Streams, typed string, words ...string) ([]string, cobra.ShellCompDirective) {
	for _, group := range look(streams).Groups {
		words = append(words, answer.GroupPrefix+group)
	}
	return offered(words, typed), cobra.ShellCompDirectiveNoFileComp
}
