package table

import (
	"gatewright/sandbox/pages"

	"gatewright/sandbox/table/attribute"
	"gatewright/sandbox/table/expression"
	"gatewright/sandbox/table/request"
	"gatewright/sandbox/table/schema"
	"gatewright/sandbox/table/stored"
)

func (s *Store) putItem(m request.Members) ([]byte, error) {
	return s.writeOne(readChange(m, putKind, []string{"Expected"}))
}

func (s *Store) deleteItem(m request.Members) ([]byte, error) {
	return s.writeOne(readChange(m, deleteKind, []string{"Expected"}))
}

func (s *Store) updateItem(m request.Members) ([]byte, error) {
	return s.writeOne(readChange(m, updateKind, []string{"AttributeUpdates", "Expected"}))
}

// readChange reads a write of one item, or an action of a transaction, which has no legacy
// parameters.
func readChange(m request.Members, kind changeKind, legacy []string) (r returns, c *change, err error) {
	c = &change{kind: kind}
	if c.table, err = request.TableName(m); err != nil {
		return r, nil, err
	}
	item, expressions := "Key", []string{"ConditionExpression"}
	switch kind {
	case putKind:
		item = "Item"
	case updateKind:
		expressions = []string{"UpdateExpression", "ConditionExpression"}
	}
	var checked request.Checks
	r = readReturns(m, &checked)
	checked.Require(m.Has(item), request.LowerFirst(item))
	checked.Enum(checked.Text(m, "ConditionalOperator"), "conditionalOperator", "OR", "AND")
	c.showOld = r.showOld
	if err := checked.Err(); err != nil {
		return r, nil, err
	}
	if err := request.CheckExpressions(m, expressions, legacy, expressions); err != nil {
		return r, nil, err
	}
	if c.item, err = request.ParseItem(m, item); err != nil {
		return r, nil, err
	}
	if kind != updateKind && r.values != "NONE" && r.values != "ALL_OLD" {
		return r, nil, attribute.Invalid("Return values set to invalid value")
	}
	if kind == putKind {
		if err := c.encode(); err != nil {
			return r, nil, err
		}
	}
	return r, c, c.readExpressions(m)
}

// encode encodes the item of a put, and refuses one that is too large.
func (c *change) encode() error {
	if c.item.Size() > attribute.LargestItem {
		return errItemTooLarge
	}
	c.encoded = stored.Encode(c.item)
	return nil
}

// readExpressions reads the update and the condition, and refuses placeholders that neither
// uses.
func (c *change) readExpressions(m request.Members) error {
	n, err := request.ExpressionNames(m)
	if err != nil {
		return err
	}
	if c.kind == updateKind {
		text, err := m.Text("UpdateExpression")
		if err != nil {
			return err
		}
		if text != nil {
			c.update, err = expression.ParseUpdate(*text, n)
		} else if v := m.Raw("AttributeUpdates"); v != nil {
			c.update, err = expression.FromAttributeUpdates(v)
		}
		if err != nil {
			return err
		}
	}
	if c.condition, err = request.ReadCondition(m, "ConditionExpression", "Expected", n); err != nil {
		return err
	}
	return n.Unused()
}

// writeOne executes what readChange returns.
func (s *Store) writeOne(r returns, c *change, err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	if err := c.bind(s.table(c.table)); err != nil {
		return nil, err
	}
	var output []byte
	err = s.update(func(tx *pages.Tx) error {
		e, err := c.prepare(s, tx)
		if err != nil {
			return err
		}
		// The answer shows the old item, which the write may overwrite in the file.
		if output, err = r.answerWrite(&e); err != nil {
			return err
		}
		return e.write(s, tx)
	})
	return output, err
}

// get is a read of one item.
type get struct {
	table      string
	key        attribute.Item
	consistent bool
	view       stored.View

	def     *schema.Table
	encoded []byte
}

func (s *Store) getItem(m request.Members) ([]byte, error) {
	g, detail, err := readGet(m)
	if err != nil {
		return nil, err
	}
	if err := g.bind(s.table(g.table)); err != nil {
		return nil, err
	}
	b := make([]byte, 1, 256)
	b[0] = '{'
	err = s.view(func(tx *pages.Tx) error {
		item, err := g.find(tx)
		if err != nil {
			return err
		}
		if item != nil {
			if b, err = g.view.Append(next(b, "Item"), item); err != nil {
				return err
			}
		}
		if detail != "NONE" {
			u := units{table: readUnits(item.Size(), consistency(g.consistent))}
			b = u.append(next(b, "ConsumedCapacity"), g.table, detail)
		}
		return nil
	})
	return append(b, '}'), err
}

// readGet reads a GetItem, or a Get of a transaction. detail is how much of the consumed
// capacity to report.
func readGet(m request.Members) (g *get, detail string, err error) {
	g = new(get)
	if g.table, err = request.TableName(m); err != nil {
		return nil, "", err
	}
	var c request.Checks
	r := readReturns(m, &c)
	c.AttributesToGet(m, "attributesToGet")
	c.Require(m.Has("Key"), "key")
	if err := c.Err(); err != nil {
		return nil, "", err
	}
	if err := g.readView(m); err != nil {
		return nil, "", err
	}
	g.key, err = request.ParseItem(m, "Key")
	return g, r.capacity, err
}

// readView reads which attributes to return, and the consistency.
func (g *get) readView(m request.Members) error {
	if err := request.CheckExpressions(m, []string{"ProjectionExpression"}, []string{"AttributesToGet"}, nil); err != nil {
		return err
	}
	consistent, err := m.Flag("ConsistentRead")
	if err != nil {
		return err
	}
	g.consistent = consistent != nil && *consistent
	n, err := request.ExpressionNames(m)
	if err != nil {
		return err
	}
	p, err := request.Projected(m, n)
	if err != nil {
		return err
	}
	g.view = stored.NewView(p)
	return n.Unused()
}

// bind finds the table and checks the key.
func (g *get) bind(d *schema.Table) error {
	if d == nil {
		return errNoTable
	}
	if err := d.CheckKey(g.key); err != nil {
		return err
	}
	if err := d.CheckPaths(g.view.Paths.Nested()); err != nil {
		return err
	}
	g.def, g.encoded = d, d.Keys.AppendKey(nil, g.key)
	return nil
}

func (g *get) bindIn(s *Store) (item string, err error) {
	err = g.bind(s.table(g.table))
	return g.table + "/" + string(g.encoded), err
}

// find is the item, nil if it does not exist.
func (g *get) find(tx *pages.Tx) (stored.Item, error) {
	items := tx.Bucket(g.def.ItemBucket())
	if items == nil {
		return nil, errNoTable
	}
	return items.Get(g.encoded), nil
}
