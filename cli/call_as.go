package cli

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"gatewright/model"
	"gatewright/project"
	"gatewright/project/answer"
	"gatewright/sandbox/call"
	"gatewright/sandbox/identity/identitypool"
	poolwire "gatewright/sandbox/identity/wire"
)

// checkAs refuses what does not go with --as.
func (x *calling) checkAs() error {
	switch {
	case x.as == "":
		return misuse("--as is empty; give guest, group:NAME, or the name of a user")
	case x.as == answer.AuthenticatedWord:
		return misuse("--as %s is nobody in particular; give guest, group:NAME, or the name of a user", answer.AuthenticatedWord)
	case x.test:
		return misuse("--test asks as nobody: the gateway's console refuses no one; leave out --as")
	}
	for _, text := range x.headers {
		name, _, _ := strings.Cut(text, ":")
		if own, signs := call.SignedBy(name); signs {
			return misuse("--as makes the header %s; leave out one of them", own)
		}
	}
	return nil
}

// signer is who signs, as --as says.
func (x *calling) signer(p *project.Project) (answer.Who, *identitypool.Who, error) {
	w, err := parseWho(x.as, p.Backend)
	if err != nil {
		return w, nil, err
	}
	if len(w.Groups) > 1 {
		return w, nil, misuse("--as takes one group; who is a member of several acts as the first of them, which is %s", model.Quote(firstIn(p.Backend.RoleOrder(), w.Groups)))
	}
	asked := &identitypool.Who{Guest: !w.SignedIn, User: w.User}
	if len(w.Groups) > 0 {
		asked.Group = w.Groups[0]
	}
	return w, asked, nil
}

// explainAs says why nobody gets credentials as WHO.
func (x *calling) explainAs(p *project.Project, e *model.Environment, w answer.Who, err error) error {
	session := userSession{streams: x.streams, env: x.env, others: true}
	var refused *poolwire.Error
	if of := session.of(p, e); of != nil || !errors.As(err, &refused) {
		return cmp.Or(of, err)
	}
	switch {
	case w.User != "":
		return session.explainOf(p, e, w.User, err)
	case !w.SignedIn && !session.pool.GuestsEnabled():
		return errors.New("guests get no identity while unauthenticated_identities_enabled is false; let them in with: gatewright update auth --unauthenticated-identities-enabled")
	}
	return fmt.Errorf("%s gets no credentials: %s", model.Quote(x.as), refused.Message)
}

// firstIn is the first of an order that is among some.
func firstIn(order, some []string) string {
	for _, name := range order {
		if slices.Contains(some, name) {
			return name
		}
	}
	return ""
}
