// Package userpool is the user pools of Amazon Cognito as their clients see them: the same operations, inputs, outputs, codes and
// messages, over one file.
//
// Pools has them all. Which there are and what their rules say comes from Apply; users, sessions and half-finished sign-ins are in the
// file, every change of them on the disk before it is acknowledged, and nothing is remembered beside the file that another change has to
// end. Passwords are not kept: a salt and an SRP verifier are (RFC 5054). Of codes and refresh tokens only hashes are there.
//
// Who may ask for which operation is the caller's affair: IsPublic says which the cloud serves without a signature.
package userpool

import (
	"errors"
	"hash/maphash"
	"sync"
	"sync/atomic"
	"time"

	"gatewright/sandbox/identity/file"
	"gatewright/sandbox/identity/pool"
	"gatewright/sandbox/identity/token"
	"gatewright/sandbox/identity/wire"
)

// What a Message is for.
const (
	PurposeSignUp    = "sign-up"
	PurposeReset     = "password reset"
	PurposeSignIn    = "sign-in"
	PurposeAttribute = "attribute"
	// PurposeTemporary is that of the message to a user whom an administrator made: its Code is the temporary password.
	PurposeTemporary = "temporary password"
)

// How a Message travels.
const (
	mediumEmail = "EMAIL"
	mediumSMS   = "SMS"
)

// Message is what the cloud would send to somebody: a code. Names and addresses are as they came from the network.
type Message struct {
	Environment, UserPoolID, User, Purpose string
	// Medium is EMAIL or SMS.
	Medium string
	// To is the address; "" where the user has none.
	To string
	// Code is six digits, or a temporary password.
	Code string
	// Undeliverable says that the cloud would send nothing: the user has no such address, or none that is verified where that is wanted.
	Undeliverable bool
}

// Options say what Pools work with.
type Options struct {
	// DB is the file. It has to put every change on the disk, as it does unless told otherwise.
	DB file.DB
	// Keys sign tokens, and have the secrets that codes are hashed with.
	Keys *token.Keys
	// Now is the clock.
	Now func() time.Time
	// Issuer is what the tokens of a user pool say as iss; it has to end with "/" and the pool's id.
	Issuer func(userPoolID string) string
	// Deliver is told each code, after it is kept; it may be nil.
	Deliver func(Message)
}

// Pools are the user pools of all environments. They may be used by many goroutines at once.
type Pools struct {
	options Options
	served  atomic.Pointer[served]
	// turns let one password of a user be looked at after the other, so that many at once are no way around the waiting.
	passwordLocks [64]sync.Mutex
	seed          maphash.Seed
}

// served is which pools there are. It is never changed.
type served struct {
	order   []pool.Pool
	byID    map[string]pool.Pool
	clients map[string]pool.Pool
}

// New gives the user pools of a file. The error is that of a file that another version of this program wrote.
func New(o Options) (*Pools, error) {
	if o.DB == nil || o.Keys == nil || o.Now == nil || o.Issuer == nil {
		return nil, errors.New("user pools need a file, keys, a clock and an issuer")
	}
	if o.Deliver == nil {
		o.Deliver = func(Message) {}
	}
	p := &Pools{options: o, seed: maphash.MakeSeed()}
	p.served.Store(&served{})
	return p, p.checkFormat()
}

// Apply says which pools there are from now on. What a pool that is gone had is kept. Of environments that share a user pool the first
// says its rules.
func (p *Pools) Apply(pools []pool.Pool) {
	next := &served{byID: make(map[string]pool.Pool), clients: make(map[string]pool.Pool)}
	for _, each := range pools {
		if _, found := next.byID[each.UserPoolID]; !found {
			next.byID[each.UserPoolID] = each
			next.order = append(next.order, each)
		}
		if _, found := next.clients[each.ClientID]; !found {
			next.clients[each.ClientID] = each
		}
	}
	p.served.Store(next)
	for _, each := range next.order {
		// Where this fails the next change tries it again.
		_ = p.reindexIfStale(each)
	}
}

// Has reports whether there is a user pool of this id.
func (p *Pools) Has(userPoolID string) bool {
	_, found := p.served.Load().byID[userPoolID]
	return found
}

// PoolOfClient is the pool that a client belongs to.
func (p *Pools) PoolOfClient(clientID string) (pool.Pool, bool) {
	cfg, found := p.served.Load().clients[clientID]
	return cfg, found
}

func (p *Pools) poolOf(userPoolID string) (pool.Pool, error) {
	cfg, found := p.served.Load().byID[userPoolID]
	if !found {
		return cfg, wire.Refuse("ResourceNotFoundException", "User pool %s does not exist.", userPoolID)
	}
	return cfg, nil
}

func (p *Pools) poolOfClient(clientID string) (pool.Pool, error) {
	cfg, found := p.PoolOfClient(clientID)
	if !found {
		return cfg, wire.Refuse("ResourceNotFoundException", "User pool client %s does not exist.", clientID)
	}
	return cfg, nil
}

// hasClient reports whether a client is one of a user pool.
func (p *Pools) hasClient(userPoolID, clientID string) bool {
	cfg, found := p.PoolOfClient(clientID)
	return found && cfg.UserPoolID == userPoolID
}

func (p *Pools) now() time.Time { return p.options.Now().UTC() }

// turn is held while a password of somebody is looked at.
func (p *Pools) passwordLock(userPoolID, key string) *sync.Mutex {
	sum := maphash.String(p.seed, userPoolID+"\x00"+key)
	return &p.passwordLocks[sum%uint64(len(p.passwordLocks))]
}

// deliver tells of messages that are kept by now.
func (p *Pools) deliver(messages ...*Message) {
	for _, m := range messages {
		if m != nil {
			p.options.Deliver(*m)
		}
	}
}
