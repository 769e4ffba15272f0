package aws

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"gatewright/deploy/account"
	"gatewright/deploy/drift"
	"gatewright/internal/cfn"
	"gatewright/internal/clock"
	"gatewright/internal/text/phrase"
	"gatewright/model/cloudtable"
)

// describedTable is a table as the service describes it, see
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TableDescription.html Other
// operations tell how its items expire, and whether point-in-time backups are kept.
type describedTable struct {
	cloudtable.Table

	TableArn, TableID, TableStatus string
	CreationDateTime               float64
	ItemCount                      int64
	LocalSecondaryIndexes          []struct{ IndexName string }
	BillingModeSummary             struct{ BillingMode string }
	SSEDescription                 struct{ SSEType, KMSMasterKeyArn string }
	Replicas                       []struct{ RegionName string }
}

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
	is, expires := t.TimeToLiveSpecification.AttributeName,
		textAt(m.Value, "Properties", "TimeToLiveSpecification", "AttributeName")
	owner, err := s.owner(tableType, name, s.tagsOfTable(t))
	if err != nil {
		return err
	}
	has, want := t.KeyText(t.KeySchema), keyOf(m.Value)
	const other = "remove it, or give the table or the environment another name"
	switch {
	case owner != "":
		f.belongs(owner)
	case t.TableStatus != "ACTIVE":
		f.Cannot, f.Fix = "its status is "+strings.ToLower(t.TableStatus), "wait for it, and push again"
	case has != want:
		f.Cannot, f.Fix = "its key is "+has+", the key in the definition is "+want+", and a table cannot change its key",
			"put the key of the existing table into the definition, or "+other
	case len(t.LocalSecondaryIndexes) > 0:
		f.Cannot, f.Fix = "it has the local index "+phrase.Quote(t.LocalSecondaryIndexes[0].IndexName)+
			", which a definition cannot express", other
	case is != "" && expires != "" && is != expires:
		f.Cannot, f.Fix = "its items expire by "+phrase.Quote(is)+", in the definition by "+
			phrase.Quote(expires)+", and AWS accepts a new attribute only an hour after the old one is turned off",
			"put the attribute of the existing table into the definition, and change it later"
	case t.SSEDescription.SSEType == "KMS":
		f.Cannot, f.Fix = "it is encrypted with the key "+phrase.Quote(t.SSEDescription.KMSMasterKeyArn)+
			", which a definition cannot express", other
	case len(t.Replicas) > 0:
		f.Cannot, f.Fix = "it has a replica in "+phrase.Quote(t.Replicas[0].RegionName)+
			", which a definition cannot express", other
	case !s.First():
		f.Cannot = "its environment is deployed, so it adopts nothing"
		f.Fix = "remove it in AWS, or give the table another name"
	}
	if f.Cannot == "" {
		f.Text += t.changes(m)
	}
	s.taken(f, m, map[string]string{"TableName": name}, t.properties(m.Value))
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
	var told struct {
		TimeToLiveDescription        struct{ TimeToLiveStatus, AttributeName string }
		ContinuousBackupsDescription struct {
			PointInTimeRecoveryDescription struct{ PointInTimeRecoveryStatus string }
		}
	}
	for _, operation := range []string{"DescribeTimeToLive", "DescribeContinuousBackups"} {
		if err := s.cloud.Ask(s.ctx, account.Tables, operation, map[string]any{"TableName": name}, &told); err != nil {
			return err
		}
	}
	if d := told.TimeToLiveDescription; strings.HasPrefix(d.TimeToLiveStatus, "ENABL") {
		t.TimeToLiveSpecification = cloudtable.TimeToLive{AttributeName: d.AttributeName, Enabled: true}
	}
	backups := told.ContinuousBackupsDescription.PointInTimeRecoveryDescription.PointInTimeRecoveryStatus
	t.PointInTimeRecoverySpecification.PointInTimeRecoveryEnabled = backups == "ENABLED"
	return nil
}

// changes says what of a table that is taken over becomes what the definition says; "" for nothing.
func (t describedTable) changes(m cfn.Member) string {
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
	want, is := m.Value.Get("Properties"), t.properties(m.Value)
	differ := drift.Templates(resources(want, is), resources(is, want), func(string) bool { return false })
	if len(differ) == 0 {
		return ""
	}
	lines := drift.Words(tableType, differ[0].Differences, drift.Sides{Want: "in the definition", Is: "there"}, nil)
	return "; it becomes what the definition says: " + strings.Join(lines, ", ") +
		"; put the settings to keep into the definition"
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

// keyOf is the key of a table in a template, for people.
func keyOf(table *cfn.Node) string {
	var t cloudtable.Table
	for name, into := range map[string]any{"KeySchema": &t.KeySchema, "AttributeDefinitions": &t.AttributeDefinitions} {
		if n := table.Get("Properties", name); n != nil {
			_ = json.Unmarshal(n.Minified(), into) // what has another form is no key
		}
	}
	return t.KeyText(t.KeySchema)
}

// properties are those of a table as it is, in the order of the definition, so that what is the
// same there is no change.
func (t describedTable) properties(wanted *cfn.Node) *cfn.Node {
	all := t.Table
	all.AttributeDefinitions = inOrder(all.AttributeDefinitions, wanted.Get("Properties", "AttributeDefinitions"),
		"AttributeName", func(a cloudtable.Attribute) string { return a.AttributeName })
	all.GlobalSecondaryIndexes = inOrder(all.GlobalSecondaryIndexes,
		wanted.Get("Properties", "GlobalSecondaryIndexes"), "IndexName",
		func(i cloudtable.Index) string { return i.IndexName })
	if all.BillingMode = cloudtable.Provisioned; t.BillingModeSummary.BillingMode == cloudtable.OnDemand {
		all.BillingMode, all.ProvisionedThroughput = cloudtable.OnDemand, cloudtable.Throughput{}
		for i := range all.GlobalSecondaryIndexes {
			all.GlobalSecondaryIndexes[i].ProvisionedThroughput = cloudtable.Throughput{}
		}
	}
	if !all.StreamSpecification.StreamEnabled {
		all.StreamSpecification = cloudtable.Stream{}
	}
	return all.Properties()
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
