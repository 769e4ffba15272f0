package amplify

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"gatewright/internal/cfn"
	"gatewright/internal/text/lazyregexp"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/check"
	"gatewright/model/cloudtable"
	"gatewright/project/read"
)

// loadAmplifyTables reads the tables of the category storage, from the first of a table's files that has its keys:
// the answers that the Amplify CLI keeps, older parameters, or the template.
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
				Text: "was created outside the project, which does not know its keys, so the sandbox does not have it",
				Fix:  "if it is a table, name a service that has it: gatewright sandbox --table-endpoint URL",
			})
		}
	}
}

// scalars are the numbers and truth values that a template has as texts, as it may.
var scalars = lazyregexp.New(`:"(true|false|[0-9]+)"`)

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
		var is cloudtable.Table
		// What is not known is not given.
		_ = json.Unmarshal(scalars().ReplaceAll(resolver.Resolve(resource.Properties).JSON(), []byte(":$1")), &is)
		if table.PartitionKey.Name == "" {
			table.PartitionKey, table.SortKey = is.Keys(is.KeySchema)
		}
		table.DeployedAs = cmp.Or(table.DeployedAs, is.TableName)
		keeping(table, is)
		if len(table.Indexes) > 0 {
			return
		}
		for _, i := range is.GlobalSecondaryIndexes {
			index := model.Index{Name: i.IndexName}
			index.PartitionKey, index.SortKey = is.Keys(i.KeySchema)
			if index.Name != "" && index.PartitionKey.Name != "" {
				table.Indexes = append(table.Indexes, index)
			}
		}
		return
	}
}

// keeping reads how long a table and its items stay, and how it is paid: without a mode, and with
// capacities, it is provisioned.
func keeping(table *model.Table, is cloudtable.Table) {
	if is.TimeToLiveSpecification.Enabled {
		table.TimeToLive = is.TimeToLiveSpecification.AttributeName
	}
	table.Recovery = is.PointInTimeRecoverySpecification.PointInTimeRecoveryEnabled
	table.Protected = is.DeletionProtectionEnabled
	if view := is.StreamSpecification.StreamViewType; slices.Contains(model.StreamViews, view) {
		table.StreamView = view
	}
	units := is.ProvisionedThroughput
	if is.BillingMode != cloudtable.OnDemand && units.ReadCapacityUnits > 0 && units.WriteCapacityUnits > 0 {
		table.Billing = model.Provisioned
		table.ReadCapacity, table.WriteCapacity = units.ReadCapacityUnits, units.WriteCapacityUnits
	}
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
