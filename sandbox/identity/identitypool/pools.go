// Package identitypool serves the identity pools of Amazon Cognito: guests and users get an
// identity, and credentials for signing requests for an hour.
//
// Credentials are stateless: the sealed session token says whose they are, and a guest's
// identity is recognized by its id. The file has only the identities of users.
package identitypool

import (
	"cmp"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"gatewright/internal/text/phrase"
	"gatewright/sandbox/identity/file"
	"gatewright/sandbox/identity/pool"
	"gatewright/sandbox/identity/token"
	"gatewright/sandbox/identity/userpool"
	"gatewright/sandbox/identity/wire"
)

// Options configure Pools. All fields are required.
type Options struct {
	// DB stores the identities of users.
	DB file.DB
	// Keys have the secrets, which are made when first needed.
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

// served is the argument of Apply. It is never changed.
type served struct {
	ofEnvironment map[string]pool.Pool
	// ofID has several pools if environments share an identity pool.
	ofID map[string][]pool.Pool
	// ids are the keys of ofID in order.
	ids []string
}

// New makes identity pools without environments; Apply sets them.
func New(o Options) (*Pools, error) {
	p := &Pools{options: o}
	p.Apply(nil)
	return p, nil
}

// Apply sets which pools there are. Environments whose pools have the same id share it: identities and
// credentials of one are valid in the other. If a request names no environment, the first one decides about
// guests. Identities of removed pools stay in the file.
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

var errNoGuests = wire.Refuse("NotAuthorizedException",
	"Unauthenticated access is not supported for this identity pool.")

// ofEnvironment is the pool of an environment.
func (p *Pools) ofEnvironment(environment string) (pool.Pool, error) {
	found, ok := p.served.Load().ofEnvironment[environment]
	if !ok {
		return pool.Pool{},
			wire.Refuse("ResourceNotFoundException", "The environment %s has no identity pool.", phrase.Quote(environment))
	}
	return found, nil
}

// ofID are the pools of the environments that share an identity pool, at least one. The id
// is a client's.
func (p *Pools) ofID(id string) ([]pool.Pool, error) {
	found := p.served.Load().ofID[id]
	if len(found) == 0 {
		return nil, wire.Refuse("ResourceNotFoundException", "IdentityPool '%s' not found.", id)
	}
	return found, nil
}

// provider is the user pool's name as a provider of an identity pool.
func provider(cfg pool.Pool) string {
	region, _, found := strings.Cut(cfg.UserPoolID, "_")
	if !found {
		region = cfg.Region
	}
	return "cognito-idp." + cmp.Or(region, cfg.Region) + ".amazonaws.com/" + cfg.UserPoolID
}
