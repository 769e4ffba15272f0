package amplify

import (
	"path"

	"gatewright/internal/cfn"
	"gatewright/model"
	"gatewright/project/read"
)

// loadAmplifyTables reads the tables of the category storage, from the first of a table's
// files that has its keys: the answers that the Amplify CLI keeps, older parameters, or
// the template.
func (p *Project) loadAmplifyTables(base string) {
	for _, name := range p.FoldersIn(path.Join(base, "storage")) {
		table := &model.Table{Name: name}
		for _, file := range []string{"cli-inputs.json", "parameters.json", "storage-params.json"} {
			f, err := read.JSON(p.FS, path.Join(base, "storage", name, file))
			if err != nil {
				continue
			}
			root := f.Doc.Root()
			table.PartitionKey, table.SortKey = amplifyKey(root, "partitionKey"), amplifyKey(root, "sortKey")
			deployed, _ := root.Get("tableName")
			table.DeployedAs = deployed.Text()
			table.Indexes = amplifyIndexes(root)
			table.Triggers = amplifyStreamTriggers(root)
			if table.PartitionKey.Name != "" {
				break
			}
		}
		if table.PartitionKey.Name == "" || len(table.Indexes) == 0 {
			p.completeTable(table)
		}
		if table.PartitionKey.Name != "" {
			p.Backend.Tables = append(p.Backend.Tables, table)
		}
	}
}

// completeTable adds the keys and indexes of a table's template that its other files
// lack.
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
