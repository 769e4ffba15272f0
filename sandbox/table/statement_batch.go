package table

import (
	"strings"

	"gatewright/sandbox/pages"

	"gatewright/sandbox/table/attribute"
	"gatewright/sandbox/table/partiql"
	"gatewright/sandbox/table/request"
)

const mostStatements = 25

// readStatements reads a list of statements; errs are the errors of single statements.
func readStatements(m request.Members, member string, most int) (list []*partiql.Statement, errs []error, err error) {
	var c request.Checks
	raw := c.List(m, member)
	path := request.LowerFirst(member)
	if c.Require(raw != nil, path) {
		c.Count(len(raw), "["+strings.Trim(request.ShownList(raw), "[]")+"]", path, 1, most)
	}
	if err := c.Err(); err != nil {
		return nil, nil, err
	}
	list, errs = make([]*partiql.Statement, len(raw)), make([]error, len(raw))
	for i, v := range raw {
		e, err := request.Parse(v, request.ElementOf("BatchStatementRequest"))
		if err != nil {
			return nil, nil, err
		}
		list[i], errs[i] = readStatement(e)
	}
	return list, errs, nil
}

// batchExecuteStatement runs statements independently of each other.
func (s *Store) batchExecuteStatement(m request.Members) ([]byte, error) {
	list, errs, err := readStatements(m, "Statements", mostStatements)
	if err != nil {
		return nil, err
	}
	b := append(next([]byte{'{'}, "Responses"), '[')
	for i, st := range list {
		b = append(comma(b, i), '{')
		var item []byte
		if errs[i] == nil {
			item, errs[i] = s.executeInBatch(st)
		}
		if err := errs[i]; err != nil {
			if !isRefusal(err) {
				return nil, err
			}
			b = appendQuoted(append(next(b, "Error"), `{"Code":`...), reasonCode(err))
			b = append(appendQuoted(append(b, `,"Message":`...), err.Error()), '}')
		} else if item != nil {
			b = append(next(b, "Item"), item...)
		}
		if st != nil && st.Table != "" {
			b = appendQuoted(next(b, "TableName"), st.Table)
		}
		b = append(b, '}')
	}
	return append(b, "]}"...), nil
}

func (s *Store) executeInBatch(st *partiql.Statement) (item []byte, err error) {
	d := s.table(st.Table)
	if st.Verb == "SELECT" {
		err = s.view(func(tx *pages.Tx) error {
			item, err = findSelected(tx, st, d)
			return err
		})
		return item, err
	}
	_, err = s.executeWrite(st, returns{capacity: "NONE"})
	return nil, err
}

// executeTransaction runs all statements or none. They must all be reads or all be writes.
func (s *Store) executeTransaction(m request.Members) ([]byte, error) {
	list, errs, err := readStatements(m, "TransactStatements", mostActions)
	if err != nil {
		return nil, err
	}
	reads := 0
	for i, st := range list {
		if errs[i] != nil {
			return nil, errs[i]
		}
		if st.Verb == "SELECT" {
			reads++
		}
	}
	switch reads {
	case len(list):
		return s.transactReads(list)
	case 0:
		return s.transactWrites(list)
	}
	return nil, attribute.Invalid("Mixing of read and write statements within a transaction is not allowed")
}

func (s *Store) transactReads(list []*partiql.Statement) ([]byte, error) {
	b := append(next([]byte{'{'}, "Responses"), '[')
	err := s.view(func(tx *pages.Tx) error {
		for i, st := range list {
			item, err := findSelected(tx, st, s.table(st.Table))
			if err != nil {
				return err
			}
			b = append(comma(b, i), '{')
			if item != nil {
				b = append(next(b, "Item"), item...)
			}
			b = append(b, '}')
		}
		return nil
	})
	return append(b, "]}"...), err
}

func (s *Store) transactWrites(list []*partiql.Statement) ([]byte, error) {
	changes := make([]*change, len(list))
	for i, st := range list {
		var err error
		if changes[i], err = changeOf(st, s.table(st.Table)); err != nil {
			return nil, err
		}
	}
	if err := bindActions(s, changes); err != nil {
		return nil, err
	}
	err := s.update(func(tx *pages.Tx) error {
		effects, err := s.prepareActions(tx, changes)
		if err != nil {
			return err
		}
		return s.writeAll(tx, effects)
	})
	if err != nil {
		return nil, err
	}
	b := append(next([]byte{'{'}, "Responses"), '[')
	for i := range list {
		b = append(comma(b, i), "{}"...)
	}
	return append(b, "]}"...), nil
}
