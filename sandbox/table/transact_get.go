package table

import (
	"strconv"

	"gatewright/sandbox/pages"
	"gatewright/sandbox/table/request"
)

func (s *Store) transactGetItems(m request.Members) ([]byte, error) {
	var c request.Checks
	r := readReturns(m, &c)
	if err := c.Err(); err != nil {
		return nil, err
	}
	list, err := readActions(m, "TransactGetItem")
	if err != nil {
		return nil, err
	}
	gets := make([]*get, len(list))
	for i, v := range list {
		action, err := request.Parse(v, request.ElementOf("TransactGetItem"))
		if err != nil {
			return nil, err
		}
		one, err := action.Object("Get", request.StructureOf("Get"))
		if err != nil {
			return nil, err
		}
		if err := request.Required(one != nil, "transactItems."+strconv.Itoa(i+1)+".member.get"); err != nil {
			return nil, err
		}
		if gets[i], _, err = readGet(one); err != nil {
			return nil, err
		}
	}
	if err := bindActions(s, gets); err != nil {
		return nil, err
	}
	used := make(consumed)
	var b []byte
	err = s.view(func(tx *pages.Tx) error {
		b = append(next([]byte{'{'}, "Responses"), '[')
		for i, g := range gets {
			b = append(comma(b, i), '{')
			item, err := g.find(tx)
			if err != nil {
				return err
			}
			if item != nil {
				if b, err = g.view.Append(next(b, "Item"), item); err != nil {
					return err
				}
			}
			b = append(b, '}')
			used.forTable(g.table).table += readUnits(item.Size(), transaction)
		}
		b = append(b, ']')
		return nil
	})
	return append(used.appendAll(b, r.capacity), '}'), err
}
