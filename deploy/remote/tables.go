// Package remote reads and changes what runs of an environment in AWS, once it is reached: the logs
// and metrics of functions, the users of the pool, and the items of tables.
package remote

import (
	"context"
	"encoding/json"
	"slices"

	"gatewright/deploy/account"
	"gatewright/deploy/aws"
	"gatewright/model"
	"gatewright/sandbox"
	"gatewright/sandbox/table/attribute"
)

// TablesOf are the tables of the account. What a table refuses is an *attribute.Error, as of the
// tables of a sandbox; other errors are those of the account.
func TablesOf(r *aws.Reached) sandbox.Tables { return cloudTables{r.Account} }

// TableOf returns a deployed table by the name of its definition, with that definition as it was pushed: what runs
// has its key. The error says that the last push did not have the table, or that no table has the name.
func TableOf(r *aws.Reached, name string) (sandbox.Table, error) {
	of, b := model.Ref{Kind: model.KindTable, Name: name}, r.Backend()
	deployed, err := r.Table(name)
	if err != nil {
		return sandbox.Table{}, err
	}
	if err := b.Known(of); err != nil {
		return sandbox.Table{}, err
	}
	return sandbox.Table{Name: deployed, Definition: b.Table(name)}, nil
}

// cloudTables are the tables of an account.
type cloudTables struct{ account *account.Account }

// tableRefusals are the errors by which DynamoDB refuses one request, and not its caller
// (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.Errors.html).
var tableRefusals = []string{
	"ConditionalCheckFailedException", "ItemCollectionSizeLimitExceededException", "ResourceInUseException",
	"ResourceNotFoundException",
	"SerializationException", "TransactionCanceledException", "ValidationException",
}

// answersOnce are the operations whose answer tells what was there before. They are not repeated
// if it is lost: the second answer would be about what the first try left.
var answersOnce = map[string]bool{"PutItem": true, "DeleteItem": true, "UpdateItem": true}

// Do carries out an operation.
func (t cloudTables) Do(ctx context.Context, operation string, input []byte) ([]byte, error) {
	var output json.RawMessage
	err := t.account.Send(ctx, account.Tables,
		account.Call{Operation: operation, Input: json.RawMessage(input), Once: answersOnce[operation]}, &output)
	if code := account.Code(err); err != nil && slices.Contains(tableRefusals, code) {
		return nil, &attribute.Error{Code: code, Message: account.Message(err)}
	}
	return output, err
}
