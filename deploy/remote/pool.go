package remote

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"gatewright/deploy/account"
	"gatewright/deploy/aws"
	"gatewright/deploy/outputs"
	"gatewright/model"
	"gatewright/sandbox/identity/pool"
	"gatewright/sandbox/identity/wire"
)

// UserPoolOf returns the user pool of the environment, as it was pushed, and its operations; what
// the pool refuses is a *wire.Error, as of the pool of a sandbox, and other errors are those of
// the account. The error says that the environment has none.
func UserPoolOf(r *aws.Reached) (*pool.Pool, *Pool, error) {
	d := r.Deployment
	b := d.Project.Backend
	p, err := outputs.PoolIn(r.Backend(), b.Environment(d.Environment), d.Record)
	if err == nil && p == nil {
		err = &model.Problem{
			Of: model.Ref{Kind: model.KindEnvironment, Name: d.Environment}, Text: "it was pushed without a user pool",
			Fix:   "add a group or restrict a path, and push it with: gatewright push --env " + model.ShellWord(d.Environment),
			Cause: aws.ErrNotDeployed,
		}
	}
	if err != nil {
		return nil, nil, err
	}
	p.AccountID = r.ID
	return p, &Pool{r.OfPool(p.UserPoolID), p.UserPoolID}, nil
}

// Pool is a user pool of an account.
type Pool struct {
	account *account.Account
	id      string
}

// poolRefusals are the errors by which Cognito refuses one request, and not its caller
// (https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_AdminCreateUser.html#API_AdminCreateUser_Errors,
// and the same of the other operations).
var poolRefusals = []string{
	"AliasExistsException", "CodeDeliveryFailureException", "InvalidLambdaResponseException", "InvalidParameterException",
	"InvalidPasswordException",
	"InvalidSmsRoleAccessPolicyException", "InvalidSmsRoleTrustRelationshipException", "NotAuthorizedException",
	"PasswordHistoryPolicyViolationException",
	"PreconditionNotMetException", "ResourceNotFoundException", "UnexpectedLambdaException",
	"UnsupportedUserStateException", "UserLambdaValidationException",
	"UserNotConfirmedException", "UserNotFoundException", "UsernameExistsException",
}

// Do carries out an operation, and sets UserPoolId in its input.
func (p *Pool) Do(ctx context.Context, operation string, input []byte) ([]byte, error) {
	fields := make(map[string]json.RawMessage)
	if err := json.Unmarshal(input, &fields); err != nil {
		return nil, fmt.Errorf("the input of %s is not a JSON object", operation)
	}
	fields["UserPoolId"], _ = json.Marshal(p.id)
	output := json.RawMessage("{}")
	err := p.account.Send(ctx, account.Users,
		account.Call{Operation: operation, Input: fields, Once: !onlyReads(operation)}, &output)
	if code := account.Code(err); err != nil && slices.Contains(poolRefusals, code) {
		return nil, &wire.Error{Code: code, Message: account.Message(err)}
	}
	return output, err
}

// onlyReads reports whether an operation of a pool changes nothing. The others are not repeated if
// their answer is lost: the second answer would say that a user exists already, or does not.
func onlyReads(operation string) bool {
	for _, verb := range []string{"List", "Get", "Describe", "AdminList", "AdminGet"} {
		if strings.HasPrefix(operation, verb) {
			return true
		}
	}
	return false
}
