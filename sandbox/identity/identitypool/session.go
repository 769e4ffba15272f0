package identitypool

import (
	"crypto/sha256"
	"encoding/base32"

	"gatewright/model"
	"gatewright/sandbox/identity/pool"
	"gatewright/sandbox/identity/userpool"
)

// sessionName is what the cloud calls the sessions of an identity pool's roles.
const sessionName = "CognitoIdentityCredentials"

// Session is who sends a request.
type Session struct {
	// AccessKeyID names the credentials, and Secret is what requests are signed
	// with. Both are empty for who signs nothing: Anonymous, Bearer.
	AccessKeyID, Secret string
	// Pool is that of the environment that was asked.
	Pool       pool.Pool
	IdentityID string
	// SignedIn says that this is no guest. User is the one who signed in, as they
	// are now; of somebody who is only a member of a group (Mint) it has a Sub.
	SignedIn bool
	User     userpool.User
	// Groups are the user's as of when the credentials were given. Of a role that
	// was asked for by its ARN it is the group that the role is of, alone.
	Groups []string
	// Principal is whom the session acts as: the role that a member of Groups has
	// now.
	Principal model.Principal
}

// Provider says where who is signed in comes from, as the event's
// cognitoAuthenticationProvider has it; "" for a guest.
func (s Session) Provider() string {
	if !s.SignedIn {
		return ""
	}
	from := provider(s.Pool)
	return from + "," + from + ":CognitoSignIn:" + s.User.Sub
}

// Role is the name of the session's role.
func (s Session) Role() string { return s.Pool.RoleName(s.Principal) }

// UserARN is the ARN of the session of the role, as the event's userArn has it.
func (s Session) UserARN() string {
	return "arn:aws:sts::" + s.Pool.AccountID + ":assumed-role/" + s.Role() + "/" + sessionName
}

// UserID is the id of the session of the role, as the event's user has it: always
// the same for one role.
func (s Session) UserID() string {
	sum := sha256.Sum256([]byte(s.Pool.RoleARN(s.Principal)))
	return "AROA" + base32.StdEncoding.EncodeToString(sum[:])[:16] + ":" + sessionName
}

// guest is a session of a guest, which as makes one of a user.
func guestSession(cfg pool.Pool, identityID string) Session {
	return Session{Pool: cfg, IdentityID: identityID, Principal: model.Principal{Kind: model.Guest}}
}

// as makes the session a signed-in one of a member of groups.
func (s *Session) signIn(user userpool.User, groups []string) {
	s.SignedIn, s.User, s.Groups = true, user, groups
	s.Principal = s.Pool.Principal(groups)
}
