package identitypool

import (
	"crypto/sha256"
	"encoding/base32"

	"gatewright/model/access"
	"gatewright/sandbox/identity/pool"
	"gatewright/sandbox/identity/userpool"
)

// sessionName is the cloud's name for role sessions of an identity pool.
const sessionName = "CognitoIdentityCredentials"

// Session is the identity of the client that sends a request.
type Session struct {
	// AccessKeyID and Secret are the credentials. Both are empty for Anonymous and Bearer.
	AccessKeyID, Secret string
	// Pool is the pool of the environment that the request is for.
	Pool       pool.Pool
	IdentityID string
	// SignedIn is false for a guest. User is the user's current state; of a member of a group
	// without a user (Mint) it has only Sub.
	SignedIn bool
	User     userpool.User
	// Groups are the user's groups when the credentials were made. For a role that was
	// requested by its ARN, they are only the group of the role.
	Groups []string
	// Principal is the role that a member of Groups has now.
	Principal access.Principal
}

// Provider is cognitoAuthenticationProvider in the event; "" for a guest.
func (s Session) Provider() string {
	if !s.SignedIn {
		return ""
	}
	from := provider(s.Pool)
	return from + "," + from + ":CognitoSignIn:" + s.User.Sub
}

// Role is the name of the session's role.
func (s Session) Role() string { return s.Pool.RoleName(s.Principal) }

// UserARN is the ARN of the role session, userArn in the event.
func (s Session) UserARN() string {
	return "arn:aws:sts::" + s.Pool.AccountID + ":assumed-role/" + s.Role() + "/" + sessionName
}

// UserID is the id of the role session, user in the event: always the same for a role.
func (s Session) UserID() string {
	sum := sha256.Sum256([]byte(s.Pool.RoleARN(s.Principal)))
	return "AROA" + base32.StdEncoding.EncodeToString(sum[:])[:16] + ":" + sessionName
}

// guestSession is a guest's session. signIn makes it a user's.
func guestSession(cfg pool.Pool, identityID string) Session {
	return Session{Pool: cfg, IdentityID: identityID, Principal: access.Principal{Kind: access.Guest}}
}

// signIn makes the session a signed-in user's, who is a member of groups.
func (s *Session) signIn(user userpool.User, groups []string) {
	s.SignedIn, s.User, s.Groups = true, user, groups
	s.Principal = s.Pool.Principal(groups)
}
