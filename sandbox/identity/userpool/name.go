package userpool

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"gatewright/sandbox/identity/pool"
	"gatewright/sandbox/identity/wire"
)

// addressAttributes are the attributes that can be names of users and receive messages.
var addressAttributes = []string{"email", "phone_number"}

// nameRules are a pool's rules about the names of users (`username_attributes` of the
// definition).
type nameRules struct {
	// addresses are the attributes that users sign in with.
	addresses []string
	// chosenName says that users choose a user name, and can also sign in with verified
	// addresses. Otherwise an address is the only name, and the sub is the user name.
	chosenName bool
}

// nameRulesOf are the rules of a pool.
func nameRulesOf(cfg pool.Pool) nameRules {
	n := nameRules{chosenName: true}
	if cfg.Definition == nil {
		return n
	}
	names := cfg.Definition.UsernameAttributes
	for _, attribute := range addressAttributes {
		if slices.Contains(names, attribute) {
			n.addresses = append(n.addresses, attribute)
		}
	}
	n.chosenName = len(n.addresses) == 0 || slices.Contains(names, "username")
	return n
}

// String identifies the rules that the indexes were made with.
func (n nameRules) String() string {
	if n.chosenName {
		return "username " + strings.Join(n.addresses, " ")
	}
	return strings.Join(n.addresses, " ")
}

// address is the attribute that a user name is a value of, in a pool without chosen names.
func (n nameRules) address(username string) (attribute string, err error) {
	email, phone := slices.Contains(n.addresses, "email"), slices.Contains(n.addresses, "phone_number")
	switch {
	case email && isEmail(username):
		return "email", nil
	case phone && isPhone(username):
		return "phone_number", nil
	case email && phone:
		return "", wire.Refuse("InvalidParameterException", "Username should be either an email or a phone number.")
	case email:
		return "", wire.Refuse("InvalidParameterException", "Username should be an email.")
	}
	return "", wire.Refuse("InvalidParameterException", "Username should be a phone number.")
}

// checkFree refuses a name that has the form of an address.
func (n nameRules) checkFree(username string) error {
	switch {
	case slices.Contains(n.addresses, "email") && isEmail(username):
		return wire.Refuse("InvalidParameterException", "Username cannot be of email format, since user pool is configured for email alias.")
	case slices.Contains(n.addresses, "phone_number") && isPhone(username):
		return wire.Refuse("InvalidParameterException", "Username cannot be of phone number format, since user pool is configured for phone number alias.")
	}
	return nil
}

// aliases are the keys of a user's addresses in aliasesBucket.
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

// aliasKey is the key of an address in aliasesBucket.
func aliasKey(attribute, address string) string { return attribute + "\x00" + fold(address) }

// indexAliases updates the index of a user's addresses. The error is AliasExistsException.
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

// attributeOf is the attribute of a key in aliasesBucket.
func attributeOf(key string) string {
	attribute, _, _ := strings.Cut(key, "\x00")
	return attribute
}

// reindex indexes the addresses of all users again after a change of the name rules, which
// the cloud does not allow. If several users have the same address, the oldest user keeps
// it.
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
		if err := r.writeUser(u); err != nil {
			return err
		}
	}
	return r.bucket.Put(rulesKey, []byte(rules))
}

// isEmail reports whether a text has the form of an email address.
func isEmail(text string) bool {
	local, domain, found := strings.Cut(text, "@")
	return found && local != "" && domain != "" && !strings.Contains(domain, "@") && isVisible(local) && isVisible(domain)
}

// isPhone reports whether a text is a phone number with a country code (E.164).
func isPhone(text string) bool {
	digits, plus := strings.CutPrefix(text, "+")
	return plus && len(digits) >= 5 && len(digits) <= 15 && isDigits(digits)
}

// isDigits reports whether a text has digits only.
func isDigits(text string) bool {
	return text != "" && !strings.ContainsFunc(text, func(r rune) bool { return r < '0' || r > '9' })
}

// isVisible reports whether a text has only letters, marks, symbols, digits and punctuation.
func isVisible(text string) bool {
	for _, r := range text {
		if !unicode.In(r, unicode.L, unicode.M, unicode.S, unicode.N, unicode.P) || r == utf8.RuneError {
			return false
		}
	}
	return text != ""
}
