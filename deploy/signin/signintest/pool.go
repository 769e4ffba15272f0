// Package signintest is a user pool for tests, which speaks Amazon Cognito's protocol through awstest.
package signintest

import (
	"encoding/base64"
	"encoding/json"
	"time"

	"gatewright/deploy/awstest"
	"gatewright/sandbox/identity/srp"
)

// Pool is a user pool with one user, who is let in after scripted challenges. Its id ends with ID,
// and its client is "client".
type Pool struct {
	// User signs in with the name and Password. Groups are in the token.
	User   string
	Groups []string
	// Challenges follow the password; the session of each is made here.
	Challenges []map[string]any
	// Told are the responses to the challenges after the password.
	Told []map[string]string
	// Fail refuses the next responses.
	Fail []*awstest.Refusal
	// Now is the time of the pool; nil for that of this machine.
	Now func() time.Time

	exchange *srp.Exchange
}

const (
	// ID ends the id of the pool.
	ID = "AbCdEfGhI"
	// Password is the user's.
	Password = "Correct-horse-7"
	// inside is the name by which the pool goes on.
	inside = "sub-of-the-user"
)

// Serve answers as Amazon Cognito does
// (https://docs.aws.amazon.com/cognito/latest/developerguide/amazon-cognito-user-pools-authentication-flow-methods.html).
func (p *Pool) Serve(r awstest.Request) (any, error) {
	var in struct {
		AuthFlow, ClientId, ChallengeName, Session string
		AuthParameters, ChallengeResponses         map[string]string
	}
	if err := r.Read(&in); err != nil {
		return nil, err
	}
	if in.ClientId != "client" {
		return nil, &awstest.Refusal{Code: "ResourceNotFoundException", Message: "User pool client does not exist."}
	}
	if r.Action == "InitiateAuth" {
		salt := srp.NewSalt()
		x, err := srp.Begin(ID, inside, salt, srp.Verifier(ID, inside, Password, salt), in.AuthParameters["SRP_A"])
		if err != nil || in.AuthFlow != "USER_SRP_AUTH" || in.AuthParameters["USERNAME"] != p.User {
			return nil, &awstest.Refusal{Code: "InvalidParameterException", Message: "it is no sign-in"}
		}
		p.exchange = x
		return map[string]any{"ChallengeName": "PASSWORD_VERIFIER", "ChallengeParameters": map[string]string{
			"SALT": x.Salt(), "SRP_B": x.ServerB(), "SECRET_BLOCK": x.SecretBlock(), "USERNAME": inside,
			"USER_ID_FOR_SRP": inside,
		}}, nil
	}
	refused := &awstest.Refusal{Code: "NotAuthorizedException", Message: "Incorrect username or password."}
	given := in.ChallengeResponses
	switch {
	case given["USERNAME"] != inside:
		return nil, refused
	case in.ChallengeName == "PASSWORD_VERIFIER":
		at, err := time.Parse("Mon Jan 2 15:04:05 UTC 2006", given["TIMESTAMP"])
		if err != nil || p.now().Sub(at).Abs() > 5*time.Minute ||
			!p.exchange.Proves(given["PASSWORD_CLAIM_SECRET_BLOCK"], given["TIMESTAMP"], given["PASSWORD_CLAIM_SIGNATURE"]) {
			return nil, refused
		}
	case len(p.Fail) > 0:
		fail := p.Fail[0]
		p.Fail = p.Fail[1:]
		return nil, fail
	default:
		if want := p.Challenges[0]["ChallengeName"]; in.ChallengeName != want || in.Session != "session-of-"+want.(string) {
			return nil, refused
		}
		p.Told, p.Challenges = append(p.Told, given), p.Challenges[1:]
	}
	if len(p.Challenges) > 0 {
		p.Challenges[0]["Session"] = "session-of-" + p.Challenges[0]["ChallengeName"].(string)
		return p.Challenges[0], nil
	}
	claims, _ := json.Marshal(map[string]any{"cognito:groups": p.Groups})
	return map[string]any{"AuthenticationResult": map[string]any{"IdToken": "e30." +
		base64.RawURLEncoding.EncodeToString(claims) + ".c2ln", "AccessToken": "a", "RefreshToken": "r"}}, nil
}

func (p *Pool) now() time.Time {
	if p.Now == nil {
		return time.Now()
	}
	return p.Now()
}
