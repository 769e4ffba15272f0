package table

import (
	"gatewright/sandbox/table/attribute"
)

// errKeySchema refuses attributes that are not those of a key.
var errKeySchema = attribute.Invalid("The provided key element does not match the schema")

// checkItem refuses an item whose key is missing, empty, too long or of the wrong type, in
// the table or in an index.
func (d *definition) checkItem(item attribute.Item) error {
	for i, name := range d.keys.names() {
		v := item[name]
		if v == nil {
			return attribute.InvalidParameter("Missing the key %s in the item", name)
		}
		if kind := d.keys.kind(i); v.Kind != kind {
			return attribute.InvalidParameter("Type mismatch for key %s expected: %s actual: %s", name, kind, v.Kind)
		}
	}
	if err := d.keys.checkContent(item); err != nil {
		return err
	}
	return d.checkIndexed(item)
}

// checkKey refuses a key whose attributes are not exactly those of the table's key.
func (d *definition) checkKey(key attribute.Item) error {
	names := d.keys.names()
	if len(key) != len(names) {
		return errKeySchema
	}
	for i, name := range names {
		if v := key[name]; v == nil || v.Kind != d.keys.kind(i) {
			return errKeySchema
		}
	}
	return d.keys.checkContent(key)
}

// kind is the type of the first (0) or second (1) attribute of the key.
func (k keys) kind(i int) attribute.Kind {
	if i == 0 {
		return k.partitionKind
	}
	return k.sortKind
}

// checkContent refuses key attributes that are empty or too long.
func (k keys) checkContent(item attribute.Item) error {
	for _, name := range k.names() {
		if what := emptyKind(item[name]); what != "" {
			return attribute.Invalid("One or more parameter values are not valid. "+
				"The AttributeValue for a key attribute cannot contain an empty %s value. Key: %s", what, name)
		}
	}
	if length(item[k.partition]) > longestPartition {
		return attribute.InvalidParameter("Size of hashkey has exceeded the maximum size limit of%d bytes", longestPartition)
	}
	if k.sort != "" && length(item[k.sort]) > longestSort {
		return attribute.InvalidParameter("Aggregated size of all range keys has exceeded the size limit of %d bytes", longestSort)
	}
	return nil
}

// emptyKind names the type of an empty value in the service's words. It is empty for other
// values.
func emptyKind(v *attribute.Value) string {
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

// checkIndexed refuses attributes that cannot be the key of an index.
func (d *definition) checkIndexed(item attribute.Item) error {
	for _, x := range d.indexes {
		for i, name := range x.keys.names() {
			v := item[name]
			if v == nil {
				continue
			}
			if kind := x.keys.kind(i); v.Kind != kind {
				return attribute.InvalidParameter("Type mismatch for Index Key %s Expected: %s Actual: %s IndexName: %s", name, kind, v.Kind, x.IndexName)
			}
			if what := emptyKind(v); what != "" {
				return attribute.Invalid("One or more parameter values are not valid. A value specified for a secondary index key is not "+
					"supported. The AttributeValue for a key attribute cannot contain an empty %s value. IndexName: %s, IndexKey: %s",
					what, x.IndexName, name)
			}
			if i == 0 && length(v) > longestPartition {
				return attribute.InvalidParameter("Size of hashkey has exceeded the maximum size limit of%d bytes", longestPartition)
			}
			if i == 1 && length(v) > longestSort {
				return attribute.InvalidParameter("Aggregated size of all range keys has exceeded the size limit of %d bytes", longestSort)
			}
		}
	}
	return nil
}

// checkPaths refuses paths into key attributes of the table or an index. names are the
// attributes that the paths lead into.
func (d *definition) checkPaths(names []string) error {
	for _, name := range names {
		if d.keys.has(name) {
			return attribute.Invalid("Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: Key: %s", name)
		}
		for _, x := range d.indexes {
			if x.keys.has(name) {
				return attribute.Invalid("Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: IndexKey: %s", name)
			}
		}
	}
	return nil
}
