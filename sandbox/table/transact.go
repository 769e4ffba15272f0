package table

import (
	"errors"
	"strconv"
	"strings"

	"gatewright/sandbox/pages"
	"github.com/go-json-experiment/json/jsontext"

	"gatewright/sandbox/table/attribute"
	"gatewright/sandbox/table/request"
)

const (
	mostActions        = 100
	largestTransaction = 4 << 20
)

// readActions reads TransactItems, a list of objects with exactly one action each.
func readActions(m request.Members, of string) ([]jsontext.Value, error) {
	var c request.Checks
	list := c.List(m, "TransactItems")
	if c.Require(list != nil, "transactItems") {
		c.Count(len(list), "["+strings.Trim(request.ShownList(list), "[]")+"]", "transactItems", 1, mostActions)
	}
	for _, v := range list {
		if err := request.ElementOf(of).Check(v); err != nil {
			return nil, err
		}
	}
	return list, c.Err()
}

func (s *Store) transactWriteItems(m request.Members) ([]byte, error) {
	var c request.Checks
	r, requestToken := readReturns(m, &c), c.Text(m, "ClientRequestToken")
	if requestToken != nil {
		c.Length(*requestToken, "clientRequestToken", 1, 36)
	}
	if err := c.Err(); err != nil {
		return nil, err
	}
	list, err := readActions(m, "TransactWriteItem")
	if err != nil {
		return nil, err
	}
	changes := make([]*change, len(list))
	size := 0
	for i, v := range list {
		if changes[i], err = readAction(v); err != nil {
			return nil, err
		}
		size += changes[i].item.Size()
	}
	if size > largestTransaction {
		return nil, attribute.Invalid("Collection size cannot exceed 4MB")
	}
	if err := bindActions(s, changes); err != nil {
		return nil, err
	}
	var output []byte
	began := false
	err = s.update(func(tx *pages.Tx) error {
		effects, err := s.prepareActions(tx, changes)
		if !began {
			// Only one write runs at a time, so two equal transactions cannot both begin.
			done, tokenErr := s.recent.begin(request.OrEmpty(requestToken), m.Raw("TransactItems"), s.clock())
			if tokenErr != nil {
				return tokenErr
			}
			if done {
				output = []byte("{}")
				return nil
			}
			began = true
		}
		if err != nil {
			return err
		}
		output = append(appendWrites([]byte{'{'}, effects, r, transaction), '}')
		return s.writeAll(tx, effects)
	})
	if err != nil && began {
		s.recent.forget(request.OrEmpty(requestToken))
	}
	return output, err
}

// readAction reads one action. Transactions have no legacy parameters.
func readAction(v jsontext.Value) (*change, error) {
	m, err := request.Parse(v, request.ElementOf("TransactWriteItem"))
	if err != nil {
		return nil, err
	}
	var c *change
	found := 0
	for _, e := range m {
		var kind changeKind
		switch e.Name {
		case "Put":
			kind = putKind
		case "Update":
			kind = updateKind
		case "Delete":
			kind = deleteKind
		case "ConditionCheck":
			kind = checkKind
		default:
			continue
		}
		found++
		action, err := request.Parse(e.Value, request.StructureOf(e.Name))
		if err != nil {
			return nil, err
		}
		if _, c, err = readChange(action, kind, nil); err != nil {
			return nil, err
		}
		if err := request.Required(kind != checkKind || c.condition != nil,
			"transactItems.1.member.conditionCheck.conditionExpression"); err != nil {
			return nil, err
		}
	}
	if found != 1 {
		return nil, attribute.Invalid("TransactItems can only contain one of Check, Put, Update or Delete")
	}
	return c, nil
}

// action is a change or a read in a transaction or a batch.
type action interface {
	// bindIn finds the action's table and checks its key. It returns a unique id of the item.
	bindIn(s *Store) (item string, err error)
}

// bindActions makes the actions of a transaction ready. A missing table, and two actions on
// one item, refuse the request; other refusals of an action cancel the transaction.
func bindActions[A action](s *Store, actions []A) error {
	seen := make(map[string]bool, len(actions))
	reasons := make([]error, len(actions))
	for i, one := range actions {
		item, err := one.bindIn(s)
		if errors.Is(err, errNoTable) {
			return err
		}
		if reasons[i] = err; err != nil {
			continue
		}
		if seen[item] {
			return errManyOnOneItem
		}
		seen[item] = true
	}
	return cancelled(reasons)
}

// prepareActions prepares all actions, so that the refusal has the reasons of all that fail.
func (s *Store) prepareActions(tx *pages.Tx, changes []*change) ([]effect, error) {
	effects := make([]effect, len(changes))
	reasons := make([]error, len(changes))
	for i, c := range changes {
		effects[i], reasons[i] = c.prepare(s, tx)
		if err := reasons[i]; err != nil && (!isRefusal(err) || errors.Is(err, errNoTable)) {
			return nil, err
		}
	}
	return effects, cancelled(reasons)
}

// cancelled is the refusal of a transaction for the reasons of its actions, nil if none has a
// reason.
func cancelled(reasons []error) error {
	codes := make([]string, len(reasons))
	list := []byte(`,"CancellationReasons":[`)
	failed := false
	for i, reason := range reasons {
		list = comma(list, i)
		codes[i] = "None"
		if reason == nil {
			list = append(list, `{"Code":"None"}`...)
			continue
		}
		failed = true
		var e *attribute.Error
		errors.As(reason, &e)
		codes[i] = reasonCode(reason)
		list = appendQuoted(append(list, `{"Code":`...), codes[i])
		list = appendQuoted(append(list, `,"Message":`...), e.Message)
		if r := new(refusal); errors.As(reason, &r) {
			list = append(list, r.extra...)
		}
		list = append(list, '}')
	}
	if !failed {
		return nil
	}
	message := "Transaction cancelled, please refer cancellation reasons for specific reasons [" +
		strings.Join(codes, ", ") + "]"
	return &refusal{attribute.Error{Code: "TransactionCanceledException", Message: message}, append(list, ']')}
}

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
