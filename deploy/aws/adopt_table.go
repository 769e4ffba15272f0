package aws

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"gatewright/deploy/account"
	"gatewright/deploy/drift"
	"gatewright/internal/cfn"
	"gatewright/internal/clock"
	"gatewright/internal/text/phrase"
	"gatewright/model"
)

// describedTable is a table as the service describes it, see
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TableDescription.html
type describedTable struct {
	TableArn, TableID, TableStatus string
	CreationDateTime               float64
	ItemCount                      int64
	KeySchema                      []keyElement
	AttributeDefinitions           []attributeDefinition
	GlobalSecondaryIndexes         []describedIndex
	LocalSecondaryIndexes          []struct{ IndexName string }
	BillingModeSummary             struct{ BillingMode string }
	ProvisionedThroughput          throughput
	StreamSpecification            struct {
		StreamEnabled  bool
		StreamViewType string
	}
	DeletionProtectionEnabled bool
	SSEDescription            struct{ SSEType, KMSMasterKeyArn string }
	Replicas                  []struct{ RegionName string }

	// timeToLive is the attribute by which items expire, recovery says that backups of every moment are
	// kept; other operations tell them.
	timeToLive string
	recovery   bool
}

type (
	keyElement          struct{ AttributeName, KeyType string }
	attributeDefinition struct{ AttributeName, AttributeType string }
	throughput          struct{ ReadCapacityUnits, WriteCapacityUnits int }
	describedIndex      struct {
		IndexName  string
		KeySchema  []keyElement
		Projection struct {
			ProjectionType   string
			NonKeyAttributes []string
		}
		ProvisionedThroughput throughput
	}
)

// table looks for a table. It can be taken over if it has the key of the definition: all else
// the rest of the push brings in line, and that is told.
func (s *survey) table(m cfn.Member) error {
	name := property(m, "TableName")
	t, there, err := s.cloud.describeTable(s.ctx, name)
	if err = s.denied("the table "+name, err); err != nil || !there {
		return err
	}
	f := s.named(m, name)
	f.mark = t.mark()
	if err = s.denied("the time to live and the backups of the table "+name, s.describeKeeping(name, &t)); err != nil {
		return err
	}
	f.Text = s.itemsOf(name, t) + ", made " + clock.Moment(secondsOf(t.CreationDateTime))
	expires := textAt(m.Value, "Properties", "TimeToLiveSpecification", "AttributeName")
	owner, err := s.owner(tableType, name, s.tagsOfTable(t))
	if err != nil {
		return err
	}
	has, want := t.key(), keyOf(m.Value)
	const other = "remove it, or give the table or the environment another name"
	switch {
	case owner != "":
		f.belongs(owner)
	case t.TableStatus != "ACTIVE":
		f.Cannot, f.Fix = "its status is "+strings.ToLower(t.TableStatus), "wait until that ends, and push again"
	case has != want:
		f.Cannot, f.Fix = "its key is "+has+", that of the definition is "+want+", and a table keeps its key",
			"give the definition the key of the table, or "+other
	case len(t.LocalSecondaryIndexes) > 0:
		f.Cannot, f.Fix = "it has the local index "+phrase.Quote(t.LocalSecondaryIndexes[0].IndexName)+
			", which a definition cannot have", other
	case t.timeToLive != "" && expires != "" && t.timeToLive != expires:
		f.Cannot, f.Fix = "its items expire by "+phrase.Quote(t.timeToLive)+", those of the definition by "+
			phrase.Quote(expires)+", and AWS takes another attribute only an hour after the old one is turned off",
			"give the definition the attribute of the table, and change it later"
	case t.SSEDescription.SSEType == "KMS":
		f.Cannot, f.Fix = "it is encrypted with the key "+phrase.Quote(t.SSEDescription.KMSMasterKeyArn)+
			", which a definition cannot have", other
	case len(t.Replicas) > 0:
		f.Cannot, f.Fix = "it has a replica in "+phrase.Quote(t.Replicas[0].RegionName)+
			", which a definition cannot have", other
	}
	if f.Cannot == "" {
		f.Text += t.changes(m, f.Of.Name)
	}
	s.taken(f, m, map[string]string{"TableName": name}, t.properties(name, m.Value))
	return nil
}

// describeTable describes a table, if it is there.
func (c *session) describeTable(ctx context.Context, name string) (t describedTable, there bool, err error) {
	var out struct{ Table describedTable }
	there, err = isThere(c.Ask(ctx, account.Tables, "DescribeTable", map[string]any{"TableName": name}, &out))
	return out.Table, there, err
}

// describeKeeping finds out what a table's description has not, see
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_DescribeTimeToLive.html and
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_DescribeContinuousBackups.html
func (s *survey) describeKeeping(name string, t *describedTable) error {
	var ttl struct {
		TimeToLiveDescription struct{ TimeToLiveStatus, AttributeName string }
	}
	var backups struct {
		ContinuousBackupsDescription struct {
			PointInTimeRecoveryDescription struct{ PointInTimeRecoveryStatus string }
		}
	}
	in := map[string]any{"TableName": name}
	err := s.cloud.Ask(s.ctx, account.Tables, "DescribeTimeToLive", in, &ttl)
	if err == nil {
		err = s.cloud.Ask(s.ctx, account.Tables, "DescribeContinuousBackups", in, &backups)
	}
	if d := ttl.TimeToLiveDescription; strings.HasPrefix(d.TimeToLiveStatus, "ENABL") {
		t.timeToLive = d.AttributeName
	}
	t.recovery = backups.ContinuousBackupsDescription.PointInTimeRecoveryDescription.PointInTimeRecoveryStatus == "ENABLED"
	return err
}

// changes says what of a table that is taken over becomes what the definition says, and the command
// for a definition that keeps it as it is; "" for nothing.
func (t describedTable) changes(m cfn.Member, name string) string {
	resources := func(properties, other *cfn.Node) *cfn.Node {
		without := cfn.MapNode(slices.DeleteFunc(slices.Clone(properties.Members),
			func(p cfn.Member) bool { return p.Name == "Tags" })...)
		for _, p := range other.Members {
			if p.Value.Kind == cfn.Map && properties.Get(p.Name) == nil {
				without.With(p.Name, cfn.MapNode()) // so that what is in it is compared
			}
		}
		return cfn.MapNode().With("Resources",
			cfn.MapNode().With(m.Name, cfn.MapNode().WithText("Type", tableType).With("Properties", without)))
	}
	want, is := m.Value.Get("Properties"), t.properties(property(m, "TableName"), m.Value)
	differ := drift.Templates(resources(want, is), resources(is, want), func(string) bool { return false })
	if len(differ) == 0 {
		return ""
	}
	lines := drift.Words(tableType, differ[0].Differences, drift.Sides{Want: "in the definition", Is: "there"}, nil)
	text := "; it becomes what the definition says: " + strings.Join(lines, ", ")
	var keep []string
	for _, of := range []struct {
		property string
		flags    []string
	}{
		{"ProvisionedThroughput", []string{
			"--billing", model.Provisioned, "--read-capacity", fmt.Sprint(t.ProvisionedThroughput.ReadCapacityUnits),
			"--write-capacity", fmt.Sprint(t.ProvisionedThroughput.WriteCapacityUnits),
		}},
		{"StreamSpecification", []string{"--stream", t.StreamSpecification.StreamViewType}},
		{"TimeToLiveSpecification", []string{"--ttl", model.ShellWord(t.timeToLive)}},
		{"PointInTimeRecoverySpecification", []string{"--recovery"}},
		{"DeletionProtectionEnabled", []string{"--protect"}},
	} {
		has := is.Get(of.property)
		if to := want.Get(of.property); has != nil && (to == nil || string(to.Minified()) != string(has.Minified())) {
			keep = append(keep, of.flags...)
		}
	}
	if len(keep) > 0 {
		text += "; to keep that: gatewright update table " + model.ShellWord(name) + " " + strings.Join(keep, " ")
	}
	return text
}

// secondsOf is a time that a service gives as seconds since 1970.
func secondsOf(seconds float64) time.Time { return time.UnixMilli(int64(seconds * 1000)) }

// mark tells a table from a later one of its name.
func (t describedTable) mark() string { return fmt.Sprintf("%s %f", t.TableID, t.CreationDateTime) }

// itemsOf says how many items a table has. The service counts them every six hours only, so
// those of a table that one answer can tell are counted now.
func (s *survey) itemsOf(name string, t describedTable) string {
	var out struct {
		Count            int
		LastEvaluatedKey map[string]any
	}
	err := s.cloud.Ask(s.ctx, account.Tables, "Scan",
		map[string]any{"TableName": name, "Select": "COUNT", "ConsistentRead": true}, &out)
	switch {
	case err != nil:
		return phrase.Count(int(t.ItemCount), "item") + " when AWS last counted"
	case out.LastEvaluatedKey != nil:
		return "at least " + phrase.Count(out.Count, "item")
	}
	return phrase.Count(out.Count, "item")
}

// tagsOfTable are the tags of a table; none if they cannot be read.
func (s *survey) tagsOfTable(t describedTable) map[string]string {
	var out struct{ Tags []struct{ Key, Value string } }
	_ = s.cloud.Ask(s.ctx, account.Tables, "ListTagsOfResource", map[string]any{"ResourceArn": t.TableArn}, &out)
	tags := make(map[string]string)
	for _, tag := range out.Tags {
		tags[tag.Key] = tag.Value
	}
	return tags
}

// key is the key of a table for people, such as "id (S), at (N)".
func (t describedTable) key() string {
	return keyText(keySchemaOf(t.KeySchema), definitionsOf(t.AttributeDefinitions, nil))
}

// keyOf is the key of a table in a template.
func keyOf(table *cfn.Node) string {
	return keyText(table.Get("Properties", "KeySchema"), table.Get("Properties", "AttributeDefinitions"))
}

func keyText(schema, definitions *cfn.Node) string {
	var parts []string
	for _, kind := range []string{"HASH", "RANGE"} {
		for _, k := range schema.Items {
			if k.Get("KeyType").Text != kind {
				continue
			}
			name, is := k.Get("AttributeName").Text, ""
			for _, d := range definitions.Items {
				if d.Get("AttributeName").Text == name {
					is = d.Get("AttributeType").Text
				}
			}
			parts = append(parts, phrase.Quote(name)+" ("+is+")")
		}
	}
	return strings.Join(parts, ", ")
}

// properties are those of a table as it is, in the order of the definition, so that what is the
// same there is no change.
func (t describedTable) properties(name string, wanted *cfn.Node) *cfn.Node {
	properties := cfn.MapNode().WithText("TableName", name)
	provisioned := t.BillingModeSummary.BillingMode != "PAY_PER_REQUEST"
	if provisioned {
		properties.WithText("BillingMode", "PROVISIONED").With("ProvisionedThroughput", t.ProvisionedThroughput.node())
	} else {
		properties.WithText("BillingMode", "PAY_PER_REQUEST")
	}
	properties.
		With("AttributeDefinitions", definitionsOf(t.AttributeDefinitions, wanted.Get("Properties", "AttributeDefinitions"))).
		With("KeySchema", keySchemaOf(t.KeySchema))
	indexes := cfn.ListNode()
	for _, i := range inOrder(t.GlobalSecondaryIndexes, wanted.Get("Properties", "GlobalSecondaryIndexes"), "IndexName",
		func(i describedIndex) string { return i.IndexName }) {
		projection := cfn.MapNode().WithText("ProjectionType", i.Projection.ProjectionType)
		if len(i.Projection.NonKeyAttributes) > 0 {
			projection.WithTexts("NonKeyAttributes", i.Projection.NonKeyAttributes...)
		}
		index := cfn.MapNode().WithText("IndexName", i.IndexName).With("KeySchema",
			keySchemaOf(i.KeySchema)).With("Projection", projection)
		if provisioned {
			index.With("ProvisionedThroughput", i.ProvisionedThroughput.node())
		}
		indexes.Items = append(indexes.Items, index)
	}
	if len(indexes.Items) > 0 {
		properties.With("GlobalSecondaryIndexes", indexes)
	}
	if t.StreamSpecification.StreamEnabled {
		properties.With("StreamSpecification", cfn.MapNode().WithText("StreamViewType", t.StreamSpecification.StreamViewType))
	}
	if t.timeToLive != "" {
		properties.With("TimeToLiveSpecification",
			cfn.MapNode().WithText("AttributeName", t.timeToLive).WithBool("Enabled", true))
	}
	if t.DeletionProtectionEnabled {
		properties.WithBool("DeletionProtectionEnabled", true)
	}
	if t.recovery {
		properties.With("PointInTimeRecoverySpecification", cfn.MapNode().WithBool("PointInTimeRecoveryEnabled", true))
	}
	return properties
}

func (t throughput) node() *cfn.Node {
	return cfn.MapNode().WithNumber("ReadCapacityUnits", t.ReadCapacityUnits).WithNumber("WriteCapacityUnits",
		t.WriteCapacityUnits)
}

func keySchemaOf(schema []keyElement) *cfn.Node {
	list := cfn.ListNode()
	for _, kind := range []string{"HASH", "RANGE"} {
		for _, k := range schema {
			if k.KeyType == kind {
				list.Items = append(list.Items,
					cfn.MapNode().WithText("AttributeName", k.AttributeName).WithText("KeyType", k.KeyType))
			}
		}
	}
	return list
}

func definitionsOf(all []attributeDefinition, wanted *cfn.Node) *cfn.Node {
	list := cfn.ListNode()
	for _, d := range inOrder(all, wanted, "AttributeName",
		func(d attributeDefinition) string { return d.AttributeName }) {
		list.Items = append(list.Items,
			cfn.MapNode().WithText("AttributeName", d.AttributeName).WithText("AttributeType", d.AttributeType))
	}
	return list
}

// inOrder sorts things by the place that their names have in a list of a template. What the list
// does not have comes last.
func inOrder[T any](all []T, wanted *cfn.Node, property string, name func(T) string) []T {
	place := func(one T) int {
		if wanted == nil {
			return 0
		}
		i := slices.IndexFunc(wanted.Items,
			func(n *cfn.Node) bool { return n.Get(property) != nil && n.Get(property).Text == name(one) })
		if i < 0 {
			return len(wanted.Items)
		}
		return i
	}
	sorted := slices.Clone(all)
	slices.SortStableFunc(sorted, func(a, b T) int { return place(a) - place(b) })
	return sorted
}
