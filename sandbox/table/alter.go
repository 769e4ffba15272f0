package table

import (
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
	"go.etcd.io/bbolt"

	"gatewright/sandbox/table/attribute"
)

// alteration is the request of UpdateTable.
type alteration struct {
	name        string
	definitions []attributeDefinition
	billing     *string
	throughput  *throughput
	updates     []indexUpdate
	protected   *bool
	stream      *string // the view type; empty turns the stream off
	other       bool    // fields that have no effect here: TableClass, SSESpecification ...
}

// indexUpdate is an element of GlobalSecondaryIndexUpdates: exactly one field is set.
type indexUpdate struct {
	create *index
	update *index // its name and throughput
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

func (s *Store) updateTable(m members) ([]byte, error) {
	a, err := readAlteration(m)
	if err != nil {
		return nil, err
	}
	if err := a.check(); err != nil {
		return nil, err
	}
	var output []byte
	err = s.redefine(a.name, noSuchTable(a.name), func(tx *bbolt.Tx, d *definition) error {
		if err := a.apply(s, tx, d); err != nil {
			return err
		}
		d.derive()
		var err error
		output, err = s.describe(tx, "TableDescription", d, "UPDATING")
		return err
	})
	if err == nil {
		s.resumeIndexes()
	}
	return output, err
}

func readAlteration(m members) (a alteration, err error) {
	if a.name, err = tableNameOf(m); err != nil {
		return a, err
	}
	var c constraints
	if a.definitions, err = readAttributeDefinitions(m, &c); err != nil {
		return a, err
	}
	if a.throughput, err = readThroughput(m, "provisionedThroughput", &c); err != nil {
		return a, err
	}
	if a.billing, err = m.text("BillingMode"); err != nil {
		return a, err
	}
	c.Enum(a.billing, "billingMode", provisioned, payPerRequest)
	list, err := m.list("GlobalSecondaryIndexUpdates")
	if err != nil {
		return a, err
	}
	for i, v := range list {
		u, err := readIndexUpdate(v, "globalSecondaryIndexUpdates."+strconv.Itoa(i+1)+".member.", &c)
		if err != nil {
			return a, err
		}
		a.updates = append(a.updates, u)
	}
	if a.protected, err = m.flag("DeletionProtectionEnabled"); err != nil {
		return a, err
	}
	if m.has("StreamSpecification") {
		view, err := readStream(m, &c)
		if err != nil {
			return a, err
		}
		a.stream = &view
	}
	for _, name := range []string{"SSESpecification", "TableClass", "ReplicaUpdates", "OnDemandThroughput", "WarmThroughput"} {
		a.other = a.other || m.has(name)
	}
	return a, c.err()
}

func readIndexUpdate(v jsontext.Value, path string, c *constraints) (u indexUpdate, err error) {
	m, err := parseMembers(v, elementOf("GlobalSecondaryIndexUpdate"))
	if err != nil {
		return u, err
	}
	create, err := m.object("Create", structureOf("CreateGlobalSecondaryIndexAction"))
	if err != nil {
		return u, err
	}
	update, err := m.object("Update", structureOf("UpdateGlobalSecondaryIndexAction"))
	if err != nil {
		return u, err
	}
	remove, err := m.object("Delete", structureOf("DeleteGlobalSecondaryIndexAction"))
	if err != nil {
		return u, err
	}
	named := func(e members, path string) (string, error) {
		name, err := e.text("IndexName")
		if err == nil && c.Require(name != nil, path+"indexName") {
			c.name(*name, path+"indexName", 3, longestName)
		}
		return orEmpty(name), err
	}
	switch {
	case create != nil:
		x, err := readIndex(create, path+"create.", c)
		u.create = &x
		return u, err
	case update != nil:
		u.update = new(index)
		if u.update.IndexName, err = named(update, path+"update."); err != nil {
			return u, err
		}
		units, err := readThroughput(update, path+"update.provisionedThroughput", c)
		if err == nil && c.Require(units != nil, path+"update.provisionedThroughput") {
			u.update.ProvisionedThroughput = *units
		}
		return u, err
	case remove != nil:
		u.remove, err = named(remove, path+"delete.")
		return u, err
	}
	return u, attribute.InvalidParameter("One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, " +
		"GlobalSecondaryIndexUpdate.Delete must not be null")
}

// check refuses fields that contradict each other.
func (a *alteration) check() error {
	if a.throughput == nil && a.billing == nil && len(a.updates) == 0 && a.stream == nil && a.protected == nil && !a.other {
		return attribute.Invalid("At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, GlobalSecondaryIndexUpdates or " +
			"SSESpecification or ReplicaUpdates is required")
	}
	if orEmpty(a.billing) == provisioned && a.throughput == nil {
		return attribute.InvalidParameter("ProvisionedThroughput must be specified when BillingMode is PROVISIONED")
	}
	if err := checkUnits(a.throughput); err != nil {
		return err
	}
	seen := make(map[string]bool)
	built := 0
	for _, u := range a.updates {
		if seen[u.name()] {
			return attribute.InvalidParameter("Only one global secondary index update per index is allowed simultaneously. Index: %s", u.name())
		}
		seen[u.name()] = true
		if u.update == nil {
			built++
		}
	}
	if built > 1 {
		return refuse("LimitExceededException", "Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table")
	}
	return nil
}

// apply changes the definition and the buckets of the table.
func (a *alteration) apply(s *Store, tx *bbolt.Tx, d *definition) error {
	if err := a.applyCapacity(s, d); err != nil {
		return err
	}
	for _, u := range a.updates {
		var err error
		switch {
		case u.create != nil:
			err = a.createIndex(tx, d, *u.create)
		case u.update != nil:
			at := d.globalIndex(u.update.IndexName)
			if at < 0 {
				return errNoTable
			}
			d.GlobalSecondaryIndexes[at].ProvisionedThroughput = u.update.ProvisionedThroughput
		default:
			err = d.removeIndex(tx, u.remove)
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

func (a *alteration) applyCapacity(s *Store, d *definition) error {
	billing := d.BillingMode
	if a.billing != nil {
		billing = *a.billing
	}
	if a.throughput != nil {
		if billing == payPerRequest {
			return attribute.InvalidParameter("Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST")
		}
		if now := d.ProvisionedThroughput; d.BillingMode == provisioned && *a.throughput == now {
			return attribute.Invalid("The provisioned throughput for the table will not change. The requested value equals the current value. "+
				"Current ReadCapacityUnits provisioned for the table: %d. Requested ReadCapacityUnits: %d. "+
				"Current WriteCapacityUnits provisioned for the table: %d. Requested WriteCapacityUnits: %d. "+
				"Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits.",
				now.ReadCapacityUnits, a.throughput.ReadCapacityUnits, now.WriteCapacityUnits, a.throughput.WriteCapacityUnits)
		}
		d.ProvisionedThroughput = *a.throughput
	}
	if billing == payPerRequest && d.BillingMode != payPerRequest {
		d.OnDemandSince = s.now()
		d.ProvisionedThroughput = throughput{}
		for i := range d.GlobalSecondaryIndexes {
			d.GlobalSecondaryIndexes[i].ProvisionedThroughput = throughput{}
		}
	}
	d.BillingMode = billing
	return nil
}
