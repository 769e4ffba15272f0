// Package identitypool is the identity pools of Amazon Cognito, as their clients
// see them: guests and users get an identity, and for an hour what requests are
// signed with.
//
// What it gives is stateless: credentials say in themselves, sealed, whose they
// are, and a guest's identity is known by its id. Only which identity belongs to
// which user is kept.
package identitypool

import (
	"cmp"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"gatewright/model"
	"gatewright/sandbox/identity/file"
	"gatewright/sandbox/identity/pool"
	"gatewright/sandbox/identity/token"
	"gatewright/sandbox/identity/userpool"
	"gatewright/sandbox/identity/wire"
)

// Options say what Pools work with. Each field is needed.
type Options struct {
	// DB keeps the identities of users.
	DB file.DB
	// Keys give the secrets, which are made when they are first needed.
	Keys  *token.Keys
	Users *userpool.Pools
	Now   func() time.Time
}

// Pools are the identity pools of all environments. They may be used by many
// goroutines at once.
type Pools struct {
	options Options
	served  atomic.Pointer[served]
	seal    atomic.Pointer[sealer]
}

// served is what Apply was told. It is never changed.
type served struct {
	ofEnvironment map[string]pool.Pool
	// ofID has more than one pool where environments share an identity pool.
	ofID map[string][]pool.Pool
	// ids are the keys of ofID in their order.
	ids []string
}

// New makes identity pools that know no environment yet; Apply says which.
func New(o Options) (*Pools, error) {
	p := &Pools{options: o}
	p.Apply(nil)
	return p, nil
}

// Apply says which pools there are from now on. Environments whose pools have the
// same id share it: identities and credentials of one are good in the other, and
// the first of them says whether it has guests where no environment is asked.
// Identities of a pool that is gone are kept.
func (p *Pools) Apply(pools []pool.Pool) {
	s := &served{ofEnvironment: make(map[string]pool.Pool, len(pools)), ofID: make(map[string][]pool.Pool, len(pools))}
	for _, each := range pools {
		s.ofEnvironment[each.Environment] = each
		if s.ofID[each.IdentityPoolID] == nil {
			s.ids = append(s.ids, each.IdentityPoolID)
		}
		s.ofID[each.IdentityPoolID] = append(s.ofID[each.IdentityPoolID], each)
	}
	slices.Sort(s.ids)
	p.served.Store(s)
}

var errNoGuests = wire.Refuse("NotAuthorizedException", "Unauthenticated access is not supported for this identity pool.")

// ofEnvironment is the pools of an environment.
func (p *Pools) ofEnvironment(environment string) (pool.Pool, error) {
	found, ok := p.served.Load().ofEnvironment[environment]
	if !ok {
		return pool.Pool{}, wire.Refuse("ResourceNotFoundException", "The environment %s has no identity pool.", model.Quote(environment))
	}
	return found, nil
}

// ofID are the pools of the environments that share an identity pool; one at
// least. id is what a client sent.
func (p *Pools) ofID(id string) ([]pool.Pool, error) {
	found := p.served.Load().ofID[id]
	if len(found) == 0 {
		return nil, wire.Refuse("ResourceNotFoundException", "IdentityPool '%s' not found.", id)
	}
	return found, nil
}

// provider is the name of a user pool as the identity pools know it.
func provider(cfg pool.Pool) string {
	region, _, found := strings.Cut(cfg.UserPoolID, "_")
	if !found {
		region = cfg.Region
	}
	return "cognito-idp." + cmp.Or(region, cfg.Region) + ".amazonaws.com/" + cfg.UserPoolID
}
