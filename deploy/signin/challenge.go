package signin

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"gatewright/deploy/account"
	"gatewright/internal/text/phrase"
)

// codes are the challenges that ask for a code, the parameter that the answer has, and where the code is
// (https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_RespondToAuthChallenge.html).
var codes = map[string]struct{ response, from string }{
	"SOFTWARE_TOKEN_MFA": {"SOFTWARE_TOKEN_MFA_CODE", "the code that the app of "},
	"SMS_MFA":            {"SMS_MFA_CODE", "the code in the message to "},
	"EMAIL_OTP":          {"EMAIL_OTP_CODE", "the code in the email to "},
}

// answer answers what the pool asks after the password.
func (t *attempt) answer(ctx context.Context, now step) (step, error) {
	switch now.ChallengeName {
	case "NEW_PASSWORD_REQUIRED":
		return t.newPassword(ctx, now)
	case "SELECT_MFA_TYPE":
		return t.choose(ctx, now)
	}
	if _, is := codes[now.ChallengeName]; is {
		return t.code(ctx, now)
	}
	return step{},
		t.problem("its user pool asks "+phrase.Quote(t.name)+" for "+phrase.Quote(now.ChallengeName)+
			", which only the app can respond to", "sign in there first, or as another user", nil)
}

// code asks for a code. A mistyped one can be corrected.
func (t *attempt) code(ctx context.Context, now step) (step, error) {
	const tries = 3
	of := codes[now.ChallengeName]
	text := of.from + phrase.Quote(t.name)
	if to := now.ChallengeParameters["CODE_DELIVERY_DESTINATION"]; to != "" {
		text = of.from + phrase.Quote(to)
	}
	if now.ChallengeName == "SOFTWARE_TOKEN_MFA" {
		text += " shows"
	}
	question := Question{Kind: Code, User: t.name, Text: text}
	for left := tries; ; left-- {
		code, err := t.ask(ctx, question)
		if err != nil {
			return step{}, err
		}
		next, err := t.respond(ctx, now, map[string]string{of.response: strings.TrimSpace(code)})
		if account.Code(err) != "CodeMismatchException" || left == 1 {
			return next, err
		}
		question.Text = text + "; the last one was not right"
	}
}

// choose asks which second factor to use.
func (t *attempt) choose(ctx context.Context, now step) (step, error) {
	var kinds []string
	if err := json.Unmarshal([]byte(now.ChallengeParameters["MFAS_CAN_CHOOSE"]), &kinds); err != nil || len(kinds) == 0 {
		return step{},
			t.problem("its user pool offers "+phrase.Quote(t.name)+" no second factor", "set one up in the app", err)
	}
	chosen, err := t.ask(ctx,
		Question{Kind: Code, User: t.name, Text: "second factor of " + phrase.Quote(t.name), Options: kinds})
	if err != nil {
		return step{}, err
	}
	if chosen = strings.ToUpper(strings.TrimSpace(chosen)); !slices.Contains(kinds, chosen) {
		return step{},
			t.problem(phrase.Quote(chosen)+" is no second factor of "+phrase.Quote(t.name),
				"choose one of "+phrase.List(kinds), nil)
	}
	return t.respond(ctx, now, map[string]string{"ANSWER": chosen})
}

// newPassword asks for the password that a user with a temporary one has to choose, and for the
// attributes that are required and missing.
func (t *attempt) newPassword(ctx context.Context, now step) (step, error) {
	text := "new password of " + phrase.Quote(t.name) + ", who has a temporary one"
	password, err := t.ask(ctx, Question{Kind: NewPassword, User: t.name, Text: text})
	if err != nil {
		return step{}, err
	}
	again, err := t.ask(ctx, Question{Kind: NewPassword, User: t.name, Text: "the same password again"})
	switch {
	case err != nil:
		return step{}, err
	case password == "":
		return step{}, errors.New("no password given; nothing was changed")
	case again != password:
		return step{}, errors.New("the two passwords differ; nothing was changed")
	}
	responses := map[string]string{"NEW_PASSWORD": password}
	var required []string
	_ = json.Unmarshal([]byte(now.ChallengeParameters["requiredAttributes"]), &required)
	for _, name := range required {
		name = strings.TrimPrefix(name, "userAttributes.")
		value, err := t.ask(ctx,
			Question{Kind: Attribute, User: t.name, Text: phrase.Quote(name) + " of " + phrase.Quote(t.name)})
		if err != nil {
			return step{}, err
		}
		responses["userAttributes."+name] = value
	}
	return t.respond(ctx, now, responses)
}
