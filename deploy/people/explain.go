package people

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/internal/text/spelling"
	"gatewright/model"
	"gatewright/project/answer"
	"gatewright/sandbox/identity/wire"
)

// Ref returns the reference to a user in a problem.
func Ref(name string) model.Ref { return model.Ref{Kind: "user", Name: name} }

// The error codes of Cognito that Explain adds a fix to.
const (
	notFoundCode      = "UserNotFoundException"
	existsCode        = "UsernameExistsException"
	passwordCode      = "InvalidPasswordException"
	parameterCode     = "InvalidParameterException"
	notConfirmedCode  = "UserNotConfirmedException"
	notAuthorizedCode = "NotAuthorizedException"
)

// IsUnknown reports whether an error of the pool says that there is no such user.
func IsUnknown(err error) bool { return codeOf(err) == notFoundCode }

func codeOf(err error) string {
	var refused *wire.Error
	if errors.As(err, &refused) {
		return refused.Code
	}
	return ""
}

// Explain turns an error of the pool into a problem of the user, with what to do.
func (u *Users) Explain(ctx context.Context, name string, err error) error {
	var refused *wire.Error
	if !errors.As(err, &refused) {
		return err
	}
	problem := &model.Problem{
		Of:   Ref(name),
		Text: strings.TrimRight(strings.Join(strings.Fields(refused.Message), " "), "."), Cause: err,
	}
	command := func(verb string) string { return answer.UserCommand(verb, name, u.Flags) }
	switch {
	case refused.Code == notFoundCode:
		return u.NotFound(ctx, name)
	case refused.Code == existsCode:
		problem.Fix = "see that user with: " + command("show")
	case refused.Code == passwordCode:
		problem.Fix = "give one of " + PolicyWords(u.Pool.Definition)
	case refused.Code == parameterCode && strings.Contains(refused.Message, "did not conform to the schema"):
		problem.Fix = "give attributes with --email, --phone or --attribute NAME=VALUE"
	case strings.Contains(refused.Message, "FORCE_CHANGE_PASSWORD"), strings.Contains(refused.Message, "RESET_REQUIRED"):
		problem.Fix = "set a permanent password with: " + command("passwd")
	case refused.Code == notConfirmedCode:
		problem.Fix = "confirm the user with: " + command("confirm")
	case refused.Code == notAuthorizedCode && strings.Contains(refused.Message, "disabled"):
		problem.Fix = "enable the user with: " + command("enable")
	}
	return problem
}

// NotFound returns the problem of a user that does not exist, with the nearest name.
func (u *Users) NotFound(ctx context.Context, name string) error {
	problem := &model.Problem{
		Of: Ref(name), Text: "not found in environment " + phrase.Quote(u.Pool.Environment), Cause: model.ErrUnknown,
		Fix: "list the users with: gatewright user list" + u.Flags,
	}
	near := ""
	if names, err := u.names(ctx); err == nil {
		for _, word := range u.Words {
			names[word] = word
		}
		near = names[spelling.Nearest(name, slices.Sorted(maps.Keys(names)))]
	}
	switch {
	case slices.Contains(u.Groups, name):
		problem.Fix = "a group is written " + phrase.Quote(answer.GroupPrefix+name)
	case near != "":
		problem.Fix = "did you mean " + phrase.Quote(near) + "?"
	}
	return problem
}

// names returns the words that find a user, each with the name to show: shown names and
// addresses of the first users, for "did you mean".
func (u *Users) names(ctx context.Context) (map[string]string, error) {
	const most = 480
	names := make(map[string]string)
	count := 0
	err := u.List(ctx, "", func(page []User) bool {
		for _, one := range page {
			attributes := one.Values()
			shown := ShownName(one.Username, attributes)
			names[shown] = shown
			if email := attributes["email"]; email != "" && names[email] == "" {
				names[email] = shown
			}
		}
		count += len(page)
		return count < most
	})
	return names, err
}
