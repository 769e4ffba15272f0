package userpool

import (
	"maps"
	"time"

	"gatewright/sandbox/pages"

	"gatewright/sandbox/identity/pool"
	"gatewright/sandbox/identity/userpool/record"
)

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

// User finds a user by user name, alias or sub. The errors are ResourceNotFoundException
// and UserNotFoundException.
func (p *Pools) User(userPoolID, name string) (User, error) {
	cfg, err := p.poolOf(userPoolID)
	if err != nil {
		return User{}, err
	}
	found, err := p.mustFind(cfg, name)
	if err != nil {
		return User{}, err
	}
	return exportUser(found, cfg), nil
}

// mustFind finds a user of a pool as Records.MustFind does.
func (p *Pools) mustFind(cfg pool.Pool, name string) (u *record.User, err error) {
	err = p.view(cfg, func(r record.Records) (err error) {
		u, err = r.MustFind(name)
		return err
	})
	return u, err
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
	err = p.view(cfg, func(r record.Records) error {
		all.Users, err = allUsers(r)
		return err
	})
	return all, err
}

// ReadUsers reads all users of a pool from a file that is not served, in an arbitrary order.
func ReadUsers(tx *pages.Tx, cfg pool.Pool) ([]User, error) {
	root := tx.Bucket(record.RootBucket)
	if root == nil {
		return nil, nil
	}
	if err := record.CheckVersion(root, tx.Path()); err != nil {
		return nil, err
	}
	return allUsers(record.Records{Pool: cfg, Bucket: root.Bucket([]byte(cfg.UserPoolID))})
}

// allUsers are the users of the pool.
func allUsers(r record.Records) (users []User, err error) {
	err = r.Search(record.Search{}, "", func(u *record.User, _ string) bool {
		users = append(users, exportUser(u, r.Pool))
		return true
	})
	return users, err
}

func exportUser(u *record.User, cfg pool.Pool) User {
	user := User{
		Sub: u.Sub, Name: u.Name, Groups: cfg.GroupsOf(u.Groups), Enabled: !u.Disabled, Status: u.Status,
		Attributes: make(map[string]string, len(u.Attributes)+1),
		Created:    u.Created, Modified: u.Modified, Factors: factorNames(u.MFA.SMS, u.MFA.TOTP),
		PreferredFactor: u.MFA.Preferred,
	}
	maps.Copy(user.Attributes, u.Attributes)
	user.Attributes["sub"] = u.Sub
	return user
}
