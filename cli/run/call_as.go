package run

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"gatewright/cli/command"
	"gatewright/cli/users"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/project"
	"gatewright/project/answer"
	"gatewright/sandbox/call"
	"gatewright/sandbox/identity/identitypool"
	poolwire "gatewright/sandbox/identity/wire"
)

// checkAs checks --as and the flags that exclude it.
func (x *callCommand) checkAs() error {
	switch {
	case x.as == "":
		return command.Misuse("--as is empty; give --as guest, authenticated, group:NAME, or the name of a user")
	case x.as == answer.UnsignedWord:
		return command.Misuse("--as unsigned signs nothing; leave out --as")
	case x.test:
		return command.Misuse("--test and --as do not go together: the API Gateway console checks no access")
	}
	for _, text := range x.headers {
		name, _, _ := strings.Cut(text, ":")
		if own, signed := call.SignatureHeader(name); signed {
			return command.Misuse("--as sets the header %s itself; leave out --header %[1]s, or --as", own)
		}
	}
	return nil
}

// signer returns the caller that --as names, and whose credentials sign the request.
func (x *callCommand) signer(b *model.Backend) (answer.Who, *identitypool.Signer, error) {
	w, err := command.ParseWho(x.as, b)
	if err != nil {
		return w, nil, err
	}
	if len(w.Groups) > 1 {
		return w, nil,
			command.Misuse("--as takes one group; a user in several acts as a member of the first: --as group:%s",
				phrase.Quote(access.FirstGroup(b.RoleOrder(), w.Groups)))
	}
	signer := &identitypool.Signer{
		Guest: !w.SignedIn, AnyUser: w.SignedIn && w.User == "" && len(w.Groups) == 0,
		User: w.User,
	}
	if len(w.Groups) > 0 {
		signer.Group = w.Groups[0]
	}
	return w, signer, nil
}

// explainAs explains why the caller w gets no credentials.
func (x *callCommand) explainAs(p *project.Project, e *model.Environment, w answer.Who, err error) error {
	session := users.Session{Streams: x.streams, Env: x.env, Others: true}
	var refused *poolwire.Error
	if noPool := session.FindPool(p, e); noPool != nil || !errors.As(err, &refused) {
		return cmp.Or(noPool, err)
	}
	switch {
	case w.User != "":
		return session.ExplainUnheld(p, e, w.User, err)
	case !w.SignedIn && !session.Users.Pool.GuestsEnabled():
		return errors.New("guests get no credentials, because unauthenticated_identities_enabled is false; enable them " +
			"with: " + p.Backend.Adding(model.KindAuth))
	}
	return fmt.Errorf("%s gets no credentials: %s", phrase.Quote(x.as), refused.Message)
}
