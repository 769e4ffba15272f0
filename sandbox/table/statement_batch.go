package table

import (
	"strings"

	"gatewright/sandbox/pages"

	"gatewright/sandbox/table/attribute"
)

const mostStatements = 25

// readStatements reads a list of statements; errs are the errors of single statements.
func readStatements(m members, member string, most int) (list []*statement, errs []error, err error) {
	var c checks
	raw := c.list(m, member)
	path := lowerFirst(member)
	if c.Require(raw != nil, path) {
		c.Count(len(raw), "["+strings.Trim(shownList(raw), "[]")+"]", path, 1, most)
	}
	if err := c.err(); err != nil {
		return nil, nil, err
	}
	list, errs = make([]*statement, len(raw)), make([]error, len(raw))
	for i, v := range raw {
		e, err := parseMembers(v, elementOf("BatchStatementRequest"))
		if err != nil {
			return nil, nil, err
		}
		list[i], errs[i] = readStatement(e)
	}
	return list, errs, nil
}

// batchExecuteStatement runs statements independently of each other.
func (s *Store) batchExecuteStatement(m members) ([]byte, error) {
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
		if st != nil && st.table != "" {
			b = appendQuoted(next(b, "TableName"), st.table)
		}
		b = append(b, '}')
	}
	return append(b, "]}"...), nil
}

func (s *Store) executeInBatch(st *statement) (item []byte, err error) {
	d := s.table(st.table)
	if st.verb == "SELECT" {
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
func (s *Store) executeTransaction(m members) ([]byte, error) {
	list, errs, err := readStatements(m, "TransactStatements", mostActions)
	if err != nil {
		return nil, err
	}
	reads := 0
	for i, st := range list {
		if errs[i] != nil {
			return nil, errs[i]
		}
		if st.verb == "SELECT" {
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

func (s *Store) transactReads(list []*statement) ([]byte, error) {
	b := append(next([]byte{'{'}, "Responses"), '[')
	err := s.view(func(tx *pages.Tx) error {
		for i, st := range list {
			item, err := findSelected(tx, st, s.table(st.table))
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

func (s *Store) transactWrites(list []*statement) ([]byte, error) {
	changes := make([]*change, len(list))
	for i, st := range list {
		var err error
		if changes[i], err = changeOf(st, s.table(st.table)); err != nil {
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
