// Package userpool serves the user pools of Amazon Cognito, with the operations, inputs, outputs, error codes
// and messages that clients know.
//
// Pools are all user pools of a sandbox. Apply sets which pools there are and their rules. One file holds
// users, sessions and unfinished sign-ins: every change is on the disk before it is acknowledged, and no
// state in memory can contradict it. The file has a salt and an SRP verifier (RFC 5054) of each password, and
// hashes of codes and refresh tokens.
//
// Callers decide who may call an operation: IsPublic says which ones the cloud serves without a signature.
//
// A new operation is a row of the table in operation.go: its input with a check, and what it does inside one
// transaction of the file. Limits and messages are Cognito's. Nothing is kept outside of the file: a sign-out
// counts from the next request on.
package userpool

import (
	"errors"
	"hash/maphash"
	"reflect"
	"sync"
	"sync/atomic"
	"time"

	"gatewright/sandbox/identity/file"
	"gatewright/sandbox/identity/pool"
	"gatewright/sandbox/identity/token"
	"gatewright/sandbox/identity/userpool/record"
	"gatewright/sandbox/identity/wire"
)

// The purposes of messages.
const (
	PurposeSignUp    = "sign-up"
	PurposeReset     = "password reset"
	PurposeSignIn    = "sign-in"
	PurposeAttribute = "attribute"
	// PurposeTemporary is an invitation to a user that an administrator created. Its Code
	// is the temporary password.
	PurposeTemporary = "temporary password"
)

// The delivery media of messages.
const (
	mediumEmail = "EMAIL"
	mediumSMS   = "SMS"
)

// Message is a message with a code that the cloud would send to a user. Names and addresses
// are as clients sent them, not safe for a terminal.
type Message struct {
	Environment, UserPoolID, User, Purpose string
	// Medium is EMAIL or SMS.
	Medium string
	// To is the address; "" if the user has none.
	To string
	// Code is six digits, or a temporary password.
	Code string
	// Undeliverable says that the cloud would not send the message: the user has no such
	// address, or it is not verified and has to be.
	Undeliverable bool
	// Subject and Text are what a function wrote; Text has the code. Note says why what it
	// wrote is not used.
	Subject, Text, Note string

	// attributes are the user's, for the function that writes the message.
	attributes map[string]string
}

// Options configure Pools.
type Options struct {
	// DB is the file. It must sync every change to the disk, as bbolt does by default.
	DB file.DB
	// Keys sign tokens and hash codes.
	Keys *token.Keys
	// Now is the clock.
	Now func() time.Time
	// Issuer is the claim iss in tokens of a user pool. It must end with "/" and the pool's
	// id.
	Issuer func(userPoolID string) string
	// Deliver receives each message after its code is stored; it may be nil.
	Deliver func(Message)
	// Call calls a trigger's function with its event and returns what the function
	// returned. The error is a *FunctionError if the function failed, and matches
	// ErrNoAnswer or ErrNoFunction. Without Call, no trigger is called.
	Call func(TriggerCall) ([]byte, error)
}

// Pools are the user pools of all environments. They may be used by many goroutines at once.
type Pools struct {
	options Options
	served  atomic.Pointer[served]
	// passwordLocks let only one password of a user be checked at a time, so that parallel
	// requests cannot avoid the delay.
	passwordLocks [64]sync.Mutex
	seed          maphash.Seed
}

// served is which pools there are. It is never changed.
type served struct {
	order   []pool.Pool
	byID    map[string]pool.Pool
	clients map[string]pool.Pool
}

// New opens the user pools in a file. The error is about a file in another version's format.
func New(o Options) (*Pools, error) {
	if o.DB == nil || o.Keys == nil || o.Now == nil || o.Issuer == nil {
		return nil, errors.New("user pools need a file, keys, a clock and an issuer")
	}
	if o.Deliver == nil {
		o.Deliver = func(Message) {}
	}
	p := &Pools{options: o, seed: maphash.MakeSeed()}
	p.served.Store(&served{})
	return p, record.CheckFormat(p.options.DB)
}

// Apply sets which pools there are. Data of removed pools stays in the file. If
// environments share a user pool, the rules of the first one count.
func (p *Pools) Apply(pools []pool.Pool) {
	next := &served{byID: make(map[string]pool.Pool), clients: make(map[string]pool.Pool)}
	for _, each := range pools {
		if p.options.Call == nil {
			each.Triggers = nil
		}
		if _, found := next.byID[each.UserPoolID]; !found {
			next.byID[each.UserPoolID] = each
			next.order = append(next.order, each)
		}
		for _, id := range each.Clients() {
			if _, found := next.clients[id]; !found {
				next.clients[id] = each
			}
		}
	}
	p.served.Store(next)
	for _, each := range next.order {
		// If this fails, the next change of the pool tries again.
		_ = p.reindexIfStale(each)
	}
}

// Has reports whether there is a user pool with this id.
func (p *Pools) Has(userPoolID string) bool {
	_, found := p.served.Load().byID[userPoolID]
	return found
}

// PoolOfClient is the pool that an app client belongs to.
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

// poolNamed is the pool that an input names: by its id, by that of a client, or by both.
func (p *Pools) poolNamed(in reflect.Value) (pool.Pool, error) {
	text := func(name string) string {
		if field := in.FieldByName(name); field.IsValid() {
			return field.String()
		}
		return ""
	}
	id, client := text("UserPoolID"), text("ClientID")
	if id == "" {
		return p.poolOfClient(client)
	}
	cfg, err := p.poolOf(id)
	if err == nil && client != "" && !p.hasClient(id, client) {
		err = wire.Refuse("ResourceNotFoundException", "User pool client %s does not exist.", client)
	}
	return cfg, err
}

func (p *Pools) poolOfClient(clientID string) (pool.Pool, error) {
	cfg, found := p.PoolOfClient(clientID)
	if !found {
		return cfg, wire.Refuse("ResourceNotFoundException", "User pool client %s does not exist.", clientID)
	}
	return cfg, nil
}

// hasClient reports whether an app client belongs to a user pool.
func (p *Pools) hasClient(userPoolID, clientID string) bool {
	cfg, found := p.PoolOfClient(clientID)
	return found && cfg.UserPoolID == userPoolID
}

func (p *Pools) now() time.Time { return p.options.Now().UTC() }

// passwordLock is held while a password is checked.
func (p *Pools) passwordLock(userPoolID, key string) *sync.Mutex {
	sum := maphash.String(p.seed, userPoolID+"\x00"+key)
	return &p.passwordLocks[sum%uint64(len(p.passwordLocks))]
}

// view reads in one transaction.
func (p *Pools) view(cfg pool.Pool, read func(r record.Records) error) error {
	return record.View(p.options.DB, cfg, p.now, read)
}

// update changes the file in one transaction, and returns when that is on the disk. An
// error rolls the change back, unless it is a record.CommittedError.
func (p *Pools) update(cfg pool.Pool, change func(r record.Records) error) error {
	return record.Update(p.options.DB, cfg, p.now, change)
}

// reindexIfStale updates the indexes of a pool whose name rules have changed.
func (p *Pools) reindexIfStale(cfg pool.Pool) error {
	stale := false
	err := p.view(cfg, func(r record.Records) error {
		stale = r.IsStale()
		return nil
	})
	if err != nil || !stale {
		return err
	}
	return p.update(cfg, func(record.Records) error { return nil })
}
