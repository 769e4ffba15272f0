package table

import (
	"encoding/base64"

	"gatewright/sandbox/pages"
	"github.com/go-json-experiment/json/jsontext"

	"gatewright/sandbox/table/attribute"
	"gatewright/sandbox/table/expression"
	"gatewright/sandbox/table/partiql"
	"gatewright/sandbox/table/request"
	"gatewright/sandbox/table/schema"
	"gatewright/sandbox/table/stored"
)

var errDuplicateItem = refuse("DuplicateItemException", "Duplicate primary key exists in table")

// readStatement reads Statement and Parameters.
func readStatement(m request.Members) (*partiql.Statement, error) {
	var c request.Checks
	text, parameters := c.Text(m, "Statement"), c.List(m, "Parameters")
	if c.Require(text != nil, "statement") {
		c.Length(*text, "statement", 1, 8192)
	}
	if err := c.Err(); err != nil {
		return nil, err
	}
	return partiql.Parse(*text, parameters)
}

func (s *Store) executeStatement(m request.Members) ([]byte, error) {
	st, err := readStatement(m)
	if err != nil {
		return nil, err
	}
	var c request.Checks
	r, limit := readReturns(m, &c), c.Whole(m, "Limit", "Integer")
	c.AtLeast(limit, "limit", 1)
	if err := c.Err(); err != nil {
		return nil, err
	}
	if st.Verb != "SELECT" {
		return s.executeWrite(st, r)
	}
	p := &pageRequest{capacity: r.capacity}
	if limit != nil {
		p.limit = int(min(*limit, 1<<31))
	}
	consistent, err := m.Flag("ConsistentRead")
	if err != nil {
		return nil, err
	}
	p.consistent = consistent != nil && *consistent
	next, err := m.Text("NextToken")
	if err != nil {
		return nil, err
	}
	if next != nil {
		key, err := base64.StdEncoding.DecodeString(*next)
		if err == nil {
			p.start, err = attribute.ParseItem(jsontext.Value(key))
		}
		if err != nil {
			return nil, attribute.Invalid("Invalid NextToken")
		}
	}
	if err := bindPage(st, p, s.table(st.Table)); err != nil {
		return nil, err
	}
	var output []byte
	err = s.view(func(tx *pages.Tx) error {
		var got page
		if err := p.collect(tx, &got); err != nil {
			return err
		}
		var err error
		output, err = p.answerStatement(got)
		return err
	})
	return output, err
}

// answerStatement writes the page as the answer of ExecuteStatement.
func (p *pageRequest) answerStatement(got page) ([]byte, error) {
	b := append(append(next([]byte{'{'}, "Items"), '['), got.items...)
	b = append(b, ']')
	if got.last != nil {
		key, err := got.last.Pick(p.startNames())
		if err != nil {
			return nil, err
		}
		text := key.AppendJSON(nil)
		b = append(next(b, "LastEvaluatedKey"), text...)
		b = appendQuoted(next(b, "NextToken"), base64.StdEncoding.EncodeToString(text))
	}
	if p.capacity != "NONE" {
		u := units{table: readUnits(got.size, consistency(p.consistent))}
		b = u.append(next(b, "ConsumedCapacity"), p.table, p.capacity)
	}
	return append(b, '}'), nil
}

// bindPage makes a SELECT a query if WHERE names a partition, and a scan otherwise.
func bindPage(st *partiql.Statement, p *pageRequest, d *schema.Table) error {
	p.table, p.indexName, p.reverse = st.Table, st.Index, st.Descending
	if err := p.bind(d); err != nil {
		return err
	}
	if len(st.Paths) > 0 {
		p.view = stored.View{Paths: st.Paths, Flat: true}
	}
	c, rest := keyCondition(st, p.keys())
	if len(rest) > 0 {
		filter, err := expression.ParseCondition("FilterExpression", partiql.Joined(rest), &st.Names)
		if err != nil {
			return err
		}
		p.filter = filter
	}
	if c.Partition != nil {
		if err := p.checkKinds(c); err != nil {
			return err
		}
		p.span = schema.PartitionSpan(c)
	}
	if p.start == nil {
		return nil
	}
	key, err := p.startKey()
	if err != nil {
		return err
	}
	p.beginAfter(key)
	return nil
}

// keyCondition splits WHERE into a key condition and the rest.
func keyCondition(st *partiql.Statement, k schema.Keys) (c expression.KeyCondition, rest []partiql.Conjunct) {
	for _, w := range st.Where {
		if c.Partition == nil && w.Op == "=" && w.Name == k.Partition {
			c.Partition = w.Low
			continue
		}
		rest = append(rest, w)
	}
	if c.Partition == nil || k.Sort == "" {
		return c, rest
	}
	for i, w := range rest {
		if w.Name == k.Sort && w.Op != "<>" && w.Low != nil {
			c.Sort = &expression.Range{Op: w.Op, Low: w.Low, High: w.High}
			return c, append(rest[:i:i], rest[i+1:]...)
		}
	}
	return c, rest
}

// wholeKey splits WHERE into the whole key of one item and the rest.
func wholeKey(st *partiql.Statement, d *schema.Table) (attribute.Item, []partiql.Conjunct, error) {
	key := make(attribute.Item)
	var rest []partiql.Conjunct
	for _, w := range st.Where {
		if w.Op == "=" && d.Keys.Has(w.Name) && key[w.Name] == nil {
			key[w.Name] = w.Low
			continue
		}
		rest = append(rest, w)
	}
	if len(key) != len(d.Keys.Names()) {
		return nil, nil, attribute.Invalid("Where clause does not contain a mandatory equality on all key attributes")
	}
	return key, rest, nil
}

// changeOf is the write of an INSERT, UPDATE or DELETE.
func changeOf(st *partiql.Statement, d *schema.Table) (*change, error) {
	if d == nil {
		return nil, errNoTable
	}
	if st.Index != "" {
		return nil, partiql.Malformed("an index cannot be written to")
	}
	c := &change{table: st.Table}
	var condition string
	exists := "attribute_exists(#key)"
	st.Names.Names["#key"] = d.Keys.Partition
	switch st.Verb {
	case "INSERT":
		c.kind, c.item, c.duplicate = putKind, st.Item, true
		condition = "attribute_not_exists(#key)"
		if err := c.encode(); err != nil {
			return nil, err
		}
	default:
		key, rest, err := wholeKey(st, d)
		if err != nil {
			return nil, err
		}
		c.item = key
		if len(rest) > 0 {
			condition = partiql.Joined(rest)
		}
		c.kind = deleteKind
		if st.Verb == "UPDATE" {
			c.kind = updateKind
			if condition != "" {
				exists += " AND (" + condition + ")"
			}
			condition = exists
			if c.update, err = expression.ParseUpdate(st.Update, &st.Names); err != nil {
				return nil, err
			}
		}
	}
	if condition != "" {
		parsed, err := expression.ParseCondition("ConditionExpression", condition, &st.Names)
		if err != nil {
			return nil, err
		}
		c.condition = parsed
	}
	return c, c.bind(d)
}

// executeWrite runs a statement that writes. Its answer has the item that RETURNING requests.
func (s *Store) executeWrite(st *partiql.Statement, r returns) ([]byte, error) {
	c, err := changeOf(st, s.table(st.Table))
	if err != nil {
		return nil, err
	}
	r.values = st.Returning
	var output []byte
	err = s.update(func(tx *pages.Tx) error {
		e, err := c.prepare(s, tx)
		if err != nil {
			return err
		}
		shown, err := r.appendAttributes([]byte{'{'}, &e)
		if err != nil {
			return err
		}
		output = append(next([]byte{'{'}, "Items"), '[')
		if len(shown) > 1 {
			output = append(output, shown[len(`{"Attributes":`):]...)
		}
		output = append(output, ']')
		if r.capacity != "NONE" {
			used := make(consumed)
			used.write(&e, 1)
			output = used[c.table].append(next(output, "ConsumedCapacity"), c.table, r.capacity)
		}
		output = append(output, '}')
		return e.write(s, tx)
	})
	return output, err
}

// findSelected is the item of a SELECT with a whole key, as JSON; nil if it does not exist.
func findSelected(tx *pages.Tx, st *partiql.Statement, d *schema.Table) ([]byte, error) {
	if d == nil {
		return nil, errNoTable
	}
	key, _, err := wholeKey(st, d)
	if err != nil {
		return nil, err
	}
	if err := d.CheckKey(key); err != nil {
		return nil, err
	}
	p := &pageRequest{capacity: "NONE", consistent: true}
	if err := bindPage(st, p, d); err != nil {
		return nil, err
	}
	var got page
	if err := p.collect(tx, &got); err != nil || got.count == 0 {
		return nil, err
	}
	return got.items, nil
}
