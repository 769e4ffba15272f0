package amplify

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"gatewright/internal/cfn"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/check"
	"gatewright/project/read"
)

// loadAmplifyTables reads the tables of the category storage, from the first of a table's
// files that has its keys: the answers that the Amplify CLI keeps, older parameters, or
// the template.
func (p *Project) loadAmplifyTables(base string) {
	for _, name := range p.FoldersIn(path.Join(base, "storage")) {
		table := &model.Table{Name: name}
		var broken *read.Problem
		for _, file := range []string{"cli-inputs.json", "parameters.json", "storage-params.json"} {
			f, err := read.JSON(p.FS, path.Join(base, "storage", name, file))
			if errors.As(err, &broken) || err != nil {
				continue
			}
			root := f.Doc.Root()
			table.PartitionKey, table.SortKey = amplifyKey(root, "partitionKey"), amplifyKey(root, "sortKey")
			deployed, _ := root.Get("tableName")
			table.DeployedAs = deployed.Text()
			p.amplifyIndexes(f, table)
			table.Triggers = amplifyStreamTriggers(root)
			if table.PartitionKey.Name != "" {
				break
			}
		}
		p.completeTable(table)
		if broken != nil {
			if table.PartitionKey.Name != "" {
				broken.Level = model.Warning
				broken.Text += "; the table is as its template has it"
			}
			p.Problems = append(p.Problems, broken)
		}
		switch {
		case table.PartitionKey.Name != "":
			p.Backend.Tables = append(p.Backend.Tables, table)
		case p.Parameters("storage", name, "")["serviceType"] == "imported":
			p.Problems = append(p.Problems, &read.Problem{
				File: path.Join(base, "storage", name), Level: model.Warning,
				Text: "was made outside of the project, which does not know what keys it has, so it is not here",
				Fix:  "if it is a table, name a service that has it: gatewright sandbox --table-endpoint URL",
			})
		}
	}
}

// completeTable adds the keys and indexes of a table's template that its other files
// lack, and what only the template has.
func (p *Project) completeTable(table *model.Table) {
	template := p.Template("storage", table.Name)
	if template == nil {
		return
	}
	// The template also makes names with the environment, which are not wanted here.
	given := cfn.Given{Parameters: map[string]cfn.Value{"env": cfn.Text("NONE")}}
	for name, value := range p.Parameters("storage", table.Name, "") {
		given.Parameters[name] = cfn.Text(value)
	}
	resolver := template.With(given)
	for _, resource := range template.Resources() {
		if resource.Type != "AWS::DynamoDB::Table" {
			continue
		}
		properties := resolver.Resolve(resource.Properties)
		types := attributeTypes(properties)
		if table.PartitionKey.Name == "" {
			table.PartitionKey, table.SortKey = schemaKeys(properties, types)
		}
		if name, _ := properties.Get("TableName"); table.DeployedAs == "" {
			table.DeployedAs, _ = name.String()
		}
		keeping(table, properties)
		if len(table.Indexes) > 0 {
			return
		}
		indexes, _ := properties.Get("GlobalSecondaryIndexes")
		for _, entry := range indexes.List {
			name, _ := entry.Get("IndexName")
			index := model.Index{}
			index.Name, _ = name.String()
			index.PartitionKey, index.SortKey = schemaKeys(entry, types)
			if index.Name != "" && index.PartitionKey.Name != "" {
				table.Indexes = append(table.Indexes, index)
			}
		}
		return
	}
}

// keeping reads how long a table and its items stay, and how it is paid: without a mode, and with
// capacities, it is provisioned
// (https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-dynamodb-table.html).
func keeping(table *model.Table, properties cfn.Value) {
	at := func(names ...string) string {
		of := properties
		for _, name := range names {
			of, _ = of.Get(name)
		}
		text, _ := of.String()
		return text
	}
	if at("TimeToLiveSpecification", "Enabled") == "true" {
		table.TimeToLive = at("TimeToLiveSpecification", "AttributeName")
	}
	table.Recovery = at("PointInTimeRecoverySpecification", "PointInTimeRecoveryEnabled") == "true"
	table.Protected = at("DeletionProtectionEnabled") == "true"
	if view := at("StreamSpecification", "StreamViewType"); slices.Contains(model.StreamViews, view) {
		table.StreamView = view
	}
	reads, noReads := strconv.Atoi(at("ProvisionedThroughput", "ReadCapacityUnits"))
	writes, noWrites := strconv.Atoi(at("ProvisionedThroughput", "WriteCapacityUnits"))
	if at("BillingMode") != "PAY_PER_REQUEST" && noReads == nil && noWrites == nil && reads > 0 && writes > 0 {
		table.Billing, table.ReadCapacity, table.WriteCapacity = model.Provisioned, reads, writes
	}
}

// attributeTypes returns the types of the attributes that a table's keys are made of.
func attributeTypes(table cfn.Value) map[string]model.KeyType {
	types := make(map[string]model.KeyType)
	definitions, _ := table.Get("AttributeDefinitions")
	for _, entry := range definitions.List {
		name, _ := entry.Get("AttributeName")
		kind, _ := entry.Get("AttributeType")
		types[name.Text] = map[string]model.KeyType{
			"S": model.StringKey, "N": model.NumberKey,
			"B": model.BinaryKey,
		}[kind.Text]
	}
	return types
}

// schemaKeys reads a KeySchema
// (https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_KeySchemaElement.html).
func schemaKeys(of cfn.Value, types map[string]model.KeyType) (partition, sort model.Key) {
	schema, _ := of.Get("KeySchema")
	for _, entry := range schema.List {
		attribute, _ := entry.Get("AttributeName")
		name, known := attribute.String()
		kind, _ := entry.Get("KeyType")
		key := model.Key{Name: name, Type: types[name]}
		switch {
		case !known || key.Type == "":
		case kind.Text == "HASH":
			partition = key
		case kind.Text == "RANGE":
			sort = key
		}
	}
	return partition, sort
}

// amplifyIndexes reads the indexes of a table. One that a table cannot have is told, and left out, so
// that the rest of the table runs.
func (p *Project) amplifyIndexes(f *read.File, table *model.Table) {
	table.Indexes = nil
	list, _ := f.Doc.Root().Get("gsi")
	for i, entry := range list.Elements() {
		name, _ := entry.Get("name")
		index := model.Index{
			Name: name.Text(), PartitionKey: amplifyKey(entry, "partitionKey"),
			SortKey: amplifyKey(entry, "sortKey"),
		}
		if index.Name == "" || index.PartitionKey.Name == "" {
			continue
		}
		with := *table
		with.Indexes = append(slices.Clip(table.Indexes), index)
		at := fmt.Sprintf("/indexes/%d", len(table.Indexes))
		problems := check.New(&model.Backend{}).CheckTable(&with)
		wrong := slices.IndexFunc(problems, func(one *model.Problem) bool { return strings.HasPrefix(one.Pointer, at) })
		if wrong < 0 {
			table.Indexes = with.Indexes
			continue
		}
		one := problems[wrong]
		p.Problems = append(p.Problems, f.Problem(model.Warning, fmt.Sprintf("/gsi/%d", i)+one.Pointer[len(at):], one.Fix,
			"table %s: %s; this index is left out", phrase.Quote(table.Name), one.Text))
	}
}
