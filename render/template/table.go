package template

import (
	"gatewright/model"
	"gatewright/model/cloudtable"
)

// tableID is the logical id of a table.
func tableID(name string) string { return logicalID("Table", name) }

// tables makes the tables, with their indexes.
func (r *renderer) tables() {
	for _, t := range r.b.Tables {
		of := cloudtable.Of(t, t.DeployedName(r.env.Name))
		of.PointInTimeRecoverySpecification.PointInTimeRecoveryEnabled = r.env.Guarded || t.Recovery
		r.root.add(resource{
			id: tableID(t.Name), kind: "AWS::DynamoDB::Table", of: model.Ref{Kind: model.KindTable, Name: t.Name},
			is: "the table " + t.Name, kept: r.env.Guarded || t.Deletion != model.Delete,
			properties: of.Properties().With("Tags", r.tags()),
		})
	}
}
