package table

import (
	"slices"

	"gatewright/sandbox/pages"

	"gatewright/sandbox/table/attribute"
)

// createIndex adds an index; a backfill adds its entries later.
func (a *alteration) createIndex(tx *pages.Tx, d *definition, x index) error {
	if d.index(x.IndexName) != nil {
		return attribute.Invalid("Attempting to create an index which already exists")
	}
	if len(d.GlobalSecondaryIndexes) >= mostGlobalIndexes {
		return refuse("LimitExceededException", "Subscriber limit exceeded: GlobalSecondaryIndex count exceeds the per-table limit of %d", mostGlobalIndexes)
	}
	for _, given := range a.definitions {
		at := slices.IndexFunc(d.AttributeDefinitions, func(known attributeDefinition) bool { return known.AttributeName == given.AttributeName })
		switch {
		case at < 0:
			d.AttributeDefinitions = append(d.AttributeDefinitions, given)
		case d.AttributeDefinitions[at] != given:
			return attribute.InvalidParameter("Attribute %s is defined as %s and cannot become %s", given.AttributeName,
				d.AttributeDefinitions[at].AttributeType, given.AttributeType)
		}
	}
	if err := checkSchema(x.KeySchema, d.AttributeDefinitions); err != nil {
		return err
	}
	if err := checkProjection(x.Projection); err != nil {
		return err
	}
	d.NextIndex++
	x.Number, x.Status = d.NextIndex, statusCreating
	d.GlobalSecondaryIndexes = append(d.GlobalSecondaryIndexes, x)
	d.pruneDefinitions()
	_, err := tx.CreateBucket(d.indexBucket(&x))
	return err
}

// removeIndex removes an index and its entries.
func (d *definition) removeIndex(tx *pages.Tx, name string) error {
	at := d.globalIndex(name)
	if at < 0 {
		return errNoTable
	}
	if err := tx.DeleteBucket(d.indexBucket(&d.GlobalSecondaryIndexes[at])); err != nil {
		return err
	}
	d.GlobalSecondaryIndexes = slices.Delete(d.GlobalSecondaryIndexes, at, at+1)
	d.pruneDefinitions()
	return nil
}

func (d *definition) globalIndex(name string) int {
	return slices.IndexFunc(d.GlobalSecondaryIndexes, func(x index) bool { return x.IndexName == name })
}

// pruneDefinitions removes the definitions of attributes that no key uses any more.
func (d *definition) pruneDefinitions() {
	used := func(name string) bool {
		has := func(schema []keyElement) bool {
			return slices.ContainsFunc(schema, func(e keyElement) bool { return e.AttributeName == name })
		}
		hasIndex := func(x index) bool { return has(x.KeySchema) }
		return has(d.KeySchema) || slices.ContainsFunc(d.LocalSecondaryIndexes, hasIndex) || slices.ContainsFunc(d.GlobalSecondaryIndexes, hasIndex)
	}
	d.AttributeDefinitions = slices.DeleteFunc(d.AttributeDefinitions, func(a attributeDefinition) bool { return !used(a.AttributeName) })
}
