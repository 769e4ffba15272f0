// Package assertion reads access tests, which are sentences such as "guests never DELETE" or "nobody but Admins under
// /admin", and decides them with [model.Router.Decide] for every caller and every kind of request. It does no I/O.
package assertion

// claim is what a sentence says of its callers.
type claim uint8

const (
	// may says that the callers may send every request that is served.
	may claim = iota
	// never says that they may send none of them.
	never
	// mayOnly says that they may send no other requests.
	mayOnly
	// notOpen says that no path is open to everybody.
	notOpen
	// needSignIn says that guests may call no path.
	needSignIn
	// noMore says that the callers may send no request that others may not.
	noMore
	// count says how many paths are open, or let callers in.
	count
)

// Statement is an access test, read.
type Statement struct {
	claim   claim
	callers callers
	// methods are the HTTP methods; nil for all that need a grant. without are those that the callers
	// may not send although they may send the others.
	methods, without []string
	// updates says that the methods are those of an action that is named: PUT is then PATCH too.
	updates bool
	// least and most are how many paths there may be.
	least, most int
	// others are those with whom the callers are compared.
	others callers
	// where are the requests that are meant, all if it is nil; except are those that are not.
	where, except []place
	// api, function and environment are those that the sentence names; "" for none.
	api, function, environment string
	// Because is what the sentence says the test is for; "" for nothing.
	Because string
}

// Counts reports whether the test is about how many paths there are.
func (s Statement) Counts() bool { return s.claim == count }

// callers are those whom a sentence is about.
type callers struct {
	guests, users, groupless bool
	groups                   []string
	// together are the groups of members of several.
	together [][]string
	// words are the words of the sentence that could also be the name of a group.
	words []string
	// but are those who are left out.
	but *callers
}

// sides are the callers and those who are left out.
func (c callers) sides() []callers {
	if c.but == nil {
		return []callers{c}
	}
	return []callers{c, *c.but}
}

// everybody are all callers.
func everybody() callers { return callers{guests: true, users: true} }
