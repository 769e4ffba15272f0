package userpool

import (
	"strings"
	"time"

	"gatewright/sandbox/pages"

	"gatewright/sandbox/identity/pool"
	"gatewright/sandbox/identity/wire"
)

// The states of users (UserStatusType of the cloud's API).
const (
	statusUnconfirmed = "UNCONFIRMED"
	statusConfirmed   = "CONFIRMED"
	statusReset       = "RESET_REQUIRED"
	statusForced      = "FORCE_CHANGE_PASSWORD"
)

// user is the record of a user in the file.
type user struct {
	// Pool is the ID of the user pool, "" in what older versions wrote.
	Pool     string    `json:"pool,omitempty"`
	Sub      string    `json:"sub"`
	Name     string    `json:"name"`
	Status   string    `json:"status"`
	Disabled bool      `json:"disabled,omitzero"`
	Created  time.Time `json:"created"`
	Modified time.Time `json:"modified"`
	// Attributes exclude sub.
	Attributes map[string]string `json:"attributes"`
	// Aliases are the user's keys in aliasesBucket.
	Aliases []string `json:"aliases,omitempty"`
	// Groups may include groups that the project no longer has.
	Groups   []string `json:"groups,omitempty"`
	Salt     []byte   `json:"salt,omitempty"`
	Verifier []byte   `json:"verifier,omitempty"`
	// TemporaryUntil is when a temporary password expires.
	TemporaryUntil time.Time `json:"temporaryUntil,omitzero"`
	// Codes are the codes that were sent, by purpose.
	Codes map[string]code `json:"codes,omitempty"`
	MFA   factors         `json:"mfa,omitzero"`
}

// User is a user of a pool.
type User struct {
	// Sub is the user's unique id, a UUID. Name is the user name in tokens.
	Sub, Name string
	// Groups are the user's groups in order of precedence.
	Groups  []string
	Enabled bool
	// Status is the cloud's, such as CONFIRMED.
	Status string
	// Attributes include sub.
	Attributes        map[string]string
	Created, Modified time.Time
	// Factors are the second factors that the user has set up, such as SOFTWARE_TOKEN_MFA;
	// PreferredFactor is the one that is asked for, "" for none.
	Factors         []string
	PreferredFactor string
}

var errNoUser = wire.Refuse("UserNotFoundException", "User does not exist.")

// User finds a user by user name, alias or sub. The errors are ResourceNotFoundException
// and UserNotFoundException.
func (p *Pools) User(userPoolID, name string) (User, error) {
	cfg, err := p.poolOf(userPoolID)
	if err != nil {
		return User{}, err
	}
	var found *user
	if err := p.view(cfg, func(r records) (err error) {
		found, err = r.mustFind(name)
		return err
	}); err != nil {
		return User{}, err
	}
	return exportUser(found, cfg), nil
}

// Roster is everybody in a user pool at one moment.
type Roster struct {
	Users []User
	// Groups are the groups of the pool in order of precedence.
	Groups []string
}

// Roster reads all users of a pool at once, in an arbitrary order. The error is
// ResourceNotFoundException if there is no such pool.
func (p *Pools) Roster(userPoolID string) (Roster, error) {
	cfg, err := p.poolOf(userPoolID)
	if err != nil {
		return Roster{}, err
	}
	all := Roster{Groups: cfg.Groups}
	err = p.view(cfg, func(r records) error {
		all.Users, err = allUsers(r)
		return err
	})
	return all, err
}

// ReadUsers reads all users of a pool from a file that is not served, in an arbitrary order.
func ReadUsers(tx *pages.Tx, cfg pool.Pool) ([]User, error) {
	root := tx.Bucket(rootBucket)
	if root == nil {
		return nil, nil
	}
	if err := checkVersion(root, tx.Path()); err != nil {
		return nil, err
	}
	return allUsers(records{pool: cfg, bucket: root.Bucket([]byte(cfg.UserPoolID))})
}

// allUsers are the users of the pool.
func allUsers(r records) (users []User, err error) {
	if r.bucket == nil {
		return nil, nil
	}
	err = r.bucket.Bucket(usersBucket).ForEach(func(_, value []byte) error {
		u := new(user)
		if err := r.parse(usersBucket, value, u); err != nil {
			return err
		}
		users = append(users, exportUser(u, r.pool))
		return nil
	})
	return users, err
}

func exportUser(u *user, cfg pool.Pool) User {
	user := User{
		Sub: u.Sub, Name: u.Name, Groups: cfg.GroupsOf(u.Groups), Enabled: !u.Disabled, Status: u.Status, Attributes: make(map[string]string, len(u.Attributes)+1),
		Created: u.Created, Modified: u.Modified, Factors: factorNames(u.MFA.SMS, u.MFA.TOTP), PreferredFactor: u.MFA.Preferred,
	}
	for name, value := range u.Attributes {
		user.Attributes[name] = value
	}
	user.Attributes["sub"] = u.Sub
	return user
}

// bySub is the user with an id, or nil.
func (r records) bySub(sub string) (*user, error) {
	u := new(user)
	if found, err := r.read(usersBucket, sub, u); !found {
		return nil, err
	}
	return u, nil
}

// find is the user with a user name, sub or alias, regardless of case, or nil.
func (r records) find(name string) (*user, error) {
	folded := fold(name)
	if sub := r.get(namesBucket, folded); sub != nil {
		return r.bySub(string(sub))
	}
	if u, err := r.bySub(folded); u != nil || err != nil {
		return u, err
	}
	for _, attribute := range addressAttributes {
		if sub := r.get(aliasesBucket, aliasKey(attribute, name)); sub != nil {
			return r.bySub(string(sub))
		}
	}
	return nil, nil
}

func (r records) mustFind(name string) (*user, error) {
	u, err := r.find(name)
	if u == nil && err == nil {
		err = errNoUser
	}
	return u, err
}

// addUser stores a new user, whose name must be free.
func (r records) addUser(u *user) error {
	u.Created = r.now
	if u.Name != u.Sub {
		if err := r.put(namesBucket, fold(u.Name), []byte(u.Sub)); err != nil {
			return err
		}
	}
	return r.saveAndIndex(u)
}

// saveAndIndex stores a user whose addresses may have changed. The error is
// AliasExistsException if one to sign in with is another user's.
func (r records) saveAndIndex(u *user) error {
	if err := r.indexAliases(u); err != nil {
		return err
	}
	return r.saveUser(u)
}

// saveUser stores a user whose addresses have not changed.
func (r records) saveUser(u *user) error {
	u.Modified = r.now
	return r.writeUser(u)
}

// deleteUser deletes a user and everything about the user.
func (r records) deleteUser(u *user) error {
	for _, alias := range u.Aliases {
		if err := r.remove(aliasesBucket, alias); err != nil {
			return err
		}
	}
	if u.Name != u.Sub {
		if err := r.remove(namesBucket, fold(u.Name)); err != nil {
			return err
		}
	}
	for _, t := range []failureKey{passwordFailuresOf(u.Sub), codeFailuresOf(u.Sub)} {
		if err := r.clearFailures(t); err != nil {
			return err
		}
	}
	if err := r.dropSessions(u.Sub); err != nil {
		return err
	}
	return r.remove(usersBucket, u.Sub)
}

// fold makes names comparable: user pools of the cloud ignore case by default.
func fold(name string) string { return strings.ToLower(name) }
