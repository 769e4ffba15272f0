package table

import (
	"github.com/go-json-experiment/json/jsontext"

	"gatewright/sandbox/table/attribute"
	"gatewright/sandbox/table/expression"
	"gatewright/sandbox/table/request"
)

// returns is what the answer of an operation has to contain.
type returns struct {
	values   string // NONE, ALL_OLD ...
	capacity string // NONE, TOTAL or INDEXES
	metrics  bool   // ItemCollectionMetrics
	showOld  bool   // the item, if the condition fails
}

func readReturns(m request.Members, c *request.Checks) returns {
	texts := [4]*string{}
	for i, name := range [...]string{
		"ReturnConsumedCapacity", "ReturnItemCollectionMetrics", "ReturnValues",
		"ReturnValuesOnConditionCheckFailure",
	} {
		texts[i] = c.Text(m, name)
	}
	c.Enum(texts[0], "returnConsumedCapacity", "INDEXES", "TOTAL", "NONE")
	c.Enum(texts[1], "returnItemCollectionMetrics", "SIZE", "NONE")
	c.Enum(texts[2], "returnValues", "ALL_NEW", "UPDATED_OLD", "ALL_OLD", "NONE", "UPDATED_NEW")
	c.Enum(texts[3], "returnValuesOnConditionCheckFailure", "ALL_OLD", "NONE")
	r := returns{
		values: request.OrEmpty(texts[2]), capacity: request.OrEmpty(texts[0]),
		metrics: request.OrEmpty(texts[1]) == "SIZE", showOld: request.OrEmpty(texts[3]) == "ALL_OLD",
	}
	if r.values == "" {
		r.values = "NONE"
	}
	if r.capacity == "" {
		r.capacity = "NONE"
	}
	return r
}

// answerWrite is the answer of a single write.
func (r returns) answerWrite(e *effect) ([]byte, error) {
	b := []byte{'{'}
	b, err := r.appendAttributes(b, e)
	if err != nil {
		return nil, err
	}
	if r.capacity != "NONE" {
		used := make(consumed)
		used.write(e, 1)
		b = used[e.def.TableName].append(next(b, "ConsumedCapacity"), e.def.TableName, r.capacity)
	}
	if r.metrics && len(e.def.LocalSecondaryIndexes) > 0 {
		b = appendCollection(next(b, "ItemCollectionMetrics"), e)
	}
	return append(b, '}'), nil
}

// next begins the next member of an object.
func next(b []byte, name string) []byte {
	if last := b[len(b)-1]; last != '{' {
		b = append(b, ',')
	}
	return append(appendQuoted(b, name), ':')
}

func (r returns) appendAttributes(b []byte, e *effect) ([]byte, error) {
	switch r.values {
	case "ALL_OLD":
		if e.old != nil {
			return e.old.AppendJSON(next(b, "Attributes"), nil)
		}
	case "ALL_NEW":
		if e.new != nil {
			return e.new.AppendJSON(next(b, "Attributes"), nil)
		}
	case "UPDATED_OLD":
		return appendTouched(b, e.touched, e.oldItem), nil
	case "UPDATED_NEW":
		return appendTouched(b, e.touched, e.newItem), nil
	}
	return b, nil
}

// appendTouched writes the parts of an item that an update wrote, if there are any.
func appendTouched(b []byte, touched expression.Paths, item attribute.Item) []byte {
	if len(touched) == 0 || item == nil {
		return b
	}
	if part := touched.Apply(item); len(part) > 0 {
		b = part.AppendJSON(next(b, "Attributes"))
	}
	return b
}

// appendCollection writes the ItemCollectionMetrics of an item: the service estimates the
// size of its partition to the gigabyte.
func appendCollection(b []byte, e *effect) []byte {
	name := e.def.Keys.Partition
	key := attribute.Item{name: e.item[name]}
	b = key.AppendJSON(next(append(b, '{'), "ItemCollectionKey"))
	return append(b, `,"SizeEstimateRangeGB":[0,1]}`...)
}

// comma separates the elements of a list; n is the index of the next element.
func comma(b []byte, n int) []byte {
	if n > 0 {
		return append(b, ',')
	}
	return b
}

// appendQuoted writes text as a JSON string; invalid UTF-8 is replaced.
func appendQuoted[T ~string | ~[]byte](b []byte, text T) []byte {
	b, _ = jsontext.AppendQuote(b, text)
	return b
}
