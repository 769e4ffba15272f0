package table

import (
	"cmp"
	"maps"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json"

	"gatewright/model"
	"gatewright/sandbox/pages"

	"gatewright/sandbox/table/attribute"
	"gatewright/sandbox/table/request"
	"gatewright/sandbox/table/schema"
)

// The descriptions of a table and an index on the wire.
type describedThroughput struct {
	NumberOfDecreasesToday, ReadCapacityUnits, WriteCapacityUnits int64
}

type describedIndex struct {
	IndexName             string
	KeySchema             []schema.KeyElement
	Projection            schema.Projection
	IndexStatus           string               `json:",omitzero"`
	Backfilling           bool                 `json:",omitzero"`
	ProvisionedThroughput *describedThroughput `json:",omitzero"`
	IndexSizeBytes        int64
	ItemCount             int64
	IndexArn              string
}

type describedBilling struct {
	BillingMode                       string
	LastUpdateToPayPerRequestDateTime float64 `json:",omitzero"`
}

type describedStream struct {
	StreamEnabled  bool
	StreamViewType string
}

type describedTable struct {
	AttributeDefinitions      []schema.AttributeDefinition
	TableName                 string
	KeySchema                 []schema.KeyElement
	TableStatus               string
	CreationDateTime          float64
	ProvisionedThroughput     describedThroughput
	TableSizeBytes            int64
	ItemCount                 int64
	TableArn                  string
	TableId                   string
	BillingModeSummary        *describedBilling `json:",omitzero"`
	LocalSecondaryIndexes     []describedIndex  `json:",omitzero"`
	GlobalSecondaryIndexes    []describedIndex  `json:",omitzero"`
	StreamSpecification       *describedStream  `json:",omitzero"`
	LatestStreamLabel         string            `json:",omitzero"`
	LatestStreamArn           string            `json:",omitzero"`
	DeletionProtectionEnabled bool
	WarmThroughput            *describedWarm
}

type describedWarm struct {
	ReadUnitsPerSecond, WriteUnitsPerSecond int64
	Status                                  string
}

// describe is the JSON {member: description}. Counts are as seen by tx, or current if it is
// nil.
func (s *Store) describe(tx *pages.Tx, member string, d *schema.Table, status string) ([]byte, error) {
	out := describedTable{
		AttributeDefinitions: d.AttributeDefinitions, TableName: d.TableName, KeySchema: d.KeySchema, TableStatus: status,
		CreationDateTime: d.Created, ProvisionedThroughput: describedUnits(d.ProvisionedThroughput),
		TableArn: s.arn(d.TableName),
		TableId:  d.TableID, DeletionProtectionEnabled: d.DeletionProtection,
		WarmThroughput: &describedWarm{12000, 4000, schema.StatusActive},
	}
	if d.OnDemandSince != 0 {
		out.BillingModeSummary = &describedBilling{d.BillingMode, d.OnDemandSince}
	}
	if d.StreamView != "" {
		out.StreamSpecification = &describedStream{true, d.StreamView}
	}
	if d.StreamLabel != "" {
		out.LatestStreamLabel, out.LatestStreamArn = d.StreamLabel, s.streamARN(d)
	}
	count := func(tx *pages.Tx) error {
		if b := tx.Bucket(d.ItemBucket()); b != nil {
			out.ItemCount = int64(b.Sequence())
		}
		if b := tx.Bucket(d.SizeBucket()); b != nil {
			out.TableSizeBytes = int64(b.Sequence())
		}
		for _, x := range d.Indexes {
			described := s.describeIndex(tx, d, x, status)
			if x.Global {
				out.GlobalSecondaryIndexes = append(out.GlobalSecondaryIndexes, described)
			} else {
				out.LocalSecondaryIndexes = append(out.LocalSecondaryIndexes, described)
			}
		}
		return nil
	}
	var err error
	if tx != nil {
		err = count(tx)
	} else {
		err = s.view(count)
	}
	if err != nil {
		return nil, err
	}
	return json.Marshal(map[string]describedTable{member: out})
}

func (s *Store) describeIndex(tx *pages.Tx, d *schema.Table, x *schema.Index, status string) describedIndex {
	out := describedIndex{
		IndexName: x.IndexName, KeySchema: x.KeySchema, Projection: x.Projection,
		IndexArn: s.arn(d.TableName) + "/index/" + x.IndexName,
	}
	if b := tx.Bucket(d.IndexBucket(x)); b != nil {
		out.ItemCount = int64(b.Sequence())
	}
	if x.Global {
		units := describedUnits(x.ProvisionedThroughput)
		out.ProvisionedThroughput, out.IndexStatus, out.Backfilling = &units, x.Status, x.Status == schema.StatusCreating
		if status == schema.StatusCreating {
			out.IndexStatus = schema.StatusCreating
		}
	}
	return out
}

func describedUnits(t schema.Throughput) describedThroughput {
	return describedThroughput{0, t.ReadCapacityUnits, t.WriteCapacityUnits}
}

// Situate gives tables the region and the account that place tells, and those of no name where what is
// said is about no table. Without it they are in model.DefaultRegion and model.NoAccount.
func (s *Store) Situate(place func(table string) (region, account string)) { s.place.Store(&place) }

func (s *Store) placeOf(table string) (region, account string) {
	if place := s.place.Load(); place != nil {
		region, account = (*place)(table)
	}
	return cmp.Or(region, model.DefaultRegion), cmp.Or(account, model.NoAccount)
}

func (s *Store) arn(name string) string {
	region, account := s.placeOf(name)
	return model.ARN("dynamodb", region, account, "table/"+name)
}

// lookUp is the table of TableName.
func (s *Store) lookUp(m request.Members) (*schema.Table, error) {
	name, err := request.TableNameOf(m)
	if err != nil {
		return nil, err
	}
	d := s.table(name)
	if d == nil {
		return nil, noSuchTable(name)
	}
	return d, nil
}

func (s *Store) describeTable(m request.Members) ([]byte, error) {
	d, err := s.lookUp(m)
	if err != nil {
		return nil, err
	}
	return s.describe(nil, "Table", d, d.Status())
}

func (s *Store) listTables(m request.Members) ([]byte, error) {
	var c request.Checks
	most, after := c.Limit(m, 100), c.Text(m, "ExclusiveStartTableName")
	if after != nil {
		c.Name(*after, "exclusiveStartTableName", request.ShortestTable, request.LongestName)
	}
	if err := c.Err(); err != nil {
		return nil, err
	}
	names := slices.Sorted(maps.Keys(*s.tables.Load()))
	if after != nil {
		n, found := slices.BinarySearch(names, *after)
		if found {
			n++
		}
		names = names[n:]
	}
	last := ""
	if len(names) > most {
		names = names[:most]
		last = names[most-1]
	}
	b := []byte(`{"TableNames":[`)
	for i, name := range names {
		b = appendQuoted(comma(b, i), name)
	}
	b = append(b, ']')
	if last != "" {
		b = appendQuoted(append(b, `,"LastEvaluatedTableName":`...), last)
	}
	return append(b, '}'), nil
}

// describeLimits answers with the limits of a new account.
func (s *Store) describeLimits(request.Members) ([]byte, error) {
	return []byte(`{"AccountMaxReadCapacityUnits":80000,"AccountMaxWriteCapacityUnits":80000,` +
		`"TableMaxReadCapacityUnits":40000,"TableMaxWriteCapacityUnits":40000}`), nil
}

// describeEndpoints answers with the region's usual endpoint.
func (s *Store) describeEndpoints(request.Members) ([]byte, error) {
	region, _ := s.placeOf("")
	b := appendQuoted([]byte(`{"Endpoints":[{"Address":`), "dynamodb."+region+".amazonaws.com")
	return append(b, `,"CachePeriodInMinutes":1440}]}`...), nil
}

// describeContinuousBackups says that point-in-time recovery is disabled, for tools that
// ask about every table.
func (s *Store) describeContinuousBackups(m request.Members) ([]byte, error) {
	name, err := request.TableNameOf(m)
	if err != nil {
		return nil, err
	}
	if s.table(name) == nil {
		return nil, refuse("TableNotFoundException", "Table not found: %s", name)
	}
	return []byte(`{"ContinuousBackupsDescription":{"ContinuousBackupsStatus":"ENABLED",` +
		`"PointInTimeRecoveryDescription":{"PointInTimeRecoveryStatus":"DISABLED"}}}`), nil
}

func (s *Store) deleteTable(m request.Members) ([]byte, error) {
	name, err := request.TableNameOf(m)
	if err != nil {
		return nil, err
	}
	var output []byte
	err = s.updateAlone(func(tx *pages.Tx) error {
		d := s.table(name)
		if d == nil {
			return noSuchTable(name)
		}
		if d.DeletionProtection {
			return attribute.Invalid("Resource cannot be deleted as it is currently protected against deletion. " +
				"Disable deletion protection first.")
		}
		var err error
		if output, err = s.describe(tx, "TableDescription", d, "DELETING"); err != nil {
			return err
		}
		for _, bucket := range append(d.Buckets(), d.StreamBucket(), d.ReaderBucket()) {
			if tx.Bucket(bucket) == nil {
				continue
			}
			if err := tx.DeleteBucket(bucket); err != nil {
				return err
			}
		}
		if err := tx.Bucket(tablesBucket).Delete([]byte(name)); err != nil {
			return err
		}
		tx.OnCommit(func() { s.replaceTable(name, nil) })
		return nil
	})
	return output, err
}

// appendUnits writes capacity units, which may be halves.
func appendUnits(b []byte, units float64) []byte { return strconv.AppendFloat(b, units, 'f', -1, 64) }
