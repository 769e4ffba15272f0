package table

import (
	"bytes"
	"slices"

	"gatewright/sandbox/table/attribute"
	"gatewright/sandbox/table/expression"
	"gatewright/sandbox/table/request"
	"gatewright/sandbox/table/schema"
	"gatewright/sandbox/table/stored"
)

// pageRequest is what Query and Scan have in common.
type pageRequest struct {
	table      string
	indexName  string
	selects    string
	limit      int // 0 is unlimited
	consistent bool
	capacity   string
	start      attribute.Item // ExclusiveStartKey; nil if absent
	filter     *expression.Condition
	projection expression.Projection
	view       stored.View

	def     *schema.Table
	index   *schema.Index // nil if the table itself is read
	span    schema.Span
	reverse bool
}

// keys are the keys of the table or the index that is read.
func (p *pageRequest) keys() schema.Keys {
	if p.index != nil {
		return p.index.Keys
	}
	return p.def.Keys
}

// read reads the common parameters. limitRule adds what breaks the operation's rules of a
// limit.
func (p *pageRequest) read(m request.Members, limitRule func(c *request.Checks, limit *int64)) error {
	var err error
	if p.table, err = request.TableName(m); err != nil {
		return err
	}
	var c request.Checks
	p.capacity = readReturns(m, &c).capacity
	selects := c.Text(m, "Select")
	c.Enum(selects, "select", "SPECIFIC_ATTRIBUTES", "COUNT", "ALL_ATTRIBUTES", "ALL_PROJECTED_ATTRIBUTES")
	p.selects = request.OrEmpty(selects)
	if name := c.Text(m, "IndexName"); name != nil {
		c.Name(*name, "indexName", 3, request.LongestName)
		p.indexName = *name
	}
	c.Enum(c.Text(m, "ConditionalOperator"), "conditionalOperator", "OR", "AND")
	c.AttributesToGet(m, "attributesToGet")
	limit := c.Whole(m, "Limit", "Integer")
	limitRule(&c, limit)
	if err := c.Err(); err != nil {
		return err
	}
	if limit != nil {
		p.limit = int(min(*limit, 1<<31))
	}
	consistent, err := m.Flag("ConsistentRead")
	p.consistent = consistent != nil && *consistent
	return err
}

func (p *pageRequest) readStart(m request.Members) error {
	start, err := request.ParseItem(m, "ExclusiveStartKey")
	if refused, ok := err.(*attribute.Error); ok && refused.Code == "ValidationException" {
		return attribute.Invalid("The provided starting key is invalid: %s", refused.Message)
	}
	p.start = start
	return err
}

// bind finds the table and the index, and refuses what they do not support.
func (p *pageRequest) bind(d *schema.Table) error {
	if d == nil {
		return errNoTable
	}
	p.def = d
	if p.indexName != "" {
		if p.index = d.Index(p.indexName); p.index == nil {
			return attribute.Invalid("The table does not have the specified index: %s", p.indexName)
		}
		if p.index.Global && p.consistent {
			return attribute.Invalid("Consistent reads are not supported on global secondary indexes")
		}
		if p.index.Status != schema.StatusActive {
			return attribute.Invalid("Cannot read from backfilling global secondary index: %s", p.indexName)
		}
	}
	if err := d.CheckPaths(p.projection.Nested()); err != nil {
		return err
	}
	if p.filter != nil {
		if err := d.CheckPaths(p.filter.Paths().Nested()); err != nil {
			return err
		}
	}
	return p.checkSelect()
}

// checkSelect refuses a Select that contradicts the other parameters, and sets the view.
func (p *pageRequest) checkSelect() error {
	p.view = stored.NewView(p.projection)
	switch {
	case p.selects == "SPECIFIC_ATTRIBUTES" && p.projection == nil:
		return attribute.Invalid("Must specify the AttributesToGet or ProjectionExpression when choosing to get " +
			"SPECIFIC_ATTRIBUTES")
	case p.projection != nil && p.selects != "" && p.selects != "SPECIFIC_ATTRIBUTES":
		what := p.selects
		if what == "COUNT" {
			what = "only the Count"
		}
		return attribute.Invalid("Cannot specify the ProjectionExpression when choosing to get %s", what)
	case p.selects == "ALL_PROJECTED_ATTRIBUTES" && p.index == nil:
		return attribute.Invalid("ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName")
	}
	if p.index == nil || p.index.Projected == nil {
		return nil
	}
	if p.index.Global && p.selects == "ALL_ATTRIBUTES" {
		return attribute.InvalidParameter("Select type ALL_ATTRIBUTES is not supported for global secondary index %s "+
			"because its projection type is not ALL",
			p.indexName)
	}
	if p.projection == nil {
		if p.selects != "ALL_ATTRIBUTES" {
			p.view = stored.View{Names: p.index.Projected}
		}
		return nil
	}
	if p.index.Global {
		for _, name := range p.view.Top() {
			if !p.index.Projects(name) {
				return attribute.InvalidParameter("Global secondary index %s does not project [%s]", p.indexName, name)
			}
		}
	}
	return nil
}

// startKey checks ExclusiveStartKey and encodes it as a key of the table or the index.
func (p *pageRequest) startKey() ([]byte, error) {
	names := p.startNames()
	if len(p.start) != len(names) {
		if p.index == nil {
			return nil, attribute.Invalid("The provided starting key is invalid: %s", schema.ErrKeySchema.Message)
		}
		return nil, errStartKey
	}
	table := make(attribute.Item)
	for _, name := range names {
		v := p.start[name]
		if v == nil {
			return nil, errStartKey
		}
		if p.def.Keys.Has(name) {
			table[name] = v
		}
	}
	if err := p.def.CheckKey(table); err != nil {
		return nil, attribute.Invalid("The provided starting key is invalid: %s", err.Error())
	}
	key := p.def.Keys.AppendKey(nil, table)
	if p.index == nil {
		return key, nil
	}
	for i, name := range p.index.Keys.Names() {
		if p.start[name].Kind != p.index.Keys.Kind(i) {
			return nil, attribute.Invalid("The provided starting key is invalid: %s", schema.ErrKeySchema.Message)
		}
	}
	entry, _ := p.index.AppendEntry(nil, p.start, key)
	return entry, nil
}

// startNames are the attributes of a starting key: of the table's key and of the index's key.
func (p *pageRequest) startNames() []string {
	names := p.def.Keys.Names()
	if p.index == nil {
		return names
	}
	for _, name := range p.index.Keys.Names() {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// beginAfter narrows the span to what follows the starting key, or precedes it in a reverse
// query.
func (p *pageRequest) beginAfter(key []byte) {
	if p.reverse {
		if p.span.High == nil || bytes.Compare(key, p.span.High) < 0 {
			p.span.High = key
		}
		return
	}
	if key = append(key, 0); bytes.Compare(key, p.span.Low) > 0 {
		p.span.Low = key
	}
}
