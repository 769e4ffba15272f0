package run

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"gatewright/cli/command"
	"gatewright/cli/users"
	"gatewright/model"
	"gatewright/project"
	"gatewright/project/answer"
	"gatewright/sandbox/call"
	"gatewright/sandbox/identity/identitypool"
	poolwire "gatewright/sandbox/identity/wire"
)

// checkAs refuses what does not go with --as.
func (x *callCommand) checkAs() error {
	switch {
	case x.as == "":
		return command.Misuse("--as is empty; give guest, group:NAME, or the name of a user")
	case x.as == answer.AuthenticatedWord:
		return command.Misuse("--as %s is nobody in particular; give guest, group:NAME, or the name of a user", answer.AuthenticatedWord)
	case x.test:
		return command.Misuse("--test asks as nobody: the gateway's console refuses no one; leave out --as")
	}
	for _, text := range x.headers {
		name, _, _ := strings.Cut(text, ":")
		if own, signed := call.SignatureHeader(name); signed {
			return command.Misuse("--as sets the header %s; leave out one of them", own)
		}
	}
	return nil
}

// signer is who signs, as --as says.
func (x *callCommand) signer(p *project.Project) (answer.Who, *identitypool.Signer, error) {
	w, err := command.ParseWho(x.as, p.Backend)
	if err != nil {
		return w, nil, err
	}
	if len(w.Groups) > 1 {
		return w, nil, command.Misuse("--as takes one group; a member of several acts as the first of them, which is %s", model.Quote(model.FirstGroup(p.Backend.RoleOrder(), w.Groups)))
	}
	asked := &identitypool.Signer{Guest: !w.SignedIn, User: w.User}
	if len(w.Groups) > 0 {
		asked.Group = w.Groups[0]
	}
	return w, asked, nil
}

// explainAs says why nobody gets credentials as WHO.
func (x *callCommand) explainAs(p *project.Project, e *model.Environment, w answer.Who, err error) error {
	session := users.Session{Streams: x.streams, Env: x.env, Others: true}
	var refused *poolwire.Error
	if of := session.FindPool(p, e); of != nil || !errors.As(err, &refused) {
		return cmp.Or(of, err)
	}
	switch {
	case w.User != "":
		return session.ExplainUnheld(p, e, w.User, err)
	case !w.SignedIn && !session.Pool.GuestsEnabled():
		return errors.New("guests get no identity while unauthenticated_identities_enabled is false; let them in with: gatewright update auth --unauthenticated-identities-enabled")
	}
	return fmt.Errorf("%s gets no credentials: %s", model.Quote(x.as), refused.Message)
}
