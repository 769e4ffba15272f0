package table

import (
	"strings"

	"gatewright/sandbox/pages"
	"github.com/go-json-experiment/json/jsontext"

	"gatewright/sandbox/constraint"
	"gatewright/sandbox/table/attribute"
	"gatewright/sandbox/table/request"
)

const (
	mostBatchGets = 100
	// largestBatch is how many bytes of items BatchGetItem returns; the keys of further
	// items are returned in UnprocessedKeys.
	largestBatch = 16 << 20
)

// batchGets is the items that a batch reads from one table.
type batchGets struct {
	request tableRequests
	gets    []*get
	keys    []jsontext.Value
	rest    []string // the other members, for UnprocessedKeys
}

func (s *Store) batchGetItem(m request.Members) ([]byte, error) {
	r, requests, err := readBatch(m, "BatchGetItem", "KeysAndAttributes")
	if err != nil {
		return nil, err
	}
	var wanted []batchGets
	count := 0
	for _, t := range requests {
		one, err := readBatchGet(t)
		if err != nil {
			return nil, err
		}
		wanted = append(wanted, one)
		count += len(one.gets)
	}
	if count > mostBatchGets {
		return nil, attribute.Invalid("Too many items requested for the BatchGetItem call")
	}
	for _, one := range wanted {
		if err := bindAll(s, one.gets); err != nil {
			return nil, err
		}
	}
	var output []byte
	err = s.view(func(tx *pages.Tx) error {
		var err error
		output, err = answerBatchGet(tx, wanted, r)
		return err
	})
	return output, err
}

func readBatchGet(t tableRequests) (batchGets, error) {
	out := batchGets{request: t}
	m, err := request.Parse(t.raw, request.ElementOf("KeysAndAttributes"))
	if err != nil {
		return out, err
	}
	var c request.Checks
	out.keys = c.List(m, "Keys")
	path := "requestItems." + t.given + ".member."
	if c.Require(out.keys != nil, path+"keys") {
		c.Count(len(out.keys), "[]", path+"keys", 1, len(out.keys))
	}
	c.AttributesToGet(m, path+"attributesToGet")
	if len(out.keys) > mostBatchGets {
		c.AddWithoutValue("RequestItems."+t.given+".member.Keys", constraint.MaxLength(mostBatchGets))
	}
	if err := c.Err(); err != nil {
		return out, err
	}
	var common get
	if err := common.readView(m); err != nil {
		return out, err
	}
	for _, v := range out.keys {
		g := common
		g.table = t.table
		if err := request.MapOf("AttributeValue").Check(v); err != nil {
			return out, err
		}
		if g.key, err = attribute.ParseItem(v); err != nil {
			return out, err
		}
		out.gets = append(out.gets, &g)
	}
	for _, e := range m {
		if e.Name != "Keys" {
			out.rest = append(out.rest, string(appendQuoted(nil, e.Name))+":"+string(e.Value))
		}
	}
	return out, nil
}

// answerBatchGet reads items until the answer is full.
func answerBatchGet(tx *pages.Tx, wanted []batchGets, r returns) ([]byte, error) {
	b := append(next([]byte{'{'}, "Responses"), '{')
	used := make(consumed)
	left := []byte{}
	size := 0
	for _, w := range wanted {
		b = append(next(b, w.request.given), '[')
		n := 0
		var unread []string
		for i, g := range w.gets {
			if size >= largestBatch {
				unread = append(unread, string(w.keys[i]))
				continue
			}
			item, err := g.find(tx)
			if err != nil {
				return nil, err
			}
			used.forTable(g.table).table += readUnits(item.Size(), consistency(g.consistent))
			if item == nil {
				continue
			}
			size += item.Size()
			if b, err = g.view.Append(comma(b, n), item); err != nil {
				return nil, err
			}
			n++
		}
		b = append(b, ']')
		if len(unread) > 0 {
			members := append([]string{`"Keys":[` + strings.Join(unread, ",") + "]"}, w.rest...)
			left = append(appendQuoted(comma(left, len(left)), w.request.given), ":{"+strings.Join(members, ",")+"}"...)
		}
	}
	b = append(b, '}')
	b = append(append(append(next(b, "UnprocessedKeys"), '{'), left...), '}')
	return append(used.appendAll(b, r.capacity), '}'), nil
}
