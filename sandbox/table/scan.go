package table

import (
	"bytes"

	"gatewright/sandbox/table/attribute"
	"gatewright/sandbox/table/request"
	"gatewright/sandbox/table/schema"
)

func (s *Store) scan(m request.Members) ([]byte, error) {
	p := new(pageRequest)
	var segment, total *int64
	var err error
	if segment, err = m.Whole("Segment", "Integer"); err != nil {
		return nil, err
	}
	if total, err = m.Whole("TotalSegments", "Integer"); err != nil {
		return nil, err
	}
	err = p.read(m, func(c *request.Checks, limit *int64) {
		c.AtLeast(total, "totalSegments", 1)
		c.AtMost(total, "totalSegments", schema.MostSegments)
		c.AtLeast(segment, "segment", 0)
		c.AtMost(segment, "segment", schema.MostSegments-1)
		c.AtLeast(limit, "limit", 1)
	})
	if err != nil {
		return nil, err
	}
	if err := request.CheckExpressions(m,
		[]string{"ProjectionExpression", "FilterExpression"},
		[]string{"AttributesToGet", "ScanFilter", "ConditionalOperator"},
		[]string{"FilterExpression"}); err != nil {
		return nil, err
	}
	if err := p.readStart(m); err != nil {
		return nil, err
	}
	if err := checkSegments(segment, total); err != nil {
		return nil, err
	}
	n, err := request.ExpressionNames(m)
	if err != nil {
		return nil, err
	}
	if p.filter, err = request.ReadCondition(m, "FilterExpression", "ScanFilter", n); err != nil {
		return nil, err
	}
	if p.projection, err = request.Projected(m, n); err != nil {
		return nil, err
	}
	if err := n.Unused(); err != nil {
		return nil, err
	}
	if err := p.bind(s.table(p.table)); err != nil {
		return nil, err
	}
	if total != nil {
		p.span = schema.SegmentSpan(*segment, *total)
	}
	if p.start != nil {
		key, err := p.startKey()
		if err != nil {
			return nil, err
		}
		if bytes.Compare(key, p.span.Low) < 0 || p.span.High != nil && bytes.Compare(key, p.span.High) >= 0 {
			return nil, attribute.Invalid("The provided starting key is invalid: Invalid ExclusiveStartKey. "+
				"Please use ExclusiveStartKey with correct Segment. TotalSegments: %d Segment: %d", *total, *segment)
		}
		p.beginAfter(key)
	}
	return p.run(s)
}

func checkSegments(segment, total *int64) error {
	switch {
	case segment != nil && total == nil:
		return attribute.Invalid("The TotalSegments parameter is required but was not present in the request when Segment " +
			"parameter is present")
	case segment == nil && total != nil:
		return attribute.Invalid("The Segment parameter is required but was not present in the request when parameter " +
			"TotalSegments is present")
	case segment != nil && *segment >= *total:
		return attribute.Invalid("The Segment parameter is zero-based and must be less than parameter TotalSegments: "+
			"Segment: %d is not less than TotalSegments: %d", *segment, *total)
	}
	return nil
}
