package table

import (
	"time"

	"gatewright/sandbox/pages"

	"gatewright/internal/uuid"
	"gatewright/sandbox/table/attribute"
	"gatewright/sandbox/table/request"
	"gatewright/sandbox/table/schema"
)

const (
	mostLocalIndexes  = 5
	mostGlobalIndexes = 20
)

// createTable creates a table, which is usable at once. The answer says CREATING, as the
// service's does.
func (s *Store) createTable(m request.Members) ([]byte, error) {
	want, err := readTable(m)
	if err != nil {
		return nil, err
	}
	if err := want.check(); err != nil {
		return nil, err
	}
	d := &schema.Table{
		TableName: want.name, TableID: uuid.New(), Created: s.now(), AttributeDefinitions: want.definitions,
		KeySchema:   want.schema,
		BillingMode: want.billing, Tags: want.tags, DeletionProtection: want.protected, StreamView: want.stream,
		LocalSecondaryIndexes: want.local, GlobalSecondaryIndexes: want.global,
	}
	if want.throughput != nil {
		d.ProvisionedThroughput = *want.throughput
	}
	if d.BillingMode == schema.PayPerRequest {
		d.OnDemandSince = d.Created
	}
	if d.StreamView != "" {
		d.StreamLabel = streamLabel(s.clock())
	}
	for _, list := range [][]schema.Index{d.LocalSecondaryIndexes, d.GlobalSecondaryIndexes} {
		for i := range list {
			d.NextIndex++
			list[i].Number, list[i].Status = d.NextIndex, schema.StatusActive
		}
	}
	err = s.updateAlone(func(tx *pages.Tx) error {
		if s.table(d.TableName) != nil {
			return refuse("ResourceInUseException", "Table already exists: %s", d.TableName)
		}
		number, err := tx.Bucket(metaBucket).NextSequence()
		if err != nil {
			return err
		}
		d.Number = number
		d.Derive()
		for _, name := range d.Buckets() {
			if _, err := tx.CreateBucket(name); err != nil {
				return err
			}
		}
		return s.putDefinition(tx, d)
	})
	if err != nil {
		return nil, err
	}
	return s.describe(nil, "TableDescription", d, schema.StatusCreating)
}

func streamLabel(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000") }

// newTable is the request of CreateTable.
type newTable struct {
	name        string
	definitions []schema.AttributeDefinition
	schema      []schema.KeyElement
	billing     string
	throughput  *schema.Throughput
	local       []schema.Index
	global      []schema.Index
	stream      string
	tags        []schema.Tag
	protected   bool
}

// readTable reads a request and checks the constraints of its fields.
func readTable(m request.Members) (want newTable, err error) {
	if want.name, err = request.TableNameOf(m); err != nil {
		return want, err
	}
	var c request.Checks
	c.Require(m.Has("AttributeDefinitions"), "attributeDefinitions")
	want.definitions = schema.ReadAttributeDefinitions(m, &c)
	billing := c.Text(m, "BillingMode")
	c.Enum(billing, "billingMode", schema.Provisioned, schema.PayPerRequest)
	if want.billing = request.OrEmpty(billing); billing == nil {
		want.billing = schema.Provisioned
	}
	want.throughput = schema.ReadThroughput(m, "provisionedThroughput", &c)
	want.schema = schema.ReadKeySchema(m, "keySchema", &c)
	want.local = schema.ReadIndexes(m, "LocalSecondaryIndexes", "LocalSecondaryIndex", &c)
	want.global = schema.ReadIndexes(m, "GlobalSecondaryIndexes", "GlobalSecondaryIndex", &c)
	protected := c.Flag(m, "DeletionProtectionEnabled")
	want.protected = protected != nil && *protected
	want.stream = readStream(m, &c)
	if err := c.Err(); err != nil {
		return want, err
	}
	list, err := m.List("Tags")
	if err != nil {
		return want, err
	}
	want.tags, err = readTags(list)
	return want, err
}

// check refuses fields that contradict each other, in the service's order.
func (w *newTable) check() error {
	switch {
	case w.billing == schema.PayPerRequest && w.throughput != nil:
		return attribute.InvalidParameter("Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when " +
			"BillingMode is PAY_PER_REQUEST")
	case w.billing == schema.Provisioned && w.throughput == nil:
		return attribute.InvalidParameter("ReadCapacityUnits and WriteCapacityUnits must both be specified when " +
			"BillingMode is PROVISIONED")
	}
	if err := schema.CheckUnits(w.throughput); err != nil {
		return err
	}
	if len(w.schema) > len(w.definitions) {
		return attribute.Invalid("Invalid KeySchema: Some index key attribute have no definition")
	}
	if err := schema.CheckSchema(w.schema, w.definitions); err != nil {
		return err
	}
	if w.local == nil && w.global == nil && len(w.schema) != len(w.definitions) {
		return attribute.InvalidParameter("Number of attributes in KeySchema does not exactly match number of attributes " +
			"defined in AttributeDefinitions")
	}
	seen := make(map[string]bool)
	if err := w.checkLocal(seen); err != nil {
		return err
	}
	if err := w.checkGlobal(seen); err != nil {
		return err
	}
	return schema.CheckUsed(w.definitions, w.schema, w.local, w.global)
}

func (w *newTable) checkLocal(seen map[string]bool) error {
	if w.local == nil {
		return nil
	}
	if len(w.local) == 0 {
		return attribute.InvalidParameter("List of LocalSecondaryIndexes is empty")
	}
	if len(w.schema) != 2 {
		return attribute.InvalidParameter("Table KeySchema does not have a range key, which is required when specifying a " +
			"LocalSecondaryIndex")
	}
	for _, x := range w.local {
		if err := schema.CheckSchema(x.KeySchema, w.definitions); err != nil {
			return err
		}
		if len(x.KeySchema) != 2 {
			return attribute.InvalidParameter("Index KeySchema does not have a range key for index: %s", x.IndexName)
		}
		if got, want := x.KeySchema[0].AttributeName, w.schema[0].AttributeName; got != want {
			return attribute.InvalidParameter("Index KeySchema does not have the same leading hash key as table KeySchema "+
				"for index: %s. "+
				"index hash key: %s, table hash key: %s", x.IndexName, got, want)
		}
		if err := checkIndex(x, seen); err != nil {
			return err
		}
	}
	if len(w.local) > mostLocalIndexes {
		return attribute.InvalidParameter("Number of LocalSecondaryIndexes exceeds per-table limit of %d", mostLocalIndexes)
	}
	return nil
}

func (w *newTable) checkGlobal(seen map[string]bool) error {
	if w.global == nil {
		return nil
	}
	if len(w.global) == 0 {
		return attribute.InvalidParameter("List of GlobalSecondaryIndexes is empty")
	}
	for _, x := range w.global {
		if err := schema.CheckSchema(x.KeySchema, w.definitions); err != nil {
			return err
		}
		if w.billing == schema.PayPerRequest && x.ProvisionedThroughput != (schema.Throughput{}) {
			return attribute.InvalidParameter("ProvisionedThroughput should not be specified for index: %s when BillingMode "+
				"is PAY_PER_REQUEST", x.IndexName)
		}
		if err := checkIndex(x, seen); err != nil {
			return err
		}
	}
	if len(w.global) > mostGlobalIndexes {
		return attribute.InvalidParameter("GlobalSecondaryIndex count exceeds the per-table limit of %d", mostGlobalIndexes)
	}
	return nil
}

// checkIndex checks what both kinds of index have in common.
func checkIndex(x schema.Index, seen map[string]bool) error {
	if err := schema.CheckProjection(x.Projection); err != nil {
		return err
	}
	if seen[x.IndexName] {
		return attribute.InvalidParameter("Duplicate index name: %s", x.IndexName)
	}
	seen[x.IndexName] = true
	return nil
}
