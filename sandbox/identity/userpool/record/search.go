package record

import (
	"errors"
	"slices"
	"strings"

	"gatewright/sandbox/pages"
)

// Searchable are the attributes that a filter of ListUsers may name. True ones are compared
// without regard to case. The cloud does not search custom attributes either.
var Searchable = map[string]bool{
	"username": true, "email": true, "preferred_username": true, "cognito:user_status": true, "status": true,
	"phone_number": false, "name": false, "given_name": false, "family_name": false, "sub": false,
}

// Search is which users are listed: those whose Attribute is Value, or begins with it. No
// Attribute is everybody, and Membership is the group that a user is in.
type Search struct {
	Attribute, Value string
	Begins           bool
}

// Membership is no attribute of a user, so that no filter names it.
const Membership = "group of"

// longestSearched is the most bytes of a value in an index: no filter is longer.
const longestSearched = 1024

// searchMark begins the rules of a pool whose users are in searchBucket. An older program, which
// leaves that bucket as it is, replaces the rules with its first change.
const searchMark = "search "

// ErrPlace is the error for a place in another list.
var ErrPlace = errors.New("the place is that of another list")

// Holds reports whether a user is one of those.
func (s Search) Holds(u *User) bool {
	return s.Attribute == "" || slices.ContainsFunc(searched(u, s.Attribute), func(has string) bool {
		return has == s.Value || s.Begins && strings.HasPrefix(has, s.Value)
	})
}

// searched are a user's values of what is searched: at most one, except of groups.
func searched(u *User, attribute string) []string {
	value, known := "", true
	switch attribute {
	case Membership:
		return u.Groups
	case "username":
		value = u.Name
	case "sub":
		value = u.Sub
	case "cognito:user_status":
		value = u.Status
	case "status":
		if value = "Enabled"; u.Disabled {
			value = "Disabled"
		}
	default:
		value, known = u.Attributes[attribute]
	}
	switch {
	case !known:
		return nil
	case Searchable[attribute]:
		value = Fold(value)
	}
	return []string{value}
}

// searchKeys are the keys of a user, who may be nil, in searchBucket.
func searchKeys(u *User) map[string]bool {
	keys := make(map[string]bool)
	if u == nil {
		return keys
	}
	add := func(attribute string) {
		for _, value := range searched(u, attribute) {
			keys[attribute+"\x00"+value[:min(len(value), longestSearched)]+"\x00"+u.Sub] = true
		}
	}
	for attribute := range Searchable {
		add(attribute)
	}
	add(Membership)
	return keys
}

// indexSearch changes the entries of a user. No user was before one who is added, and is after
// one who is deleted. The bucket's sequence counts the users.
func (r Records) indexSearch(before, after *User) error {
	b := r.Bucket.Bucket(searchBucket)
	was, is := searchKeys(before), searchKeys(after)
	for key := range was {
		if !is[key] {
			if err := b.Delete([]byte(key)); err != nil {
				return err
			}
		}
	}
	for key := range is {
		if !was[key] {
			if err := b.Put([]byte(key), nil); err != nil {
				return err
			}
		}
	}
	switch {
	case before == nil:
		return b.SetSequence(b.Sequence() + 1)
	case after == nil:
		return b.SetSequence(b.Sequence() - 1)
	}
	return nil
}

// index is the bucket to search in, nil if an older program has made changes since.
func index(b *pages.Bucket) *pages.Bucket {
	if b == nil || !strings.HasPrefix(string(b.Get(rulesKey)), searchMark) {
		return nil
	}
	return b.Bucket(searchBucket)
}

// Count is the number of users.
func (r Records) Count() int {
	if b := index(r.Bucket); b != nil {
		return int(b.Sequence())
	}
	return r.Bucket.Bucket(UsersBucket).Len()
}

// Search calls take for the users that a search finds, behind a place if it is not "", until take
// returns false. The place of a user is the sub; where the values differ, the value is before it.
func (r Records) Search(s Search, behind string, take func(u *User, place string) (more bool)) error {
	if r.Bucket == nil {
		return nil
	}
	users, prefix := r.Bucket.Bucket(UsersBucket), ""
	list := users
	valued := strings.Contains(behind, "\x00")
	if b := index(r.Bucket); b != nil && s.Attribute != "" && (behind == "" || valued == s.Begins) {
		list, prefix, valued = b, s.Attribute+"\x00", s.Begins
		if !valued {
			prefix += s.Value + "\x00"
		}
	} else if valued {
		return ErrPlace
	}
	from, within := prefix+behind, prefix
	if list != users && valued {
		within += s.Value
		from = max(from, within)
	}
	cursor := list.Cursor()
	key, value := cursor.Seek([]byte(from))
	if behind != "" && string(key) == from {
		key, value = cursor.Next()
	}
	for ; key != nil && strings.HasPrefix(string(key), within); key, value = cursor.Next() {
		place := string(key[len(prefix):])
		if list != users {
			value = users.Get([]byte(place[strings.LastIndexByte(place, 0)+1:]))
		}
		u := new(User)
		if err := r.Parse(UsersBucket, value, u); err != nil {
			return err
		}
		if s.Holds(u) && !take(u, place) {
			return nil
		}
	}
	return nil
}
