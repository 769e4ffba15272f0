package schema

import (
	"gatewright/sandbox/table/attribute"
)

// ErrKeySchema refuses attributes that are not those of a key.
var ErrKeySchema = attribute.Invalid("The provided key element does not match the schema")

// CheckItem refuses an item whose key is missing, empty, too long or of the wrong type, in
// the table or in an index.
func (d *Table) CheckItem(item attribute.Item) error {
	for i, name := range d.Keys.Names() {
		v := item[name]
		if v == nil {
			return attribute.InvalidParameter("Missing the key %s in the item", name)
		}
		if kind := d.Keys.Kind(i); v.Kind != kind {
			return attribute.InvalidParameter("Type mismatch for key %s expected: %s actual: %s", name, kind, v.Kind)
		}
	}
	if err := d.Keys.checkContent(item); err != nil {
		return err
	}
	return d.CheckIndexed(item)
}

// CheckKey refuses a key whose attributes are not exactly those of the table's key.
func (d *Table) CheckKey(key attribute.Item) error {
	names := d.Keys.Names()
	if len(key) != len(names) {
		return ErrKeySchema
	}
	for i, name := range names {
		if v := key[name]; v == nil || v.Kind != d.Keys.Kind(i) {
			return ErrKeySchema
		}
	}
	return d.Keys.checkContent(key)
}

// Kind is the type of the first (0) or second (1) attribute of the key.
func (k Keys) Kind(i int) attribute.Kind {
	if i == 0 {
		return k.PartitionKind
	}
	return k.SortKind
}

// checkContent refuses key attributes that are empty or too long.
func (k Keys) checkContent(item attribute.Item) error {
	for _, name := range k.Names() {
		if what := EmptyKind(item[name]); what != "" {
			return attribute.Invalid("One or more parameter values are not valid. "+
				"The AttributeValue for a key attribute cannot contain an empty %s value. Key: %s", what, name)
		}
	}
	if length(item[k.Partition]) > LongestPartition {
		return attribute.InvalidParameter("Size of hashkey has exceeded the maximum size limit of%d bytes", LongestPartition)
	}
	if k.Sort != "" && length(item[k.Sort]) > LongestSort {
		return attribute.InvalidParameter("Aggregated size of all range keys has exceeded the size limit of %d bytes",
			LongestSort)
	}
	return nil
}

// EmptyKind names the type of an empty value in the service's words. It is empty for other
// values.
func EmptyKind(v *attribute.Value) string {
	switch {
	case v.Kind == attribute.S && v.Text == "":
		return "string"
	case v.Kind == attribute.B && len(v.Bytes) == 0:
		return "binary"
	}
	return ""
}

func length(v *attribute.Value) int {
	switch v.Kind {
	case attribute.S:
		return len(v.Text)
	case attribute.B:
		return len(v.Bytes)
	}
	return 0
}

// CheckIndexed refuses attributes that cannot be the key of an index.
func (d *Table) CheckIndexed(item attribute.Item) error {
	for _, x := range d.Indexes {
		for i, name := range x.Keys.Names() {
			v := item[name]
			if v == nil {
				continue
			}
			if kind := x.Keys.Kind(i); v.Kind != kind {
				return attribute.InvalidParameter("Type mismatch for Index Key %s Expected: %s Actual: %s IndexName: %s", name,
					kind, v.Kind, x.IndexName)
			}
			if what := EmptyKind(v); what != "" {
				return attribute.Invalid("One or more parameter values are not valid. A value specified for a secondary "+
					"index key is not "+
					"supported. The AttributeValue for a key attribute cannot contain an empty %s value. IndexName: %s, IndexKey: %s",
					what, x.IndexName, name)
			}
			if i == 0 && length(v) > LongestPartition {
				return attribute.InvalidParameter("Size of hashkey has exceeded the maximum size limit of%d bytes",
					LongestPartition)
			}
			if i == 1 && length(v) > LongestSort {
				return attribute.InvalidParameter("Aggregated size of all range keys has exceeded the size limit of %d bytes",
					LongestSort)
			}
		}
	}
	return nil
}

// CheckPaths refuses paths into key attributes of the table or an index. names are the
// attributes that the paths lead into.
func (d *Table) CheckPaths(names []string) error {
	for _, name := range names {
		if d.Keys.Has(name) {
			return attribute.Invalid("Key attributes must be scalars; list random access '[]' and map lookup '.' are not "+
				"allowed: Key: %s", name)
		}
		for _, x := range d.Indexes {
			if x.Keys.Has(name) {
				return attribute.Invalid("Key attributes must be scalars; list random access '[]' and map lookup '.' are not "+
					"allowed: IndexKey: %s", name)
			}
		}
	}
	return nil
}
