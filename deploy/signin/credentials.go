package signin

import (
	"context"
	"encoding/base64"
	"math"
	"time"

	"gatewright/deploy/account"
	"gatewright/internal/text/phrase"
	"gatewright/model"
)

var rawURL = base64.RawURLEncoding

// Credentials are those of an identity. All but Expires is secret.
type Credentials struct {
	AccessKeyID, SecretKey, SessionToken string
	// Expires is by the clock of AWS.
	Expires time.Time
}

// Get gets credentials of the identity pool for a user who has signed in, or with nil for a guest
// (https://docs.aws.amazon.com/cognito/latest/developerguide/authentication-flow.html). The error is a
// *model.Problem, or that of ctx.
func Get(ctx context.Context, a *account.Account, pools Pools, user *User) (Credentials, error) {
	if pools.Identities == "" {
		return Credentials{},
			problemOf(pools, "was pushed without an identity pool, so nobody gets credentials",
				"leave out --as, or add what needs users and push", nil)
	}
	logins := map[string]string{}
	if user != nil {
		of := a.OfPool(pools.UserPool)
		logins["cognito-idp."+of.Region+"."+of.Suffix()+"/"+pools.UserPool] = user.token
	}
	a = a.OfPool(pools.Identities)
	var identity struct{ IdentityId string }
	err := a.Ask(ctx, account.Identities, "GetId",
		map[string]any{"IdentityPoolId": pools.Identities, "Logins": logins}, &identity)
	if err != nil {
		return Credentials{}, unidentified(pools, user, err)
	}
	var given struct {
		Credentials struct {
			AccessKeyId, SecretKey, SessionToken string
			Expiration                           float64
		}
	}
	err = a.Ask(ctx, account.Identities, "GetCredentialsForIdentity",
		map[string]any{"IdentityId": identity.IdentityId, "Logins": logins}, &given)
	if err != nil {
		return Credentials{}, unidentified(pools, user, err)
	}
	c := given.Credentials
	seconds, part := math.Modf(c.Expiration)
	return Credentials{
		AccessKeyID: c.AccessKeyId, SecretKey: c.SecretKey, SessionToken: c.SessionToken,
		Expires: time.Unix(int64(seconds), int64(part*float64(time.Second))),
	}, nil
}

// unidentified explains why the identity pool gives no credentials.
func unidentified(pools Pools, user *User, err error) error {
	env := model.ShellWord(pools.Environment)
	switch code := account.Code(err); {
	case code == "NotAuthorizedException" && user == nil:
		return problemOf(pools, "guests get no credentials: "+phrase.Quote(account.Message(err)),
			"enable them with: gatewright update auth --unauthenticated-identities-enabled, and push", err)
	case code == "NotAuthorizedException":
		return problemOf(pools, phrase.Quote(user.Name)+" gets no credentials: "+phrase.Quote(account.Message(err)),
			"see what is deployed with: gatewright status --env "+env, err)
	case code == "ResourceNotFoundException":
		return problemOf(pools, "its identity pool no longer exists",
			"see what is deployed with: gatewright status --env "+env, err)
	}
	return err
}
