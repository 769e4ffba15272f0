package table

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gatewright/sandbox/table/attribute"
)

// wantedTable is the request of CreateTable.
type wantedTable struct {
	name        string
	definitions []attributeDefinition
	schema      []keyElement
	billing     string
	throughput  *throughput
	local       []index
	global      []index
	stream      string
	tags        []tag
	protected   bool
}

const mostUnits = 1_000_000_000_000

// readAttributeDefinitions reads the types of the attributes that keys consist of.
func readAttributeDefinitions(m members, c *constraints) ([]attributeDefinition, error) {
	list, err := m.list("AttributeDefinitions")
	if err != nil {
		return nil, err
	}
	out := make([]attributeDefinition, len(list))
	for i, v := range list {
		e, err := parseMembers(v, elementOf("AttributeDefinition"))
		if err != nil {
			return nil, err
		}
		path := "attributeDefinitions." + strconv.Itoa(i+1) + ".member."
		name, err := e.text("AttributeName")
		if err != nil {
			return nil, err
		}
		kind, err := e.text("AttributeType")
		if err != nil {
			return nil, err
		}
		c.Require(name != nil, path+"attributeName")
		if c.Require(kind != nil, path+"attributeType") {
			c.Enum(kind, path+"attributeType", "B", "N", "S")
		}
		out[i] = attributeDefinition{orEmpty(name), orEmpty(kind)}
	}
	return out, nil
}

func readKeySchema(m members, path string, c *constraints) ([]keyElement, error) {
	list, err := m.list("KeySchema")
	if err != nil || !c.Require(list != nil, path) {
		return nil, err
	}
	out := make([]keyElement, len(list))
	shown := make([]string, len(list))
	for i, v := range list {
		e, err := parseMembers(v, elementOf("KeySchemaElement"))
		if err != nil {
			return nil, err
		}
		at := path + "." + strconv.Itoa(i+1) + ".member."
		name, err := e.text("AttributeName")
		if err != nil {
			return nil, err
		}
		kind, err := e.text("KeyType")
		if err != nil {
			return nil, err
		}
		c.Require(name != nil, at+"attributeName")
		if c.Require(kind != nil, at+"keyType") {
			c.Enum(kind, at+"keyType", "HASH", "RANGE")
		}
		out[i] = keyElement{orEmpty(name), orEmpty(kind)}
		shown[i] = fmt.Sprintf("KeySchemaElement(attributeName=%s, keyType=%s)", out[i].AttributeName, out[i].KeyType)
	}
	c.Count(len(list), "["+strings.Join(shown, ", ")+"]", path, 1, 2)
	return out, nil
}

// readThroughput reads read and write capacity, nil if absent.
func readThroughput(m members, path string, c *constraints) (*throughput, error) {
	e, err := m.object("ProvisionedThroughput", structureOf("ProvisionedThroughput"))
	if e == nil || err != nil {
		return nil, err
	}
	write, err := e.whole("WriteCapacityUnits", "Long")
	if err != nil {
		return nil, err
	}
	read, err := e.whole("ReadCapacityUnits", "Long")
	if err != nil {
		return nil, err
	}
	if c.Require(write != nil, path+".writeCapacityUnits") {
		c.AtLeast(write, path+".writeCapacityUnits", 1)
	}
	if c.Require(read != nil, path+".readCapacityUnits") {
		c.AtLeast(read, path+".readCapacityUnits", 1)
	}
	if read == nil || write == nil {
		return &throughput{}, nil
	}
	return &throughput{*read, *write}, nil
}

// readIndex reads an index of CreateTable or UpdateTable.
func readIndex(e members, path string, c *constraints) (x index, err error) {
	name, err := e.text("IndexName")
	if err != nil {
		return x, err
	}
	if c.Require(name != nil, path+"indexName") {
		c.name(*name, path+"indexName", 3, longestName)
		x.IndexName = *name
	}
	if x.KeySchema, err = readKeySchema(e, path+"keySchema", c); err != nil {
		return x, err
	}
	p, err := e.object("Projection", structureOf("Projection"))
	if err != nil {
		return x, err
	}
	if c.Require(p != nil, path+"projection") {
		kind, err := p.text("ProjectionType")
		if err != nil {
			return x, err
		}
		c.Enum(kind, path+"projection.projectionType", "ALL", "INCLUDE", "KEYS_ONLY")
		x.Projection.ProjectionType = orEmpty(kind)
		if x.Projection.NonKeyAttributes, err = p.texts("NonKeyAttributes"); err != nil {
			return x, err
		}
		if names := x.Projection.NonKeyAttributes; names != nil {
			c.Count(len(names), "["+strings.Join(names, ", ")+"]", path+"projection.nonKeyAttributes", 1, 20)
		}
	}
	units, err := readThroughput(e, path+"provisionedThroughput", c)
	if units != nil {
		x.ProvisionedThroughput = *units
	}
	return x, err
}

// readIndexes reads a list of indexes, nil if absent.
func readIndexes(m members, name, kind string, c *constraints) ([]index, error) {
	list, err := m.list(name)
	if list == nil || err != nil {
		return nil, err
	}
	out := make([]index, len(list))
	for i, v := range list {
		e, err := parseMembers(v, elementOf(kind))
		if err != nil {
			return nil, err
		}
		if out[i], err = readIndex(e, lowerFirst(name)+"."+strconv.Itoa(i+1)+".member.", c); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func lowerFirst(text string) string { return strings.ToLower(text[:1]) + text[1:] }

// checkSchema refuses an invalid key schema, given the attributes that are defined.
func checkSchema(schema []keyElement, defined []attributeDefinition) error {
	var names, known []string
	for _, e := range schema {
		names = append(names, e.AttributeName)
	}
	for _, a := range defined {
		known = append(known, a.AttributeName)
	}
	for _, name := range names {
		if !slices.Contains(known, name) {
			return attribute.InvalidParameter("Some index key attributes are not defined in AttributeDefinitions. Keys: [%s], AttributeDefinitions: [%s]",
				strings.Join(names, ", "), strings.Join(known, ", "))
		}
	}
	switch {
	case len(schema) > 1 && names[0] == names[1]:
		return attribute.Invalid("Both the Hash Key and the Range Key element in the KeySchema have the same name")
	case schema[0].KeyType != "HASH":
		return attribute.Invalid("Invalid KeySchema: The first KeySchemaElement is not a HASH key type")
	case len(schema) > 1 && schema[1].KeyType != "RANGE":
		return attribute.Invalid("Invalid KeySchema: The second KeySchemaElement is not a RANGE key type")
	}
	return nil
}

func checkProjection(p projection) error {
	if p.ProjectionType == "" {
		return attribute.InvalidParameter("Unknown ProjectionType: null")
	}
	if p.NonKeyAttributes != nil && p.ProjectionType != "INCLUDE" {
		return attribute.InvalidParameter("ProjectionType is %s, but NonKeyAttributes is specified", p.ProjectionType)
	}
	if p.NonKeyAttributes == nil && p.ProjectionType == "INCLUDE" {
		return attribute.InvalidParameter("ProjectionType is INCLUDE, but NonKeyAttributes is not specified")
	}
	return nil
}

// checkUnits refuses too much capacity.
func checkUnits(t *throughput) error {
	switch {
	case t == nil:
	case t.ReadCapacityUnits > mostUnits:
		return attribute.Invalid("Given value %d for ReadCapacityUnits is out of bounds", t.ReadCapacityUnits)
	case t.WriteCapacityUnits > mostUnits:
		return attribute.Invalid("Given value %d for WriteCapacityUnits is out of bounds", t.WriteCapacityUnits)
	}
	return nil
}

// checkUsed refuses definitions of attributes that no key uses.
func checkUsed(defined []attributeDefinition, schema []keyElement, indexes ...[]index) error {
	var used []string
	add := func(schema []keyElement) {
		for _, e := range schema {
			if !slices.Contains(used, e.AttributeName) {
				used = append(used, e.AttributeName)
			}
		}
	}
	add(schema)
	for _, list := range indexes {
		for _, x := range list {
			add(x.KeySchema)
		}
	}
	var names []string
	for _, a := range defined {
		names = append(names, a.AttributeName)
	}
	for _, name := range names {
		if !slices.Contains(used, name) {
			return attribute.InvalidParameter("Some AttributeDefinitions are not used. AttributeDefinitions: [%s], keys used: [%s]",
				strings.Join(names, ", "), strings.Join(used, ", "))
		}
	}
	return nil
}
