package userpool

import (
	"slices"
	"strings"

	"gatewright/sandbox/identity/pool"
	"gatewright/sandbox/identity/wire"
)

// addressAttributes are those that a user can be known by and be written to.
var addressAttributes = []string{"email", "phone_number"}

// naming is how the users of a pool are called (`username_attributes` of the specification).
type nameRules struct {
	// addresses are the attributes that users sign in with.
	addresses []string
	// free says that users choose a name, and addresses that are verified mean them too; without it an address is the only name, and the
	// pool calls the user by the sub.
	chosenName bool
}

func nameRulesOf(cfg pool.Pool) nameRules {
	n := nameRules{chosenName: true}
	if cfg.Definition == nil {
		return n
	}
	listed := cfg.Definition.UsernameAttributes
	for _, attribute := range addressAttributes {
		if slices.Contains(listed, attribute) {
			n.addresses = append(n.addresses, attribute)
		}
	}
	n.chosenName = len(n.addresses) == 0 || slices.Contains(listed, "username")
	return n
}

// String is what the indexes of a pool were made by.
func (n nameRules) String() string {
	if n.chosenName {
		return "username " + strings.Join(n.addresses, " ")
	}
	return strings.Join(n.addresses, " ")
}

// address is the attribute that a user name is the value of, in a pool whose users have no other names.
func (n nameRules) address(username string) (attribute string, err error) {
	email, phone := slices.Contains(n.addresses, "email"), slices.Contains(n.addresses, "phone_number")
	switch {
	case email && isEmail(username):
		return "email", nil
	case phone && isPhone(username):
		return "phone_number", nil
	case email && phone:
		return "", invalid("Username should be either an email or a phone number.")
	case email:
		return "", invalid("Username should be an email.")
	}
	return "", invalid("Username should be a phone number.")
}

// checkFree refuses a name that could be taken for somebody's address.
func (n nameRules) checkFree(username string) error {
	switch {
	case slices.Contains(n.addresses, "email") && isEmail(username):
		return invalid("Username cannot be of email format, since user pool is configured for email alias.")
	case slices.Contains(n.addresses, "phone_number") && isPhone(username):
		return invalid("Username cannot be of phone number format, since user pool is configured for phone number alias.")
	}
	return nil
}

// aliases are the keys by which a user is to be found beside the name.
func (n nameRules) aliases(u *user) []string {
	var keys []string
	for _, attribute := range n.addresses {
		value := u.Attributes[attribute]
		if value != "" && (!n.chosenName || u.Attributes[attribute+"_verified"] == "true") {
			keys = append(keys, aliasKey(attribute, value))
		}
	}
	return keys
}

func aliasKey(attribute, address string) string { return attribute + "\x00" + fold(address) }

// indexAliases has a user found by the addresses that are the user's now, and by no other. The error is AliasExistsException.
func (r records) indexAliases(u *user) error {
	wanted := nameRulesOf(r.pool).aliases(u)
	for _, key := range wanted {
		if sub := r.get(aliasesBucket, key); sub != nil && string(sub) != u.Sub {
			return aliasTaken(key)
		}
	}
	for _, key := range u.Aliases {
		if !slices.Contains(wanted, key) {
			if err := r.remove(aliasesBucket, key); err != nil {
				return err
			}
		}
	}
	for _, key := range wanted {
		if err := r.put(aliasesBucket, key, []byte(u.Sub)); err != nil {
			return err
		}
	}
	u.Aliases = wanted
	return nil
}

func aliasTaken(key string) error {
	return wire.Refuse("AliasExistsException", "An account with the given %s already exists.", strings.TrimSuffix(attributeOf(key), "_number"))
}

// attributeOf is the attribute of an alias's key.
func attributeOf(key string) string {
	attribute, _, _ := strings.Cut(key, "\x00")
	return attribute
}

// indexAgain indexes all users where the rules about names have changed. The cloud has no such change: there it is another pool. Of
// users with one address the one who was made first keeps it.
func (r records) reindex() error {
	rules := nameRulesOf(r.pool).String()
	if string(r.bucket.Get(rulesKey)) == rules {
		return nil
	}
	var all []*user
	var damaged error
	r.forEach(usersBucket, "", func(_ string, value []byte) bool {
		u := new(user)
		if damaged = r.parse(usersBucket, value, u); damaged != nil {
			return false
		}
		all = append(all, u)
		return true
	})
	if damaged != nil {
		return damaged
	}
	slices.SortFunc(all, func(a, b *user) int { return a.Created.Compare(b.Created) })
	if err := r.bucket.DeleteBucket(aliasesBucket); err != nil {
		return err
	}
	if _, err := r.bucket.CreateBucket(aliasesBucket); err != nil {
		return err
	}
	for _, u := range all {
		u.Aliases = nil
		wanted := nameRulesOf(r.pool).aliases(u)
		for _, key := range wanted {
			if r.get(aliasesBucket, key) == nil {
				u.Aliases = append(u.Aliases, key)
				if err := r.put(aliasesBucket, key, []byte(u.Sub)); err != nil {
					return err
				}
			}
		}
		if err := r.write(usersBucket, u.Sub, u); err != nil {
			return err
		}
	}
	return r.bucket.Put(rulesKey, []byte(rules))
}
