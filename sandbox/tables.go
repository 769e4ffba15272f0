package sandbox

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/cloudtable"
)

// Tables carries out operations of DynamoDB, with input and output as JSON. The error is
// an *attribute.Error if the tables refuse the operation.
type Tables interface {
	Do(ctx context.Context, operation string, input []byte) (output []byte, err error)
}

// Table is a table of an environment.
type Table struct {
	// Name is the name of the deployed table.
	Name       string
	Definition *model.Table
}

// keyError is the error for a table whose key differs from its definition.
type keyError struct{ table, is, want string }

func (e *keyError) Error() string {
	return fmt.Sprintf("table %s has the key %s and its definition has %s: the key of an existing table cannot change; "+
		"give the table another name, or replace it by an empty one with: gatewright table drop %s", phrase.Quote(e.table),
		e.is, e.want, e.table)
}

// makeTable creates a missing table, or gives an existing one the indexes, the stream, the time to live,
// the billing and the protection of its definition and changes nothing else. The error is a *keyError if
// the keys differ.
func makeTable(ctx context.Context, tables Tables, t Table) error {
	want := cloudtable.Of(t.Definition, t.Name)
	expires := want.TimeToLiveSpecification
	// The time to live is another operation's, and backups are no service of the sandbox.
	want.TimeToLiveSpecification, want.PointInTimeRecoverySpecification = cloudtable.TimeToLive{}, cloudtable.Recovery{}
	want.StreamSpecification.StreamEnabled = want.StreamSpecification.StreamViewType != ""
	var answer struct{ Table cloudtable.Table }
	err := Ask(ctx, tables, "DescribeTable", map[string]string{"TableName": t.Name}, &answer)
	if NoTable(err) {
		if err = Ask(ctx, tables, "CreateTable", want, nil); err != nil || !expires.Enabled {
			return err
		}
		return changeTimeToLive(ctx, tables, t.Name, expires)
	}
	if err != nil {
		return err
	}
	have := answer.Table
	if is, wanted := have.KeyText(have.KeySchema), want.KeyText(want.KeySchema); is != wanted {
		return &keyError{t.Name, is, wanted}
	}
	for _, change := range []func(context.Context, Tables, cloudtable.Table, cloudtable.Table) error{
		changeKeeping, changeIndexes, changeStream,
	} {
		if err := change(ctx, tables, have, want); err != nil {
			return err
		}
	}
	return changeTimeToLive(ctx, tables, t.Name, expires)
}

// changeKeeping gives a table the billing and the protection that the definition wants.
func changeKeeping(ctx context.Context, tables Tables, have, want cloudtable.Table) error {
	change := map[string]any{"TableName": want.TableName}
	if have.ProvisionedThroughput != want.ProvisionedThroughput {
		if change["BillingMode"] = want.BillingMode; want.ProvisionedThroughput != (cloudtable.Throughput{}) {
			change["ProvisionedThroughput"] = want.ProvisionedThroughput
		}
	}
	if have.DeletionProtectionEnabled != want.DeletionProtectionEnabled {
		change["DeletionProtectionEnabled"] = want.DeletionProtectionEnabled
	}
	if len(change) == 1 {
		return nil
	}
	return Ask(ctx, tables, "UpdateTable", change, nil)
}

// changeTimeToLive has the items of a table expire by an attribute, or not at all.
func changeTimeToLive(ctx context.Context, tables Tables, name string, want cloudtable.TimeToLive) error {
	var have struct {
		TimeToLiveDescription struct{ AttributeName, TimeToLiveStatus string }
	}
	if err := Ask(ctx, tables, "DescribeTimeToLive", map[string]string{"TableName": name}, &have); err != nil {
		return err
	}
	var changes []cloudtable.TimeToLive
	if is := have.TimeToLiveDescription; is.TimeToLiveStatus == "ENABLED" {
		if is.AttributeName == want.AttributeName {
			return nil
		}
		changes = append(changes, cloudtable.TimeToLive{AttributeName: is.AttributeName})
	}
	if want.Enabled {
		changes = append(changes, want)
	}
	for _, to := range changes {
		err := Ask(ctx, tables, "UpdateTimeToLive", map[string]any{"TableName": name, "TimeToLiveSpecification": to}, nil)
		if err != nil {
			return err
		}
	}
	return nil
}

// changeStream makes the stream that the definition wants. One with another view is replaced:
// what a stream has cannot change.
func changeStream(ctx context.Context, tables Tables, have, want cloudtable.Table) error {
	is, wanted := have.StreamSpecification, want.StreamSpecification
	if !wanted.StreamEnabled || is == wanted {
		return nil
	}
	change := func(to any) error {
		return Ask(ctx, tables, "UpdateTable", map[string]any{"TableName": want.TableName, "StreamSpecification": to}, nil)
	}
	if is.StreamEnabled {
		if err := change(map[string]bool{"StreamEnabled": false}); err != nil {
			return err
		}
	}
	return change(wanted)
}

// changeIndexes removes the indexes that the definition lacks or has with other keys, and
// then creates the missing ones.
func changeIndexes(ctx context.Context, tables Tables, have, want cloudtable.Table) error {
	missing := func(in, of cloudtable.Table) (names []cloudtable.Index) {
		return slices.DeleteFunc(slices.Clone(of.GlobalSecondaryIndexes), func(i cloudtable.Index) bool {
			return slices.ContainsFunc(in.GlobalSecondaryIndexes, func(o cloudtable.Index) bool {
				return o.IndexName == i.IndexName && in.KeyText(o.KeySchema) == of.KeyText(i.KeySchema)
			})
		})
	}
	var changes []map[string]any
	for _, i := range missing(want, have) {
		changes = append(changes, map[string]any{"Delete": map[string]string{"IndexName": i.IndexName}})
	}
	for _, i := range missing(have, want) {
		changes = append(changes, map[string]any{"Create": i})
	}
	for _, change := range changes {
		input := map[string]any{
			"TableName": want.TableName, "AttributeDefinitions": want.AttributeDefinitions,
			"GlobalSecondaryIndexUpdates": []any{change},
		}
		if err := Ask(ctx, tables, "UpdateTable", input, nil); err != nil {
			return err
		}
	}
	return nil
}

// Ask carries out an operation of tables. It encodes input as JSON and decodes the output
// into a value, which may be nil.
func Ask(ctx context.Context, tables Tables, operation string, input, into any) error {
	text, err := json.Marshal(input)
	if err != nil {
		return err
	}
	output, err := tables.Do(ctx, operation, text)
	if err != nil || into == nil {
		return err
	}
	return json.Unmarshal(output, into)
}
