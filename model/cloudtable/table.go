// Package cloudtable says what a table is in AWS. DynamoDB and CloudFormation have the same names for it, see
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_CreateTable.html and
// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-dynamodb-table.html
package cloudtable

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"gatewright/internal/cfn"
	"gatewright/internal/text/phrase"
	"gatewright/model"
)

// The ways in which a table is paid.
const (
	Provisioned = "PROVISIONED"
	OnDemand    = "PAY_PER_REQUEST"
)

// KeyTypes are the types of key attributes, by those of a definition.
var KeyTypes = map[model.KeyType]string{model.StringKey: "S", model.NumberKey: "N", model.BinaryKey: "B"}

type (
	// Table is a table, as CreateTable takes and DescribeTable describes it, and as a template has it.
	Table struct {
		TableName              string
		BillingMode            string     `json:",omitempty"`
		ProvisionedThroughput  Throughput `json:",omitzero"`
		AttributeDefinitions   []Attribute
		KeySchema              []KeyElement
		GlobalSecondaryIndexes []Index `json:",omitempty"`
		StreamSpecification    Stream  `json:",omitzero"`
		// TimeToLiveSpecification and PointInTimeRecoverySpecification are for templates alone.
		TimeToLiveSpecification          TimeToLive `json:",omitzero"`
		DeletionProtectionEnabled        bool       `json:",omitempty"`
		PointInTimeRecoverySpecification Recovery   `json:",omitzero"`
	}
	// Throughput is what a table or an index is provisioned for.
	Throughput struct{ ReadCapacityUnits, WriteCapacityUnits int }
	// Attribute is the type of an attribute that is in keys.
	Attribute struct{ AttributeName, AttributeType string }
	// KeyElement is an attribute of a key.
	KeyElement struct{ AttributeName, KeyType string }
	// Index is a secondary index.
	Index struct {
		IndexName             string
		KeySchema             []KeyElement
		Projection            Projection
		ProvisionedThroughput Throughput `json:",omitzero"`
	}
	// Projection is what an index has of its items.
	Projection struct {
		ProjectionType   string
		NonKeyAttributes []string `json:",omitempty"`
	}
	// Stream is the stream of a table. A template has no StreamEnabled.
	Stream struct {
		StreamEnabled  bool   `json:",omitempty"`
		StreamViewType string `json:",omitempty"`
	}
	// TimeToLive is the attribute by which items expire.
	TimeToLive struct {
		AttributeName string
		Enabled       bool
	}
	// Recovery says whether point-in-time backups are kept.
	Recovery struct{ PointInTimeRecoveryEnabled bool }
)

// Of is the table of a definition, under the name of the deployed one.
func Of(t *model.Table, name string) Table {
	made := Table{
		TableName: name, BillingMode: OnDemand, KeySchema: keySchema(t.PartitionKey, t.SortKey),
		StreamSpecification:              Stream{StreamViewType: t.View()},
		TimeToLiveSpecification:          TimeToLive{t.TimeToLive, t.TimeToLive != ""},
		DeletionProtectionEnabled:        t.Protected,
		PointInTimeRecoverySpecification: Recovery{t.Recovery},
	}
	if t.IsProvisioned() {
		made.BillingMode, made.ProvisionedThroughput = Provisioned, Throughput{t.ReadCapacity, t.WriteCapacity}
	}
	made.attributes(t.PartitionKey, t.SortKey)
	for _, i := range t.Indexes {
		made.attributes(i.PartitionKey, i.SortKey)
		made.GlobalSecondaryIndexes = append(made.GlobalSecondaryIndexes, Index{
			i.Name, keySchema(i.PartitionKey, i.SortKey), Projection{ProjectionType: "ALL"}, made.ProvisionedThroughput,
		})
	}
	return made
}

// attributes adds the attributes of a key, each once.
func (t *Table) attributes(keys ...model.Key) {
	for _, k := range keys {
		if k.Name != "" && t.typeOf(k.Name) == "" {
			t.AttributeDefinitions = append(t.AttributeDefinitions, Attribute{k.Name, KeyTypes[k.Type]})
		}
	}
}

func keySchema(partition, sort model.Key) []KeyElement {
	keys := []KeyElement{{partition.Name, "HASH"}}
	if sort.Name != "" {
		keys = append(keys, KeyElement{sort.Name, "RANGE"})
	}
	return keys
}

// typeOf is the type of an attribute; "" for one that is in no key.
func (t *Table) typeOf(attribute string) string {
	at := slices.IndexFunc(t.AttributeDefinitions, func(a Attribute) bool { return a.AttributeName == attribute })
	if at < 0 {
		return ""
	}
	return t.AttributeDefinitions[at].AttributeType
}

// Keys are the attributes of a key of the table or of an index, whose types are known.
func (t *Table) Keys(schema []KeyElement) (partition, sort model.Key) {
	for _, k := range schema {
		key := model.Key{Name: k.AttributeName}
		for of, letter := range KeyTypes {
			if letter == t.typeOf(k.AttributeName) {
				key.Type = of
			}
		}
		switch {
		case key.Type == "":
		case k.KeyType == "HASH":
			partition = key
		case k.KeyType == "RANGE":
			sort = key
		}
	}
	return partition, sort
}

// KeyText is a key of the table or of an index for people, such as "id (S), at (N)".
func (t *Table) KeyText(keys []KeyElement) string {
	var words []string
	for _, k := range sorted(keys) {
		words = append(words, phrase.Quote(k.AttributeName)+" ("+cmp.Or(t.typeOf(k.AttributeName), "?")+")")
	}
	return strings.Join(words, ", ")
}

// sorted is a key with its partition key first.
func sorted(keys []KeyElement) []KeyElement {
	return slices.SortedStableFunc(slices.Values(keys),
		func(a, b KeyElement) int { return strings.Compare(a.KeyType, b.KeyType) })
}

// Properties are those of the table in a template.
func (t Table) Properties() *cfn.Node {
	t.KeySchema, t.StreamSpecification.StreamEnabled = sorted(t.KeySchema), false
	text, err := json.Marshal(t)
	if err != nil {
		panic(err) // it has nothing but texts, numbers and truth values
	}
	properties, err := cfn.ParseJSON("table", text)
	if err != nil {
		panic(err)
	}
	return properties
}
