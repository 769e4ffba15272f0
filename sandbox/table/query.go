package table

import (
	"gatewright/sandbox/constraint"
	"gatewright/sandbox/table/attribute"
	"gatewright/sandbox/table/expression"
	"gatewright/sandbox/table/request"
	"gatewright/sandbox/table/schema"
)

func (s *Store) query(m request.Members) ([]byte, error) {
	p := new(pageRequest)
	// Only Query words the refusal of a limit like this.
	err := p.read(m, func(c *request.Checks, limit *int64) {
		if limit != nil && *limit < 1 {
			c.AddWithoutValue("Limit", constraint.MinValue(1))
		}
	})
	if err != nil {
		return nil, err
	}
	if err := request.CheckExpressions(m,
		[]string{"ProjectionExpression", "FilterExpression", "KeyConditionExpression"},
		[]string{"AttributesToGet", "QueryFilter", "ConditionalOperator", "KeyConditions"},
		[]string{"FilterExpression", "KeyConditionExpression"}); err != nil {
		return nil, err
	}
	if err := p.readStart(m); err != nil {
		return nil, err
	}
	if !m.Has("KeyConditions") && !m.Has("KeyConditionExpression") {
		return nil, attribute.Invalid("Either the KeyConditions or KeyConditionExpression parameter must be specified " +
			"in the request.")
	}
	forward, err := m.Flag("ScanIndexForward")
	if err != nil {
		return nil, err
	}
	p.reverse = forward != nil && !*forward
	n, err := request.ExpressionNames(m)
	if err != nil {
		return nil, err
	}
	if p.filter, err = request.ReadCondition(m, "FilterExpression", "QueryFilter", n); err != nil {
		return nil, err
	}
	if p.projection, err = request.Projected(m, n); err != nil {
		return nil, err
	}
	if err := p.bind(s.table(p.table)); err != nil {
		return nil, err
	}
	c, err := p.keyCondition(m, n)
	if err != nil {
		return nil, err
	}
	if err := n.Unused(); err != nil {
		return nil, err
	}
	if err := p.checkFilter(m); err != nil {
		return nil, err
	}
	if err := p.checkKinds(c); err != nil {
		return nil, err
	}
	p.span = schema.PartitionSpan(c)
	if p.start != nil {
		if err := p.startWithin(c); err != nil {
			return nil, err
		}
	}
	return p.run(s)
}

func (p *pageRequest) keyCondition(m request.Members, n *expression.Names) (expression.KeyCondition, error) {
	k := p.keys()
	text, err := m.Text("KeyConditionExpression")
	if err != nil {
		return expression.KeyCondition{}, err
	}
	if text != nil {
		return expression.ParseKeyCondition(*text, n, k.Partition, k.Sort)
	}
	return expression.FromKeyConditions(m.Raw("KeyConditions"), k.Partition, k.Sort)
}

// checkFilter refuses a filter of a query on key attributes.
func (p *pageRequest) checkFilter(m request.Members) error {
	if p.filter == nil {
		return nil
	}
	what := "Filter Expression"
	if m.Has("QueryFilter") {
		what = "QueryFilter"
	}
	k := p.keys()
	for _, key := range k.Names() {
		for _, name := range p.filter.Names() {
			if name == key {
				return attribute.Invalid("%s can only contain non-primary key attributes: Primary key attribute: %s", what, key)
			}
		}
	}
	return nil
}

// checkKinds refuses a key condition whose values have the wrong type.
func (p *pageRequest) checkKinds(c expression.KeyCondition) error {
	k := p.keys()
	wrong := attribute.InvalidParameter("Condition parameter type does not match schema type")
	if c.Partition.Kind != k.PartitionKind {
		return wrong
	}
	if schema.EmptyKind(c.Partition) != "" {
		return attribute.Invalid("One or more parameter values are not valid. The AttributeValue for a key attribute "+
			"cannot contain an empty "+
			"%s value. Key: %s", schema.EmptyKind(c.Partition), k.Partition)
	}
	if c.Sort == nil {
		return nil
	}
	for _, v := range []*attribute.Value{c.Sort.Low, c.Sort.High} {
		if v != nil && v.Kind != k.SortKind {
			return wrong
		}
	}
	if c.Sort.Op == "begins_with" && k.SortKind == attribute.N {
		return attribute.Invalid("Invalid KeyConditionExpression: Incorrect operand type for operator or function; " +
			"operator or function: begins_with, operand type: N")
	}
	return nil
}

// startWithin refuses a starting key outside the key condition.
func (p *pageRequest) startWithin(c expression.KeyCondition) error {
	key, err := p.startKey()
	if err != nil {
		return err
	}
	k := p.keys()
	if c.Sort != nil && !c.Sort.Holds(p.start[k.Sort]) {
		return attribute.Invalid("The provided starting key does not match the range key predicate")
	}
	if !attribute.Equal(p.start[k.Partition], c.Partition) {
		return attribute.Invalid("The provided starting key is outside query boundaries based on provided conditions")
	}
	p.beginAfter(key)
	return nil
}
