package template

import (
	"gatewright/internal/cfn"
	"gatewright/model"
)

// tableID is the logical id of a table.
func tableID(name string) string { return logicalID("Table", name) }

// attributeTypes are the letters of the types of key attributes, see
// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-properties-dynamodb-table-attributedefinition.html
var attributeTypes = map[model.KeyType]string{
	model.StringKey: "S", model.NumberKey: "N", model.BinaryKey: "B",
}

// tables makes the tables, with their indexes.
func (r *renderer) tables() {
	for _, t := range r.b.Tables {
		properties := cfn.MapNode().WithText("TableName", t.DeployedName(r.env.Name))
		if t.IsProvisioned() {
			properties.WithText("BillingMode", "PROVISIONED").With("ProvisionedThroughput", throughputOf(t))
		} else {
			properties.WithText("BillingMode", "PAY_PER_REQUEST")
		}
		properties.
			With("AttributeDefinitions", attributesOf(t)).
			With("KeySchema", keySchema(t.PartitionKey, t.SortKey)).
			With("GlobalSecondaryIndexes", indexesOf(t)).
			With("StreamSpecification", streamOf(t))
		if t.TimeToLive != "" {
			properties.With("TimeToLiveSpecification",
				cfn.MapNode().WithText("AttributeName", t.TimeToLive).WithBool("Enabled", true))
		}
		if t.Protected {
			properties.WithBool("DeletionProtectionEnabled", true)
		}
		if r.env.Guarded || t.Recovery {
			properties.With("PointInTimeRecoverySpecification", cfn.MapNode().WithBool("PointInTimeRecoveryEnabled", true))
		}
		r.root.add(resource{
			id: tableID(t.Name), kind: "AWS::DynamoDB::Table", of: model.Ref{Kind: model.KindTable, Name: t.Name},
			is: "the table " + t.Name, kept: r.env.Guarded || t.Deletion != model.Delete,
			properties: properties.With("Tags", r.tags()),
		})
	}
}

// attributesOf lists the attributes that are keys, each once.
func attributesOf(t *model.Table) *cfn.Node {
	list, seen := cfn.ListNode(), make(map[string]bool)
	add := func(keys ...model.Key) {
		for _, k := range keys {
			if k.Name == "" || seen[k.Name] {
				continue
			}
			seen[k.Name] = true
			list.Items = append(list.Items, cfn.MapNode().
				WithText("AttributeName", k.Name).WithText("AttributeType", attributeTypes[k.Type]))
		}
	}
	add(t.PartitionKey, t.SortKey)
	for _, index := range t.Indexes {
		add(index.PartitionKey, index.SortKey)
	}
	return list
}

func keySchema(partition, sort model.Key) *cfn.Node {
	list := cfn.ListNode(cfn.MapNode().WithText("AttributeName", partition.Name).WithText("KeyType", "HASH"))
	if sort.Name != "" {
		list.Items = append(list.Items, cfn.MapNode().WithText("AttributeName", sort.Name).WithText("KeyType", "RANGE"))
	}
	return list
}

// indexesOf makes the indexes of a table, which have all attributes of its items.
func indexesOf(t *model.Table) *cfn.Node {
	if len(t.Indexes) == 0 {
		return nil
	}
	list := cfn.ListNode()
	for _, index := range t.Indexes {
		entry := cfn.MapNode().
			WithText("IndexName", index.Name).
			With("KeySchema", keySchema(index.PartitionKey, index.SortKey)).
			With("Projection", cfn.MapNode().WithText("ProjectionType", "ALL"))
		if t.IsProvisioned() {
			entry.With("ProvisionedThroughput", throughputOf(t))
		}
		list.Items = append(list.Items, entry)
	}
	return list
}

// throughputOf is the capacity of a table and of each of its indexes.
func throughputOf(t *model.Table) *cfn.Node {
	return cfn.MapNode().WithNumber("ReadCapacityUnits", t.ReadCapacity).WithNumber("WriteCapacityUnits", t.WriteCapacity)
}
