package signin

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"strings"

	"gatewright/deploy/account"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/sandbox/identity/srp"
)

// Pools are the pools of an environment.
type Pools struct {
	// Environment is the name of the environment, for messages.
	Environment string
	// UserPool, Client and Identities are the ids of the user pool, of its client and of the
	// identity pool; "" for what the environment does not have.
	UserPool, Client, Identities string
}

// ErrRefused is the cause of the error if the pool does not let the user in, or gives no credentials.
var ErrRefused = errors.New("the pool refuses it")

// User is a user who has signed in.
type User struct {
	Name string
	// Groups are those that the token names.
	Groups []string

	// token is the id token. It is a secret.
	token string
}

// step is an answer of the user pool
// (https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_InitiateAuth.html).
type step struct {
	ChallengeName        string
	Session              string
	ChallengeParameters  map[string]string
	AuthenticationResult struct{ IdToken string }
}

// attempt is one sign-in.
type attempt struct {
	account *account.Account
	pools   Pools
	ask     Ask
	// name is what the user signs in with, user the name by which the pool goes on.
	name, user string
}

// mostSteps is how many challenges are answered.
const mostSteps = 8

// SignIn signs a user in without sending the password, and answers what the pool asks then. The
// error is a *model.Problem, or one of ask or ctx.
func SignIn(ctx context.Context, a *account.Account, pools Pools, name string, ask Ask) (*User, error) {
	at := attempt{account: a.OfPool(pools.UserPool), pools: pools, ask: ask, name: name, user: name}
	if pools.UserPool == "" || pools.Client == "" {
		return nil, at.problem("was pushed without a user pool, so nobody can sign in",
			"leave out --as, or add what needs users and push", nil)
	}
	if ask == nil {
		return nil, at.problem("the password of "+phrase.Quote(name)+" is required, but there is no terminal to ask",
			"use: gatewright call METHOD PATH --as USER", nil)
	}
	now, err := at.begin(ctx)
	for range mostSteps {
		if err != nil {
			return nil, err
		}
		if now.AuthenticationResult.IdToken != "" {
			return userOf(now.AuthenticationResult.IdToken, name)
		}
		now, err = at.answer(ctx, now)
	}
	return nil, cmp.Or(err, at.problem("its user pool keeps asking for more", "sign in with the app", nil))
}

// begin proves the password.
func (t *attempt) begin(ctx context.Context) (step, error) {
	password, err := t.ask(ctx, Question{Kind: Password, User: t.name, Text: "password of " + phrase.Quote(t.name)})
	if err != nil {
		return step{}, err
	}
	client, err := srp.NewClient()
	if err != nil {
		return step{}, err
	}
	var now step
	err = t.account.Ask(ctx, account.Users, "InitiateAuth", map[string]any{
		"AuthFlow": "USER_SRP_AUTH", "ClientId": t.pools.Client,
		"AuthParameters": map[string]string{"USERNAME": t.name, "SRP_A": client.A()},
	}, &now)
	if err != nil {
		return step{}, t.refused(err)
	}
	if now.ChallengeName != "PASSWORD_VERIFIER" {
		return now, nil
	}
	given := now.ChallengeParameters
	t.user = cmp.Or(given["USER_ID_FOR_SRP"], t.name)
	_, pool, _ := strings.Cut(t.pools.UserPool, "_")
	at := srp.Timestamp(t.account.Now())
	proof, err := client.Prove(srp.Challenge{
		Pool: pool, User: t.user, Salt: given["SALT"], ServerB: given["SRP_B"],
		SecretBlock: given["SECRET_BLOCK"],
	}, password, at)
	if err != nil {
		return step{},
			t.problem("its user pool does not respond like Amazon Cognito", "check AWS_ENDPOINT_URL", err)
	}
	return t.respond(ctx, now, map[string]string{
		"PASSWORD_CLAIM_SECRET_BLOCK": given["SECRET_BLOCK"], "PASSWORD_CLAIM_SIGNATURE": proof, "TIMESTAMP": at,
	})
}

// respond answers a challenge.
func (t *attempt) respond(ctx context.Context, now step, responses map[string]string) (step, error) {
	responses["USERNAME"] = t.user
	in := map[string]any{"ChallengeName": now.ChallengeName, "ClientId": t.pools.Client, "ChallengeResponses": responses}
	if now.Session != "" {
		in["Session"] = now.Session
	}
	var next step
	// A repeated answer would be refused, since it counts once.
	if err := t.account.Send(ctx, account.Users, account.Call{Operation: "RespondToAuthChallenge", Input: in, Once: true},
		&next); err != nil {
		return step{}, t.refused(err)
	}
	return next, nil
}

// refused explains why a user is not let in.
func (t *attempt) refused(err error) error {
	name, env := phrase.Quote(t.name), model.ShellWord(t.pools.Environment)
	says := strings.TrimSuffix(account.Message(err), ".")
	switch account.Code(err) {
	case "NotAuthorizedException", "UserNotFoundException":
		return t.problem("its user pool does not let "+name+" in: "+phrase.Quote(says),
			"check the name and the password; the users are listed by: gatewright user list --env "+env, err)
	case "UserNotConfirmedException":
		return t.problem("the user "+name+" is not confirmed",
			"confirm with: gatewright user confirm "+model.ShellWord(t.name)+" --env "+env, err)
	case "PasswordResetRequiredException":
		return t.problem("the user "+name+" must have another password",
			"set one with: gatewright user passwd "+model.ShellWord(t.name)+" --env "+env, err)
	case "InvalidPasswordException":
		return t.problem("its user pool refuses the new password: "+phrase.Quote(says), "choose another one", err)
	case "CodeMismatchException", "ExpiredCodeException":
		return t.problem("its user pool refuses the code: "+phrase.Quote(says), "sign in again with a new code", err)
	case "ResourceNotFoundException":
		return t.problem("its user pool, or the pool's client, no longer exists",
			"see what is deployed with: gatewright status --env "+env, err)
	}
	return err
}

func (t *attempt) problem(text, fix string, cause error) error {
	return problemOf(t.pools, text, fix, cause)
}

func problemOf(pools Pools, text, fix string, cause error) error {
	return &model.Problem{
		Of: model.Ref{Kind: model.KindEnvironment, Name: pools.Environment}, Text: text, Fix: fix,
		Cause: errors.Join(ErrRefused, cause),
	}
}

// userOf reads an id token, which came from the pool itself, so its signature is not checked
// (https://docs.aws.amazon.com/cognito/latest/developerguide/amazon-cognito-user-pools-using-the-id-token.html).
func userOf(token, name string) (*User, error) {
	var claims struct {
		Groups []string `json:"cognito:groups"`
	}
	parts := strings.Split(token, ".")
	const ofJWT = 3
	if len(parts) != ofJWT {
		return nil, errors.New("the user pool returned no id token")
	}
	text, err := rawURL.DecodeString(strings.TrimRight(parts[1], "="))
	if err == nil {
		err = json.Unmarshal(text, &claims)
	}
	if err != nil {
		return nil, errors.New("the user pool returned an invalid id token")
	}
	return &User{Name: name, Groups: claims.Groups, token: token}, nil
}
