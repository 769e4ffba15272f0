package table

import (
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"gatewright/sandbox/pages"

	"gatewright/sandbox/table/attribute"
	"gatewright/sandbox/table/request"
	"gatewright/sandbox/table/schema"
)

// alteration is the request of UpdateTable.
type alteration struct {
	name        string
	definitions []schema.AttributeDefinition
	billing     *string
	throughput  *schema.Throughput
	updates     []indexUpdate
	protected   *bool
	stream      *string // the view type; empty turns the stream off
	other       bool    // fields that have no effect here: TableClass, SSESpecification ...
}

// indexUpdate is an element of GlobalSecondaryIndexUpdates: exactly one field is set.
type indexUpdate struct {
	create *schema.Index
	update *schema.Index // its name and throughput
	remove string
}

func (u *indexUpdate) name() string {
	switch {
	case u.create != nil:
		return u.create.IndexName
	case u.update != nil:
		return u.update.IndexName
	}
	return u.remove
}

func (s *Store) updateTable(m request.Members) ([]byte, error) {
	a, err := readAlteration(m)
	if err != nil {
		return nil, err
	}
	if err := a.check(); err != nil {
		return nil, err
	}
	var output []byte
	err = s.redefine(a.name, noSuchTable(a.name), func(tx *pages.Tx, d *schema.Table) error {
		if err := a.apply(s, tx, d); err != nil {
			return err
		}
		d.Derive()
		var err error
		output, err = s.describe(tx, "TableDescription", d, "UPDATING")
		return err
	})
	if err == nil {
		s.resumeIndexes()
	}
	return output, err
}

func readAlteration(m request.Members) (a alteration, err error) {
	if a.name, err = request.TableNameOf(m); err != nil {
		return a, err
	}
	var c request.Checks
	a.definitions = schema.ReadAttributeDefinitions(m, &c)
	a.throughput = schema.ReadThroughput(m, "provisionedThroughput", &c)
	a.billing = c.Text(m, "BillingMode")
	c.Enum(a.billing, "billingMode", schema.Provisioned, schema.PayPerRequest)
	for i, v := range c.List(m, "GlobalSecondaryIndexUpdates") {
		a.updates = append(a.updates, readIndexUpdate(v, "globalSecondaryIndexUpdates."+strconv.Itoa(i+1)+".member.", &c))
	}
	a.protected = c.Flag(m, "DeletionProtectionEnabled")
	if m.Has("StreamSpecification") {
		view := readStream(m, &c)
		a.stream = &view
	}
	for _, name := range []string{
		"SSESpecification", "TableClass", "ReplicaUpdates", "OnDemandThroughput",
		"WarmThroughput",
	} {
		a.other = a.other || m.Has(name)
	}
	return a, c.Err()
}

func readIndexUpdate(v jsontext.Value, path string, c *request.Checks) (u indexUpdate) {
	m := c.Members(v, request.ElementOf("GlobalSecondaryIndexUpdate"))
	create := c.Object(m, "Create", request.StructureOf("CreateGlobalSecondaryIndexAction"))
	update := c.Object(m, "Update", request.StructureOf("UpdateGlobalSecondaryIndexAction"))
	remove := c.Object(m, "Delete", request.StructureOf("DeleteGlobalSecondaryIndexAction"))
	switch {
	case create != nil:
		x := schema.ReadIndex(create, path+"create.", c)
		u.create = &x
	case update != nil:
		u.update = &schema.Index{IndexName: schema.ReadIndexName(update, path+"update.", c)}
		units := schema.ReadThroughput(update, path+"update.provisionedThroughput", c)
		if c.Require(units != nil, path+"update.provisionedThroughput") {
			u.update.ProvisionedThroughput = *units
		}
	case remove != nil:
		u.remove = schema.ReadIndexName(remove, path+"delete.", c)
	default:
		c.Refuse(attribute.InvalidParameter("One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, " +
			"GlobalSecondaryIndexUpdate.Delete must not be null"))
	}
	return u
}

// check refuses fields that contradict each other.
func (a *alteration) check() error {
	if a.throughput == nil && a.billing == nil && len(a.updates) == 0 && a.stream == nil && a.protected == nil &&
		!a.other {
		return attribute.Invalid("At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, " +
			"GlobalSecondaryIndexUpdates or " +
			"SSESpecification or ReplicaUpdates is required")
	}
	if request.OrEmpty(a.billing) == schema.Provisioned && a.throughput == nil {
		return attribute.InvalidParameter("ProvisionedThroughput must be specified when BillingMode is PROVISIONED")
	}
	if err := schema.CheckUnits(a.throughput); err != nil {
		return err
	}
	seen := make(map[string]bool)
	built := 0
	for _, u := range a.updates {
		if seen[u.name()] {
			return attribute.InvalidParameter("Only one global secondary index update per index is allowed "+
				"simultaneously. Index: %s", u.name())
		}
		seen[u.name()] = true
		if u.update == nil {
			built++
		}
	}
	if built > 1 {
		return refuse("LimitExceededException",
			"Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table")
	}
	return nil
}

// apply changes the definition and the buckets of the table.
func (a *alteration) apply(s *Store, tx *pages.Tx, d *schema.Table) error {
	if err := a.applyCapacity(s, d); err != nil {
		return err
	}
	for _, u := range a.updates {
		var err error
		switch {
		case u.create != nil:
			err = a.createIndex(tx, d, *u.create)
		case u.update != nil:
			at := d.GlobalIndex(u.update.IndexName)
			if at < 0 {
				return errNoTable
			}
			d.GlobalSecondaryIndexes[at].ProvisionedThroughput = u.update.ProvisionedThroughput
		default:
			err = removeIndex(tx, d, u.remove)
		}
		if err != nil {
			return err
		}
	}
	if a.protected != nil {
		d.DeletionProtection = *a.protected
	}
	if a.stream != nil {
		return s.changeStream(tx, d, *a.stream)
	}
	return nil
}

func (a *alteration) applyCapacity(s *Store, d *schema.Table) error {
	billing := d.BillingMode
	if a.billing != nil {
		billing = *a.billing
	}
	if a.throughput != nil {
		if billing == schema.PayPerRequest {
			return attribute.InvalidParameter("Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when " +
				"BillingMode is PAY_PER_REQUEST")
		}
		if now := d.ProvisionedThroughput; d.BillingMode == schema.Provisioned && *a.throughput == now {
			return attribute.Invalid("The provisioned throughput for the table will not change. The requested value equals "+
				"the current value. "+
				"Current ReadCapacityUnits provisioned for the table: %d. Requested ReadCapacityUnits: %d. "+
				"Current WriteCapacityUnits provisioned for the table: %d. Requested WriteCapacityUnits: %d. "+
				"Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits.",
				now.ReadCapacityUnits, a.throughput.ReadCapacityUnits, now.WriteCapacityUnits, a.throughput.WriteCapacityUnits)
		}
		d.ProvisionedThroughput = *a.throughput
	}
	if billing == schema.PayPerRequest && d.BillingMode != schema.PayPerRequest {
		d.OnDemandSince = s.now()
		d.ProvisionedThroughput = schema.Throughput{}
		for i := range d.GlobalSecondaryIndexes {
			d.GlobalSecondaryIndexes[i].ProvisionedThroughput = schema.Throughput{}
		}
	}
	d.BillingMode = billing
	return nil
}

// createIndex adds an index; a backfill adds its entries later.
func (a *alteration) createIndex(tx *pages.Tx, d *schema.Table, x schema.Index) error {
	if d.Index(x.IndexName) != nil {
		return attribute.Invalid("Attempting to create an index which already exists")
	}
	if len(d.GlobalSecondaryIndexes) >= mostGlobalIndexes {
		return refuse("LimitExceededException",
			"Subscriber limit exceeded: GlobalSecondaryIndex count exceeds the per-table limit of %d", mostGlobalIndexes)
	}
	for _, given := range a.definitions {
		at := slices.IndexFunc(d.AttributeDefinitions,
			func(known schema.AttributeDefinition) bool { return known.AttributeName == given.AttributeName })
		switch {
		case at < 0:
			d.AttributeDefinitions = append(d.AttributeDefinitions, given)
		case d.AttributeDefinitions[at] != given:
			return attribute.InvalidParameter("Attribute %s is defined as %s and cannot become %s", given.AttributeName,
				d.AttributeDefinitions[at].AttributeType, given.AttributeType)
		}
	}
	if err := schema.CheckSchema(x.KeySchema, d.AttributeDefinitions); err != nil {
		return err
	}
	if err := schema.CheckProjection(x.Projection); err != nil {
		return err
	}
	d.NextIndex++
	x.Number, x.Status = d.NextIndex, schema.StatusCreating
	d.GlobalSecondaryIndexes = append(d.GlobalSecondaryIndexes, x)
	d.PruneDefinitions()
	_, err := tx.CreateBucket(d.IndexBucket(&x))
	return err
}

// removeIndex removes an index and its entries.
func removeIndex(tx *pages.Tx, d *schema.Table, name string) error {
	at := d.GlobalIndex(name)
	if at < 0 {
		return errNoTable
	}
	if err := tx.DeleteBucket(d.IndexBucket(&d.GlobalSecondaryIndexes[at])); err != nil {
		return err
	}
	d.GlobalSecondaryIndexes = slices.Delete(d.GlobalSecondaryIndexes, at, at+1)
	d.PruneDefinitions()
	return nil
}
