package schema

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gatewright/sandbox/table/attribute"
	"gatewright/sandbox/table/request"
)

const mostUnits = 1_000_000_000_000

// ReadAttributeDefinitions reads the types of the attributes that keys consist of.
func ReadAttributeDefinitions(m request.Members, c *request.Checks) []AttributeDefinition {
	list := c.List(m, "AttributeDefinitions")
	out := make([]AttributeDefinition, len(list))
	for i, v := range list {
		e := c.Members(v, request.ElementOf("AttributeDefinition"))
		path := "attributeDefinitions." + strconv.Itoa(i+1) + ".member."
		name, kind := c.Text(e, "AttributeName"), c.Text(e, "AttributeType")
		c.Require(name != nil, path+"attributeName")
		c.Require(kind != nil, path+"attributeType")
		c.Enum(kind, path+"attributeType", "B", "N", "S")
		out[i] = AttributeDefinition{request.OrEmpty(name), request.OrEmpty(kind)}
	}
	return out
}

func ReadKeySchema(m request.Members, path string, c *request.Checks) []KeyElement {
	list := c.List(m, "KeySchema")
	if !c.Require(list != nil, path) {
		return nil
	}
	out := make([]KeyElement, len(list))
	shown := make([]string, len(list))
	for i, v := range list {
		e := c.Members(v, request.ElementOf("KeySchemaElement"))
		at := path + "." + strconv.Itoa(i+1) + ".member."
		name, kind := c.Text(e, "AttributeName"), c.Text(e, "KeyType")
		c.Require(name != nil, at+"attributeName")
		c.Require(kind != nil, at+"keyType")
		c.Enum(kind, at+"keyType", "HASH", "RANGE")
		out[i] = KeyElement{request.OrEmpty(name), request.OrEmpty(kind)}
		shown[i] = fmt.Sprintf("KeySchemaElement(attributeName=%s, keyType=%s)", out[i].AttributeName, out[i].KeyType)
	}
	c.Count(len(list), "["+strings.Join(shown, ", ")+"]", path, 1, 2)
	return out
}

// ReadThroughput reads read and write capacity, nil if absent.
func ReadThroughput(m request.Members, path string, c *request.Checks) *Throughput {
	e := c.Object(m, "ProvisionedThroughput", request.StructureOf("ProvisionedThroughput"))
	if e == nil {
		return nil
	}
	write, read := c.Whole(e, "WriteCapacityUnits", "Long"), c.Whole(e, "ReadCapacityUnits", "Long")
	c.Require(write != nil, path+".writeCapacityUnits")
	c.AtLeast(write, path+".writeCapacityUnits", 1)
	c.Require(read != nil, path+".readCapacityUnits")
	c.AtLeast(read, path+".readCapacityUnits", 1)
	if read == nil || write == nil {
		return &Throughput{}
	}
	return &Throughput{*read, *write}
}

// ReadIndex reads an index of CreateTable or UpdateTable.
func ReadIndex(e request.Members, path string, c *request.Checks) Index {
	x := Index{IndexName: ReadIndexName(e, path, c), KeySchema: ReadKeySchema(e, path+"keySchema", c)}
	p := c.Object(e, "Projection", request.StructureOf("Projection"))
	if c.Require(p != nil, path+"projection") {
		kind := c.Text(p, "ProjectionType")
		c.Enum(kind, path+"projection.projectionType", "ALL", "INCLUDE", "KEYS_ONLY")
		names := c.Texts(p, "NonKeyAttributes")
		if names != nil {
			c.Count(len(names), "["+strings.Join(names, ", ")+"]", path+"projection.nonKeyAttributes", 1, 20)
		}
		x.Projection = Projection{request.OrEmpty(kind), names}
	}
	if units := ReadThroughput(e, path+"provisionedThroughput", c); units != nil {
		x.ProvisionedThroughput = *units
	}
	return x
}

func ReadIndexName(e request.Members, path string, c *request.Checks) string {
	name := c.Text(e, "IndexName")
	if c.Require(name != nil, path+"indexName") {
		c.Name(*name, path+"indexName", 3, request.LongestName)
	}
	return request.OrEmpty(name)
}

// ReadIndexes reads a list of indexes, nil if absent.
func ReadIndexes(m request.Members, name, kind string, c *request.Checks) []Index {
	list := c.List(m, name)
	if list == nil {
		return nil
	}
	out := make([]Index, len(list))
	for i, v := range list {
		out[i] = ReadIndex(c.Members(v, request.ElementOf(kind)),
			request.LowerFirst(name)+"."+strconv.Itoa(i+1)+".member.", c)
	}
	return out
}

// CheckSchema refuses an invalid key schema, given the attributes that are defined.
func CheckSchema(schema []KeyElement, defined []AttributeDefinition) error {
	var names, known []string
	for _, e := range schema {
		names = append(names, e.AttributeName)
	}
	for _, a := range defined {
		known = append(known, a.AttributeName)
	}
	for _, name := range names {
		if !slices.Contains(known, name) {
			return attribute.InvalidParameter("Some index key attributes are not defined in AttributeDefinitions. Keys: [%s], "+
				"AttributeDefinitions: [%s]",
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

func CheckProjection(p Projection) error {
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

// CheckUnits refuses too much capacity.
func CheckUnits(t *Throughput) error {
	switch {
	case t == nil:
	case t.ReadCapacityUnits > mostUnits:
		return attribute.Invalid("Given value %d for ReadCapacityUnits is out of bounds", t.ReadCapacityUnits)
	case t.WriteCapacityUnits > mostUnits:
		return attribute.Invalid("Given value %d for WriteCapacityUnits is out of bounds", t.WriteCapacityUnits)
	}
	return nil
}

// CheckUsed refuses definitions of attributes that no key uses.
func CheckUsed(defined []AttributeDefinition, schema []KeyElement, indexes ...[]Index) error {
	var used []string
	add := func(schema []KeyElement) {
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
			return attribute.InvalidParameter("Some AttributeDefinitions are not used. AttributeDefinitions: [%s], "+
				"keys used: [%s]",
				strings.Join(names, ", "), strings.Join(used, ", "))
		}
	}
	return nil
}
