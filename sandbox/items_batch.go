package sandbox

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"gatewright/internal/network"
	"gatewright/internal/text/phrase"
	"gatewright/sandbox/table"
	"gatewright/sandbox/table/attribute"
)

const (
	// maxBatch is how many items one BatchWriteItem may write, largestBatch how many bytes of them
	// are written at once.
	maxBatch     = 25
	largestBatch = 2 << 20

	// What a table does not take at once is sent again after pauses, as DynamoDB wants it
	// (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.Errors.html#Programming.Errors.BatchOperations).
	firstPause   = 50 * time.Millisecond
	longestPause = 10 * time.Second
	// mostRefusals is how often in a row a table may take nothing at all.
	mostRefusals = 12
)

// batch is the operation that writes most items at once, and how many it writes.
func (x Items) batch(ctx context.Context) (operation string, most int) {
	if h, ok := x.Tables.(*HeldTables); ok {
		// The tables of another service, or of an older sandbox, do not know it.
		_, err := h.Do(ctx, table.WriteMany, []byte("{}"))
		if refused := new(attribute.Error); errors.As(err, &refused) && refused.Code == "ValidationException" {
			return table.WriteMany, table.MostWrites
		}
	}
	return "BatchWriteItem", maxBatch
}

// putAll writes items with an operation, in one request if the tables take all at once.
func (x Items) putAll(ctx context.Context, operation string, all []attribute.Item) error {
	// If two items have the same key, the last one counts.
	places := make(map[string]int)
	var requests []json.RawMessage
	for _, item := range all {
		request := json.RawMessage(append(item.AppendJSON([]byte(`{"PutRequest":{"Item":`)), "}}"...))
		key := x.Table.keyText(item)
		if at, twice := places[key]; twice {
			requests[at] = request
			continue
		}
		places[key] = len(requests)
		requests = append(requests, request)
	}
	first := cmp.Or(x.Pause, firstPause)
	delay, refusals := first, 0
	for {
		var answer struct{ UnprocessedItems map[string][]json.RawMessage }
		if err := Ask(ctx, x.Tables, operation, map[string]any{"RequestItems": map[string]any{x.Table.Name: requests}},
			&answer); err != nil {
			return err
		}
		rest := answer.UnprocessedItems[x.Table.Name]
		if len(rest) == 0 {
			return nil
		}
		if refusals++; len(rest) < len(requests) {
			delay, refusals = first, 0
		}
		if refusals == mostRefusals {
			return fmt.Errorf("table %s takes no items for now: it has reached its limit of writes; wait a minute, "+
				"and try again", phrase.Quote(x.Table.Name))
		}
		requests = rest
		if err := network.Pause(ctx, delay/2+rand.N(delay/2+1)); err != nil {
			return err
		}
		delay = min(2*delay, longestPause)
	}
}
